-- When a fixture was over: the server keeps it in memory for some time and finds it here afterwards.
alter table fixture add column ended_at bigint;
update fixture set ended_at = starts_at where status in ('FINISHED', 'ABANDONED');
-- Names of settled markets are looked up by fixture, and histories are filtered by sport.
create index market_listing_of_fixture on market_listing (fixture_id);
