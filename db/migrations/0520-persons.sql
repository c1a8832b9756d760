-- The document by which an operator knew a player, as a keyed fingerprint: accounts of one document are one person's.
create table player_identity (
	player_id bigint primary key references player (player_id),
	fingerprint text not null
);
create index player_identity_fingerprint on player_identity (fingerprint);
-- Persons who excluded themselves, by their document; see the table exclusion for mobiles.
create table excluded_identity (
	fingerprint text primary key,
	until_at bigint not null
);
