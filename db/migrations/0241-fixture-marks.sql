-- What happened in a fixture that moved its prices, as charts mark it: goals, wickets, sets, falls, the end.
create table fixture_mark (
	fixture_id bigint not null references fixture,
	at bigint not null,
	kind text not null,
	-- Index of the side it was for; null of none.
	side smallint,
	primary key (fixture_id, at, kind)
);
