-- Sports that are closed to one player although the brand shows them.
create table player_closed_sport (
	player_id bigint not null references player (player_id),
	sport text not null,
	primary key (player_id, sport)
);
