-- Sign-up: who began it, the code that ends it, and the messages that carry codes.
alter table player add column mobile text;
alter table player add column referral_code text;

-- A player in the making. It becomes a row of player when its code is given, or ends.
create table registration (
	registration_id text primary key,
	brand text not null,
	user_name text not null,
	name_key text not null,
	-- +91 and ten digits
	mobile text not null,
	password_hash text not null,
	referral_code text,
	created_at bigint not null,
	ends_at bigint not null,
	-- the latest code, sealed with the server's key; the ones before are worth nothing
	code_hash text not null,
	code_ends_at bigint not null,
	code_tries int not null,
	codes_sent int not null,
	-- a name is held for whoever began first
	unique (brand, name_key)
);

-- Text messages to players. Without a gateway they stay here to be read; one that a gateway took keeps no text.
create table outbox (
	message_id text primary key,
	at bigint not null,
	brand text not null,
	mobile text not null,
	text text not null,
	tries int not null,
	sent_at bigint
);

-- Every try of a password. A name nobody has leaves no trace of itself, but a row all the same: both take as long.
create table login_attempt (
	attempt_id text primary key,
	at bigint not null,
	brand text not null,
	player_id bigint,
	address text not null,
	succeeded boolean not null
);
create index login_attempt_player on login_attempt (player_id, at);
