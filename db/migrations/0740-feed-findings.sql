-- What feeds said against what stands, until a member closes it: a result that the feed takes back, another one than was
-- paid, a result that nothing can be paid by. The same words wait once for a market.
create table feed_finding (
	finding_id bigint generated always as identity primary key,
	market_id bigint not null references market_listing (id),
	words text not null,
	-- the market waits for an answer, and its settlement is one
	holds boolean not null,
	reported_at bigint not null,
	closed_by bigint references staff,
	closed_at bigint,
	check ((closed_by is null) = (closed_at is null))
);
create unique index feed_finding_open on feed_finding (market_id, words) where closed_at is null;
