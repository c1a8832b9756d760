-- Changes of brands that are made at an instant.

create table brand_schedule (
	schedule_id bigint generated always as identity primary key,
	host text not null references brand,
	at bigint not null,
	changes jsonb not null,
	scheduled_by text not null,
	state text not null check (state in ('WAITING', 'DONE', 'REFUSED', 'WITHDRAWN')),
	outcome text,
	decided_at bigint,
	check ((state = 'WAITING') = (decided_at is null))
);
comment on table brand_schedule is 'Changes of brands that are made at an instant. The journal has a keyed hash of each row';
comment on column brand_schedule.at is 'In milliseconds. A server that does not run then makes the change when it starts';
comment on column brand_schedule.changes is 'A list of fields and their new values, as texts';
comment on column brand_schedule.scheduled_by is 'The name of the member, or of the operator at the command line';
comment on column brand_schedule.outcome is 'Code of the refusal; null without one';
comment on column brand_schedule.decided_at is 'When it was made, refused or withdrawn, in milliseconds; null while it waits';
create index brand_schedule_waiting on brand_schedule (at) where state = 'WAITING';
create index brand_schedule_of on brand_schedule (host, schedule_id);
