-- The theme in which a player sees the site.

alter table player_preference add column theme text constraint player_preference_theme check (
	theme in ('dark', 'light')
);
comment on column player_preference.theme is 'The theme that the player chose; without one the brand’s';
