-- The journal of operators’ acts, on which the other parts stand, and the list of applied migrations, which the runner
-- makes before it reads this file.
--
-- In all files: amounts are paise, prices hundredths and times milliseconds since 1970, unless a column says otherwise. A
-- comment on a table or a column is one statement on one line: db/schema.sql shows it, and a database that an older
-- release made gets it when the baseline adopts it.

comment on table migration is 'The migrations that this database has. A file that was applied never changes';
comment on column migration.checksum is 'SHA-256 of the file, hexadecimal digits';

create table journal (
	seq bigint primary key,
	at bigint not null,
	actor text not null,
	address text,
	act text not null,
	subject text not null,
	details jsonb,
	before jsonb,
	after jsonb,
	outcome text not null,
	player_id bigint,
	player_hash text,
	key_id text,
	chain bytea,
	row_name text,
	row_hash text
);
comment on table journal is 'Acts of operators and changes of accounts: by whom, from where, and the state before and after. Rows are only ever added';
comment on column journal.seq is 'Place in the chain, without gaps';
comment on column journal.actor is 'The operator’s own name, "player", or "server"';
comment on column journal.address is 'Network address of the actor; null when the server acts';
comment on column journal.subject is 'The thing that the act concerns, such as "domain HOST"; empty for acts of the first releases';
comment on column journal.before is 'State of the subject before the act; null where the act shows none';
comment on column journal.after is 'State of the subject after the act; null where the act shows none';
comment on column journal.outcome is '"done", or the code of the refusal';
comment on column journal.player_id is 'Of an act that wrote a row of player: that player';
comment on column journal.player_hash is 'Keyed hash of the content of the player’s row since this act; null where the act wrote no such row';
comment on column journal.key_id is 'Fingerprint of the key of the hashes in this row';
comment on column journal.chain is 'Keyed hash over the chain before and this row; null until the next start for rows from before the chain';
comment on column journal.row_name is 'Of an act that wrote a row of staff, staff_key, staff_role, staff_player, proposal or feed_finding: table and key of that row';
comment on column journal.row_hash is 'Keyed hash of the content of that row since this act';
create index journal_of_player on journal (player_id, seq) where player_hash is not null;
create index journal_of_row on journal (row_name, seq) where row_hash is not null;
-- Operators read the acts on one subject, the acts of one member, and rare acts without the whole journal.
create index journal_by_subject on journal (subject, seq desc);
create index journal_by_actor on journal (actor, seq desc);
create index journal_by_act on journal (act, seq desc);

create table journal_fence (
	id int primary key check (id = 1),
	epoch bigint not null
);
comment on table journal_fence is 'One row. A process that was deposed has an earlier epoch and appends nothing to the journal';
comment on column journal_fence.epoch is 'Epoch of the lease with which a process opened the journal last';
insert into journal_fence values (1, 0);

create table act_under_way (
	act_id uuid primary key,
	at bigint not null,
	actor text not null,
	address text,
	act text not null,
	subject text not null,
	details jsonb,
	before jsonb
);
comment on table act_under_way is 'Acts of operators from before they begin until their row of the journal is written. A kill in between leaves the act here, and the next start writes its row. The columns are those of journal';
