-- Brands, players and their logins.
create table brand (
	host text primary key,
	setting jsonb not null
);

create table player (
	player_id bigint primary key,
	brand text not null,
	user_name text not null,
	-- the name in lower case: no two players of a brand differ in case only
	name_key text not null,
	-- null for demo players, who have no password
	password_hash text,
	is_demo boolean not null,
	pool text not null,
	-- stake presets the player saved, null for the brand's
	stakes jsonb,
	created_at bigint not null,
	unique (brand, name_key)
);

create table login (
	login_id text primary key,
	player_id bigint not null references player (player_id),
	brand text not null,
	-- rises with each refresh; tokens carry it
	generation int not null,
	rotated_at bigint not null,
	access_expires_at bigint not null,
	expires_at bigint not null
);

-- What operators did, with whatever they said.
create table operator_act (
	act_id text primary key,
	at bigint not null,
	operator text not null,
	act text not null,
	details jsonb not null,
	outcome text not null
);
