-- Pictures of receipts: encrypted, seen by their owner and by operators.
create table stored_image (
	image_ref text primary key,
	player_id bigint not null,
	at bigint not null,
	type text not null,
	-- of the picture, to find the same one again
	hash text not null,
	key_id text not null,
	bytes bytea not null,
	-- it belongs to a deposit
	is_used boolean not null
);
alter table stored_image alter column bytes set storage external;
create index stored_image_of_player on stored_image (player_id, at);

-- Where players want their withdrawals: encrypted, shown masked.
create table payout_details (
	details_id text primary key,
	player_id bigint not null,
	method text not null,
	masked text not null,
	-- keyed hash: the same details of two players have the same
	fingerprint text not null,
	key_id text not null,
	bytes bytea not null,
	at bigint not null,
	unique (player_id, fingerprint)
);
create index payout_details_fingerprint on payout_details (fingerprint);
