-- Rounds that everybody plays together. Each game has a chain of hashes: round by round the next hash decides the result and
-- is revealed after it.
create table game_chain (
	game text not null,
	-- from 1; the largest one is in use
	number int not null,
	-- h_0, which is published before the first round
	commitment text not null,
	-- N: how many rounds the chain has
	length int not null,
	salt text not null,
	-- what the game returns to bettors, in per cent
	return_percent int not null,
	-- true where the salt was known when the chain was made
	is_development boolean not null,
	-- every 10,000th hash and h_N, encrypted, with the key's id
	key_id text not null,
	secret bytea not null,
	-- number of the game's round that uses h_1
	first_round bigint not null,
	-- the process that runs the rounds; an older one writes nothing more
	owner text not null,
	begun_at bigint not null,
	primary key (game, number)
);

create table table_round (
	game text not null,
	-- rises over all chains of the game
	round bigint not null,
	chain int not null,
	-- n: the round uses h_n
	position int not null,
	-- BETTING, LOCKED, DECIDED (the result is revealed, bets are being settled), ENDED, VOID
	phase text not null,
	-- of the first players whose bets were accepted; known from LOCKED on
	bettor_seeds jsonb not null default '[]',
	opened_at bigint not null,
	-- the smallest id of its bets' workflows; known from LOCKED on
	first_bet bigint,
	-- how far play had come, milliseconds; at most 250 behind
	tick_ms int,
	-- revealed with the result, and when the round is void
	hash text,
	result jsonb,
	-- a restart ended it
	is_interrupted boolean not null default false,
	ended_at bigint,
	primary key (game, round),
	-- no hash is used twice
	unique (game, chain, position)
);
create index table_round_running on table_round (game, round) where phase not in ('ENDED', 'VOID');
