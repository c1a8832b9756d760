-- Reopening a market, and voiding matches of one, reads the bets that its settlement decided. A bet has no result before
-- that, so placing, matching and cancelling it leaves this index untouched.
create index bet_of_settled_market on bet (market_id, ended_at) where result is not null;
