-- Cases: what rules over the ledger found about players, until two members decide it.

create table compliance_case (
	case_id bigint generated always as identity primary key,
	rule text not null,
	subject text not null,
	state text not null check (state in ('OPEN', 'DECIDED')),
	outcome text check (outcome in ('UNFOUNDED', 'WATCHED', 'REPORTED')),
	owner_id bigint references staff,
	opened_at bigint not null,
	due_at bigint,
	changed_at bigint not null,
	entries int not null,
	unique (rule, subject),
	check ((state = 'OPEN') = (due_at is not null)),
	check ((state = 'OPEN') = (outcome is null))
);
comment on table compliance_case is 'What a rule over the ledger found about one subject. There is one for each rule and subject: later facts extend it while it is open, and open it again once it is decided';
comment on column compliance_case.rule is 'Its name in src/values/cases.ts';
comment on column compliance_case.subject is 'What the rule looks at, such as a player or a pair of players';
comment on column compliance_case.outcome is 'As two members decided it; null while it is open';
comment on column compliance_case.owner_id is 'The member who works on it; null without one';
comment on column compliance_case.due_at is 'When it has to be decided, by the setting of the brand of its first player; null once it is';
comment on column compliance_case.entries is 'How many rows of compliance_case_entry it has';
create index compliance_case_open on compliance_case (due_at, case_id) where state = 'OPEN';

create table compliance_case_player (
	case_id bigint not null references compliance_case,
	player_id bigint not null references player (player_id),
	primary key (case_id, player_id)
);
comment on table compliance_case_player is 'The players that a case is about';
create index compliance_case_of_player on compliance_case_player (player_id);

create table compliance_case_entry (
	entry_id bigint generated always as identity primary key,
	case_id bigint not null references compliance_case,
	number int not null,
	at bigint not null,
	author text,
	kind text not null check (kind in ('OPENED', 'EXTENDED', 'REOPENED', 'NOTE', 'DECIDED')),
	text text not null,
	facts_digest bytea,
	unique (case_id, number),
	check ((facts_digest is not null) = (kind in ('OPENED', 'EXTENDED', 'REOPENED')))
);
comment on table compliance_case_entry is 'What happened to a case. Rows are only ever added; a row of the journal has the keyed hash of each';
comment on column compliance_case_entry.number is 'From 1 on, in the order of the case';
comment on column compliance_case_entry.author is 'The member of staff; null for a rule';
comment on column compliance_case_entry.facts_digest is 'SHA-256 of the facts that came with it; null for an entry of a member';

create table compliance_case_fact (
	rule text not null,
	fact text not null,
	case_id bigint not null,
	entry int not null,
	player_id bigint not null,
	at bigint not null,
	kind text not null,
	ref bigint not null,
	amount bigint,
	words text not null,
	primary key (rule, fact),
	foreign key (case_id, entry) references compliance_case_entry (case_id, number)
);
comment on table compliance_case_fact is 'The evidence of cases. Rows are only ever added. The primary key keeps a fact from being in two cases of a rule';
comment on column compliance_case_fact.fact is 'Names the fact within the rule, such as a payment or what passed between two players in a market';
comment on column compliance_case_fact.entry is 'The entry of the case that it came with';
comment on column compliance_case_fact.kind is 'With ref, the reference under which the console opens it, such as withdrawal 12';
comment on column compliance_case_fact.amount is 'Paise; null for a fact without an amount';
create index compliance_case_fact_of on compliance_case_fact (case_id, entry);
