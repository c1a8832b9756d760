-- Games of the casino that a player likes, and when the player last opened them, on every device. No fact about money or
-- access, so the journal does not cover it.
create table game_mark (
	player_id bigint not null references player,
	-- the code of the game
	game text not null,
	-- when it became a favourite, null while it is none; milliseconds
	favourite_since_ms bigint,
	-- null for a favourite that was never opened; milliseconds
	opened_at_ms bigint,
	primary key (player_id, game)
);
