-- A client may name any version that JSON can: the batch that was to store a larger one failed, and with it all bets in it.

alter table bet_trigger alter column market_version type bigint;
