-- The list of a market's bets also has those that ended without a result: cancelled, lapsed.

create index bet_of_market_without_result on bet (market_id) where ended_at is not null and result is null;
