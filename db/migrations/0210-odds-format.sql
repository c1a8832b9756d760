-- The format in which a player reads odds.

alter table player_preference add column odds_format text constraint player_preference_odds_format check (
	odds_format in ('DECIMAL', 'FRACTIONAL', 'AMERICAN')
);
comment on column player_preference.odds_format is 'The format in which the site writes odds; bets are decimal prices in any case';
