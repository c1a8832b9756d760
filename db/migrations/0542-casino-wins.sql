-- The largest wins of a day in each pool, for the lobby. The day is the players', as `funds/calendar` counts it. The
-- comparison of JSON values refuses none, so no round can fail by this index; rounds that won nothing are not in it.
create index workflow_win_of_day on workflow (pool, ((at + 19800000) / 86400000), (data -> 'payout') desc)
	where kind = 'CASINO' and state = 'SETTLED' and data -> 'payout' > data -> 'stake';
