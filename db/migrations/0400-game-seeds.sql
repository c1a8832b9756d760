-- The seeds of a player's rounds, one pair after another. A server seed follows from the server's key, so that no database
-- holds one that is in use; it is written here when it is revealed.
create table game_seed_pair (
	wallet_id bigint not null,
	-- from 1
	number int not null,
	client_seed text not null,
	-- SHA-256 of the server seed, shown before the pair is used
	commitment text not null,
	-- null while the pair is in use
	server_seed text,
	begun_at bigint not null,
	revealed_at bigint,
	primary key (wallet_id, number)
);
