-- Notifications of browsers (Web Push).

create table push_subscription (
	endpoint_hash text primary key,
	player_id bigint not null references player (player_id),
	login_id text not null,
	endpoint text not null,
	public_key bytea not null,
	secret bytea not null,
	created_at bigint not null
);
comment on table push_subscription is 'Browsers that are sent notifications, until their log-in ends or the push service says that they are gone';
comment on column push_subscription.endpoint_hash is 'SHA-256 of the endpoint, base64url: one browser is subscribed once, for the player who came last';
comment on column push_subscription.login_id is 'The log-in of the browser: its notifications end with it';
comment on column push_subscription.public_key is 'The browser’s key, P-256, uncompressed (RFC 8291)';
comment on column push_subscription.secret is 'The browser’s authentication secret (RFC 8291)';
create index push_subscription_of on push_subscription (player_id);

create table push_choice (
	player_id bigint primary key references player (player_id),
	off text[] not null,
	at_night boolean not null
);
comment on table push_choice is 'What players want no notifications of; a player without a row wants all of them, and none at night';
