-- What a player made, by day: read by the player, while the primary key is read by the market.
create index player_settlement_of_wallet on player_settlement (wallet_id, at desc);
