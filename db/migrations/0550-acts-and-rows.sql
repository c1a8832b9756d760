-- Acts of operators from before they begin until their row of the journal is written: a kill in between leaves the act
-- here, and the next start writes its row.
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

-- Of an act that wrote a row of staff, staff_role or proposal: which, and the keyed hash of what the row holds since.
alter table journal add column row_name text, add column row_hash text;
create index journal_of_row on journal (row_name, seq) where row_hash is not null;
