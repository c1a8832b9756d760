-- Players by the time at which they signed up: the lifetime of those of a period.
create index player_by_sign_up on player (created_at);
