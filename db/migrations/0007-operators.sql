-- Work of operators: proposals that a second member confirms, findings about feeds, notes about players.

create table proposal (
	proposal_id bigint generated always as identity primary key,
	act text not null,
	input jsonb not null,
	subject text not null,
	reason text not null,
	preview jsonb not null,
	basis text not null,
	proposed_by bigint references staff,
	proposed_at bigint not null,
	state text not null check (state in ('OPEN', 'APPLYING', 'APPLIED', 'REFUSED', 'WITHDRAWN')),
	decided_by bigint references staff,
	decided_at bigint,
	outcome text,
	half_key_id text,
	half bytea
);
comment on table proposal is 'Acts that one member proposes and another confirms';
comment on column proposal.reason is 'Of the member, or the name of the feed that reported a result. The hash of the row in the journal covers it';
comment on column proposal.preview is 'The effects of the confirmation, as the proposing member saw them';
comment on column proposal.basis is 'Digest of the state from which the preview was computed: the confirmation is refused when it has changed';
comment on column proposal.proposed_by is 'Null for a result that a feed reports';
comment on column proposal.decided_by is 'The member who confirmed, rejected or withdrew it; null while it is open';
comment on column proposal.outcome is 'Code of the refusal; null without one';
comment on column proposal.half_key_id is 'Fingerprint of the data key that seals half';
comment on column proposal.half is 'The half of an initial password that the proposing member was shown, sealed with a data key until the proposal is confirmed';
create index proposal_open on proposal (proposed_at) where state in ('OPEN', 'APPLYING');
-- At most one result of a feed waits for each market.
create unique index proposal_of_feed on proposal (subject) where proposed_by is null and state in ('OPEN', 'APPLYING');
create index proposal_by_subject on proposal (subject, proposed_at);

create table feed_finding (
	finding_id bigint generated always as identity primary key,
	market_id bigint not null references market_listing (id),
	words text not null,
	holds boolean not null,
	reported_at bigint not null,
	closed_by bigint references staff,
	closed_at bigint,
	check ((closed_by is null) = (closed_at is null))
);
comment on table feed_finding is 'Contradictions between a feed and the books, until a member closes them: a result that the feed takes back, another result than was paid, a result by which no bet can be paid';
comment on column feed_finding.words is 'The finding as the console shows it. The same words wait once for a market';
comment on column feed_finding.holds is 'The market waits for an answer, and its settlement is one';
comment on column feed_finding.closed_by is 'Null while the finding is open';
create unique index feed_finding_open on feed_finding (market_id, words) where closed_at is null;

create table player_note (
	note_id bigint generated always as identity primary key,
	player_id bigint not null,
	at bigint not null,
	author text not null,
	note text not null
);
comment on table player_note is 'Notes of members of staff about a player. Rows are only ever added';
create index player_note_of on player_note (player_id, note_id desc);
