-- Back ends that may change an authorization code into a player's tokens.
create table back_end_client (
	client_id text primary key,
	brand text not null,
	name text not null,
	secret_hash text not null,
	redirect_uri text not null,
	created_at bigint not null
);
