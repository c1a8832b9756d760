-- Documents by which players prove who they are: the number is encrypted, and the pictures are stored images.
create table identity_document (
	document_id text primary key,
	player_id bigint not null references player (player_id),
	-- the player's name for the request: a repetition stores nothing
	request_id text not null,
	at bigint not null,
	kind text not null,
	-- the last characters of the number
	masked text not null,
	-- of kind and number, keyed: the same document of another account has it
	fingerprint text not null,
	key_id text not null,
	number bytea not null,
	image_refs text[] not null,
	state text not null check (state in ('SUBMITTED', 'ACCEPTED', 'REJECTED')),
	decided_at bigint check ((decided_at is null) = (state = 'SUBMITTED')),
	decided_by text,
	-- of a rejection, for the player
	reason text,
	unique (player_id, request_id)
);
-- One of a player is looked at at a time.
create unique index identity_document_waiting on identity_document (player_id) where state = 'SUBMITTED';
create index identity_document_queue on identity_document (at) where state = 'SUBMITTED';
create index identity_document_of_player on identity_document (player_id, at);
create index identity_document_image on identity_document using gin (image_refs);
