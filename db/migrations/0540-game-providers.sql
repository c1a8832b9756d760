-- Games of outside providers: who plays with which token, and what each provider asked the wallet for.

-- Tokens of one player at one provider's game. The tokens themselves stand nowhere.
create table game_session (
	-- SHA-256 of the token
	token_hash text primary key,
	-- LAUNCH: valid once, for a minute; SESSION
	kind text not null,
	provider text not null,
	game text not null,
	wallet_id bigint not null,
	-- host of the brand, and the login that the session ends with
	brand text not null,
	login_id text not null,
	-- two letters, as it was known at the launch
	country text,
	begun_at bigint not null,
	expires_at bigint not null,
	-- of a launch token: it opens nothing any more
	used_at bigint
);
create index game_session_by_end on game_session (expires_at);

-- A provider's transactions with what each was answered first.
create table provider_transaction (
	provider text not null,
	tx_id text not null,
	call text not null,
	-- SHA-256 of the request, hexadecimal digits
	request_hash text not null,
	-- null where the request was refused before a round was known
	wallet_id bigint,
	round text,
	-- paise that the player paid and was paid by it
	paid bigint not null default 0,
	received bigint not null default 0,
	-- null until it is answered
	outcome text,
	at bigint not null,
	primary key (provider, tx_id)
);
create index provider_transaction_by_time on provider_transaction (provider, at);

-- A provider's round of a player.
create index workflow_of_provider_round on workflow ((data->>'provider'), (data->>'providerRound'))
	where kind = 'CASINO' and data->>'provider' is not null;

-- A day's transactions, compared with the provider's own report.
create table provider_day (
	provider text not null,
	-- days since 1970, UTC
	day int not null,
	compared_at bigint not null,
	-- how many transactions are in only one of the reports, or differ
	differences int not null,
	primary key (provider, day)
);
