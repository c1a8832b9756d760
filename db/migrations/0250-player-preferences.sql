-- What a player prefers on every device. No fact about money or access, so the journal does not cover it.
create table player_preference (
	player_id bigint primary key references player,
	language text not null
);
