-- The lease's epoch with which the journal was opened last. A process that was deposed has an earlier one and appends nothing.
create table journal_fence (
	id int primary key check (id = 1),
	epoch bigint not null
);
insert into journal_fence values (1, 0);
