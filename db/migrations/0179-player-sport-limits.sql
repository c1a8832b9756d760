-- What an operator allows one player in one sport.

create table player_sport_limit (
	player_id bigint not null references player (player_id),
	sport text not null,
	max_stake bigint not null check (max_stake >= 0),
	max_profit bigint not null check (max_profit >= 0),
	primary key (player_id, sport),
	check (max_stake > 0 or max_profit > 0)
);
comment on table player_sport_limit is 'An operator’s limits of one bet of a player in a sport, beside those of the market and of the wallet';
comment on column player_sport_limit.max_stake is 'Paise; 0 for none';
comment on column player_sport_limit.max_profit is 'Paise; 0 for none';
