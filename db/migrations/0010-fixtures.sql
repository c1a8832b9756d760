-- The catalogue: what is played, what can be bet on, and how it stands. Names may be corrected; money hangs on none of it.
create table fixture (
	id bigint primary key,
	sport_id int not null,
	title text not null,
	competition text not null,
	starts_at bigint not null,
	status text not null,
	source text not null,
	source_ref text not null,
	has_tv boolean not null,
	score_line text,
	score jsonb,
	unique (source, source_ref)
);

create table market_listing (
	id bigint primary key,
	fixture_id bigint not null references fixture (id),
	sort_order int not null,
	-- name, type, runners, limits and rules, as the catalogue holds them
	listing jsonb not null
);

-- How far a feed has come, so that a restarted server goes on where it was.
create table feed_progress (
	source text not null,
	source_ref text not null,
	progress jsonb not null,
	primary key (source, source_ref)
);
