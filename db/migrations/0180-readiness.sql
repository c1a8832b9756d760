-- The readiness probe writes this row when nothing was committed for a while.
create table readiness_probe (
	id smallint primary key check (id = 1),
	probed_at timestamptz not null
);
insert into readiness_probe values (1, now());
