-- Which games of the casino are open, and how much a player may stake in them.

create table game_rule (
	brand text not null,
	game text not null,
	is_open boolean not null,
	max_stake bigint check (max_stake > 0),
	primary key (brand, game)
);
comment on table game_rule is 'The operator’s rules of a game of the casino; a game without a row is open under the house’s limits. The journal has each change';
comment on column game_rule.brand is 'Host of the brand; empty for all brands. Where both have a rule, the stricter one holds';
comment on column game_rule.is_open is 'A closed game begins no rounds; rounds that have begun are finished';
comment on column game_rule.max_stake is 'Of a player in a round, paise; null without a limit of its own';
