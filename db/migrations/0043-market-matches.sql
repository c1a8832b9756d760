-- A market's matches are looked up for its price history and when they are declared void.
create index match_of_market on bet_match (market_id, runner);
