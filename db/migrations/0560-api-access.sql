-- App keys of players' bots. The key itself is with its player alone.
create table api_key (
	key_id bigint primary key,
	player_id bigint not null references player (player_id),
	key_hash text not null unique,
	-- the last characters, by which the player tells keys apart
	hint text not null,
	name text not null,
	may_trade boolean not null,
	-- addresses and networks that may use the key; none: any
	addresses text[] not null,
	-- calls a second
	per_second int not null,
	created_at bigint not null,
	-- the last log-in with it
	used_at bigint
);
create index api_key_of_player on api_key (player_id);

-- Log-ins of bots: apart from the logins of the site.
create table api_session (
	token_hash text primary key,
	key_id bigint not null references api_key (key_id) on delete cascade,
	-- a digest of the password that opened it: another password ends the session
	password_mark text not null,
	expires_at bigint not null
);
create index api_session_of_key on api_session (key_id);
