-- Security keys of members of staff (WebAuthn), beside the codes of an app. A public key opens nothing, so it is not
-- sealed; the journal vouches for the rows, so that nobody adds a key by other means.
create table staff_key (
	-- the credential's id, base64url
	key_id text primary key,
	staff_id bigint not null references staff,
	name text not null,
	public_key bytea not null,
	transports text[] not null,
	-- how often the key was used, where it counts: an answer that does not raise it comes from a copy
	counter bigint not null,
	created_at bigint not null,
	last_used_at bigint,
	removed_at bigint
);
create index staff_key_of on staff_key (staff_id) where removed_at is null;
