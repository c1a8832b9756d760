-- What a provider may have carried out by its word alone, and what its signatures were used for.

alter table provider_transaction
	-- our own name of it, which some providers are told; null for those from before
	add column own_id uuid,
	-- paise that it moves without a stake: a promotion, a correction, the win of a free bet; written before the money moves
	add column prize bigint not null default 0,
	-- days since 1970, UTC; null where it moves nothing of the kind
	add column prize_day int;
create index provider_transaction_by_prize on provider_transaction (provider, prize_day) where prize_day is not null;
create index provider_transaction_of_player on provider_transaction (provider, wallet_id) where wallet_id is not null;
create index game_session_of_player on game_session (wallet_id, provider);

-- Bodies whose signature does not say which call it is for: each belongs to the first call that took it.
create table provider_body (
	provider text not null,
	-- SHA-256 of what was signed, hexadecimal digits
	digest text not null,
	call text not null,
	at bigint not null,
	primary key (provider, digest)
);
create index provider_body_by_time on provider_body (at);
