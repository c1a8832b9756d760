-- A bot that comes back to the stream is told which of its bets ended meanwhile; its cleared orders are listed by their end.

create index bet_of_wallet_by_end on bet (wallet_id, ended_at desc) where ended_at is not null;
