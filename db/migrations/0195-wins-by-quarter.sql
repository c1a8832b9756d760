-- Brands count days by their own zones, and every midnight falls on a quarter of an hour.
drop index workflow_win_of_day;

-- The largest wins of each quarter of an hour in each pool, for the lobby’s win of the day. The comparison of JSON values
-- refuses none, so no round can fail by this index; rounds that won nothing are not in it.
create index workflow_win_of_quarter on workflow (pool, (at / 900000), (data -> 'payout') desc)
	where kind = 'CASINO' and state = 'SETTLED' and data -> 'payout' > data -> 'stake';
