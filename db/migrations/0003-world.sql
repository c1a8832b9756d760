-- Brands, fixtures, and markets as they are listed. Names may be corrected; money hangs on none of it.

create table brand (
	host text primary key,
	setting jsonb not null,
	version int not null default 1,
	from_seed boolean not null default false
);
comment on table brand is 'Brands by host: settings and looks, as operators changed them last';
comment on column brand.host is 'The host of the site; "default" has the settings that default.json shows, and no host has this name';
comment on column brand.setting is 'The settings that the brand sets itself: src/contract/domain-setting.ts has the rest. Addresses of streams are https, or http from the machine itself';
comment on column brand.version is 'Each change raises it, and a writer names the version that it has read';
comment on column brand.from_seed is 'The demo seed made it and no operator has changed it since: it follows the seed';
insert into brand (host, setting) values ('default', '{}');

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
	stream_url text,
	ended_at bigint,
	unique (source, source_ref)
);
comment on table fixture is 'The catalogue of fixtures and their scores. Feeds and operators write it';
comment on column fixture.status is 'UPCOMING, IN_PLAY, FINISHED or ABANDONED';
comment on column fixture.source is 'The feed that plays the fixture';
comment on column fixture.source_ref is 'The feed’s own name of it';
comment on column fixture.score_line is 'The score as one line of text; null before the first';
comment on column fixture.score is 'The score by the shape of its sport; null before the first';
comment on column fixture.stream_url is 'The HLS stream that an operator configured, over https, or http from the machine itself; null without one';
comment on column fixture.ended_at is 'When it was finished or abandoned; null before. The server keeps an ended fixture in memory for some time and finds it here afterwards';

create table fixture_mark (
	fixture_id bigint not null references fixture,
	at bigint not null,
	kind text not null,
	side smallint,
	primary key (fixture_id, at, kind)
);
comment on table fixture_mark is 'Events of a fixture that moved its prices, as charts mark them: goals, wickets, sets, falls, the end';
comment on column fixture_mark.side is 'Index of the side that gained by it; null without one';

create table market_listing (
	id bigint primary key,
	fixture_id bigint not null references fixture (id),
	sort_order int not null,
	listing jsonb not null
);
comment on table market_listing is 'Markets as lists and pages name them; the state of a market is in market_state, under the same id';
comment on column market_listing.listing is 'Name, type, runners, limits and rules, as the catalogue holds them';
-- Names of settled markets are looked up by fixture, and histories are filtered by sport.
create index market_listing_of_fixture on market_listing (fixture_id);

create table feed_progress (
	source text not null,
	source_ref text not null,
	progress jsonb not null,
	primary key (source, source_ref)
);
comment on table feed_progress is 'How far a feed has come, so that a restarted server goes on from there. Each feed has a shape of its own';
