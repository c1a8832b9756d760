-- The process that connects the parts.

create table readiness_probe (
	id smallint primary key check (id = 1),
	probed_at timestamptz not null
);
comment on table readiness_probe is 'One row, which the readiness probe writes when no batch was committed for a while';
insert into readiness_probe values (1, now());
