-- Screens of the console that members keep with their filters.
create table saved_view (
	staff_id bigint not null,
	name text not null,
	-- the console's path and its query
	address text not null,
	saved_at bigint not null,
	primary key (staff_id, name)
);
