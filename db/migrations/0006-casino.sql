-- The casino: seeds, shared rounds, and games of outside providers. Bets and payouts are workflows of kind CASINO
-- (0002-exchange.sql).

-- Games that a player plays alone.

create table game_seed_pair (
	wallet_id bigint not null,
	number int not null,
	client_seed text,
	commitment text not null,
	server_seed text,
	begun_at bigint,
	revealed_at bigint,
	rule smallint not null,
	announced_at bigint,
	rounds int,
	primary key (wallet_id, number),
	constraint game_seed_pair_rule check (rule in (1, 2)),
	constraint game_seed_pair_announced check (rule = 1 or announced_at is not null),
	constraint game_seed_pair_begun check ((client_seed is null) = (begun_at is null)),
	constraint game_seed_pair_revealed check (server_seed is null or client_seed is not null)
);
comment on table game_seed_pair is 'The seeds of a player’s rounds, one pair after another. The commitment of the next pair is published while the pair before it is in use, so that the server chooses no seed by a client seed that it knows';
comment on column game_seed_pair.number is 'From 1';
comment on column game_seed_pair.client_seed is 'Null for a pair that is announced and not in use yet';
comment on column game_seed_pair.commitment is 'SHA-256 of the server seed, shown before the pair is used';
comment on column game_seed_pair.server_seed is 'Null until it is revealed at the end of the pair. A server seed follows from the server’s key, so no database holds one that is in use';
comment on column game_seed_pair.begun_at is 'Null for a pair that is announced';
comment on column game_seed_pair.rule is '1: the server made the commitment when it knew the client seed, as releases before the announcement did; 2: the pair was announced';
comment on column game_seed_pair.announced_at is 'Null for pairs of rule 1';
comment on column game_seed_pair.rounds is 'How many rounds were played with the pair, which its nonces count from zero; null while it is in use, and of rule 1';

create table game_mark (
	player_id bigint not null references player,
	game text not null,
	favourite_since_ms bigint,
	opened_at_ms bigint,
	primary key (player_id, game)
);
comment on table game_mark is 'Favourite games of a player, and when the player opened them last, the same on every device. No fact about money or access, so the journal does not cover it';
comment on column game_mark.game is 'Code of the game';
comment on column game_mark.favourite_since_ms is 'When it became a favourite; null while it is none';
comment on column game_mark.opened_at_ms is 'Null for a favourite that was never opened';

-- Rounds that all players play together.

create table game_chain (
	game text not null,
	number int not null,
	commitment text not null,
	length int not null,
	salt text not null,
	return_percent int not null,
	is_development boolean not null,
	key_id text not null,
	secret bytea not null,
	first_round bigint not null,
	owner text not null,
	begun_at bigint not null,
	primary key (game, number)
);
comment on table game_chain is 'Chains of hashes h_0 to h_N, one after another for each game: round by round the next hash decides the result and is revealed after it';
comment on column game_chain.number is 'From 1; the largest one is in use';
comment on column game_chain.commitment is 'h_0, which the server publishes before the first round';
comment on column game_chain.length is 'N: how many rounds the chain has';
comment on column game_chain.return_percent is 'The game’s return to bettors, in per cent';
comment on column game_chain.is_development is 'The salt was known when the chain was made';
comment on column game_chain.key_id is 'Fingerprint of the key of secret';
comment on column game_chain.secret is 'Every 10,000th hash and h_N, encrypted';
comment on column game_chain.first_round is 'Number of the game’s round that uses h_1';
comment on column game_chain.owner is 'The process that runs the rounds; an older one writes nothing more';

create table table_round (
	game text not null,
	round bigint not null,
	chain int not null,
	position int not null,
	phase text not null,
	bettor_seeds jsonb not null default '[]',
	opened_at bigint not null,
	first_bet bigint,
	tick_ms int,
	hash text,
	result jsonb,
	is_interrupted boolean not null default false,
	ended_at bigint,
	primary key (game, round),
	unique (game, chain, position)
);
comment on table table_round is 'Rounds that all players of a game play together, from the first bet to the last payout. No hash is used twice';
comment on column table_round.round is 'Rises over all chains of the game';
comment on column table_round.chain is 'Number of the chain in game_chain';
comment on column table_round.position is 'n: the round uses h_n';
comment on column table_round.phase is 'BETTING, LOCKED, DECIDED (the result is revealed, bets are being settled), ENDED or VOID';
comment on column table_round.bettor_seeds is 'Of the first players whose bets were accepted; known from LOCKED on';
comment on column table_round.first_bet is 'The smallest id of its bets’ workflows; known from LOCKED on';
comment on column table_round.tick_ms is 'How far play had come, milliseconds; at most 250 behind';
comment on column table_round.hash is 'h_n, revealed with the result, and when the round is void';
comment on column table_round.is_interrupted is 'A restart ended it';
create index table_round_running on table_round (game, round) where phase not in ('ENDED', 'VOID');

create table table_decision (
	game text not null,
	round bigint not null,
	part int not null,
	decisions jsonb not null,
	primary key (game, round, part)
);
comment on table table_decision is 'Decisions of players while a round was played, such as to cash out. A decision stands once it is here, and is paid afterwards. The rows of a round are deleted when all of its bets are settled';
comment on column table_decision.part is 'From 1; each holds the decisions that arrived while the one before was written';
comment on column table_decision.decisions is '[{bet, payout, outcome}], in the order in which they were decided; paise';

-- Games of outside providers.

create table game_session (
	token_hash text primary key,
	kind text not null,
	provider text not null,
	game text not null,
	wallet_id bigint not null,
	brand text not null,
	login_id text not null,
	country text,
	begun_at bigint not null,
	expires_at bigint not null,
	used_at bigint
);
comment on table game_session is 'Tokens of one player at one provider’s game';
comment on column game_session.token_hash is 'SHA-256 of the token. The token itself stands nowhere';
comment on column game_session.kind is 'LAUNCH: valid once, for a minute; or SESSION';
comment on column game_session.brand is 'Host of the brand';
comment on column game_session.login_id is 'The login that the session ends with';
comment on column game_session.country is 'Two letters, as it was known at the launch; null when it was not';
comment on column game_session.used_at is 'Of a launch token: it opens nothing any more';
create index game_session_by_end on game_session (expires_at);
create index game_session_of_player on game_session (wallet_id, provider);

create table provider_transaction (
	provider text not null,
	tx_id text not null,
	call text not null,
	request_hash text not null,
	wallet_id bigint,
	round text,
	paid bigint not null default 0,
	received bigint not null default 0,
	outcome text,
	at bigint not null,
	reported_on int,
	own_id uuid,
	prize bigint not null default 0,
	prize_day int,
	primary key (provider, tx_id)
);
comment on table provider_transaction is 'A provider’s transactions with the first answer to each, which a repetition gets again';
comment on column provider_transaction.request_hash is 'SHA-256 of the request, hexadecimal digits';
comment on column provider_transaction.wallet_id is 'Null where the server refused the request before a round was known';
comment on column provider_transaction.round is 'The provider’s name of the round; null like wallet_id';
comment on column provider_transaction.paid is 'Paise that the player paid by it';
comment on column provider_transaction.received is 'Paise that the player was paid by it';
comment on column provider_transaction.outcome is 'The answer as JSON; null until it is given';
comment on column provider_transaction.reported_on is 'Day of the first report of the provider that named it, days since 1970, UTC: a transaction that an earlier report has named is not missing from the next. Null until then';
comment on column provider_transaction.own_id is 'Our own name of it, which some providers are told; null for those from before';
comment on column provider_transaction.prize is 'Paise that it moves without a stake, by the provider’s word alone: a promotion, a correction, the win of a free bet; written before the money moves';
comment on column provider_transaction.prize_day is 'Days since 1970, UTC; null where it moves nothing without a stake';
create index provider_transaction_by_time on provider_transaction (provider, at);
create index provider_transaction_by_prize on provider_transaction (provider, prize_day) where prize_day is not null;
create index provider_transaction_of_player on provider_transaction (provider, wallet_id) where wallet_id is not null;

create table provider_body (
	provider text not null,
	digest text not null,
	call text not null,
	at bigint not null,
	primary key (provider, digest)
);
comment on table provider_body is 'Signed bodies whose signature does not name the call that it is for: each belongs to the first call that took it';
comment on column provider_body.digest is 'SHA-256 of the signed text, hexadecimal digits';
create index provider_body_by_time on provider_body (at);

create table provider_day (
	provider text not null,
	day int not null,
	compared_at bigint not null,
	differences int not null,
	primary key (provider, day)
);
comment on table provider_day is 'A day’s transactions, compared with the provider’s own report';
comment on column provider_day.day is 'Days since 1970, UTC';
comment on column provider_day.differences is 'How many transactions are in only one of the reports, or differ';
