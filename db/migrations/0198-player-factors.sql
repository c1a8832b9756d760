-- Passkeys of players, and their authenticators as a second factor.

create table player_passkey (
	key_id text primary key,
	player_id bigint not null references player (player_id),
	host text not null,
	name text not null,
	public_key bytea not null,
	transports text[] not null,
	counter bigint not null,
	created_at bigint not null,
	last_used_at bigint
);
comment on table player_passkey is 'Passkeys with which players log in without a password (WebAuthn). A public key opens nothing, so it is not sealed';
comment on column player_passkey.key_id is 'The credential’s id, base64url';
comment on column player_passkey.host is 'The relying party’s id, the brand’s host when the key was made: browsers show it there alone';
comment on column player_passkey.name is 'As the player calls it';
comment on column player_passkey.counter is 'How often the key was used, where the key counts: an answer that does not raise it comes from a copy';
create index player_passkey_of on player_passkey (player_id);

create table player_authenticator (
	player_id bigint primary key references player (player_id),
	key_id text not null,
	secret bytea not null,
	last_step bigint not null,
	recovery_hashes text[] not null,
	created_at bigint not null
);
comment on table player_authenticator is 'Authenticator apps of players, whose codes are asked for after the password';
comment on column player_authenticator.key_id is 'The data key that seals the secret';
comment on column player_authenticator.last_step is 'Time step of the last accepted code, so that each is accepted once';
comment on column player_authenticator.recovery_hashes is 'Of the recovery codes that are left';
