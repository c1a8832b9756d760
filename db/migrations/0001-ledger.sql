-- The ledger. Every table here is written by the committer alone, in one statement a batch.
-- Amounts are paise, prices hundredths, times milliseconds since 1970 as the sequencer stamped them.

-- One row: who may write, how far the ledger is, and what it adds up to.
create table lease (
	id smallint primary key check (id = 1),
	epoch bigint not null,
	batch bigint not null,
	-- sha256 over the chain so far and the batch's postings
	chain bytea not null,
	-- digest of the engine's state after the batch
	digest text not null,
	last_bet_id bigint not null,
	last_reservation bigint not null,
	last_command bigint not null
);
insert into lease values (1, 0, 0, sha256('backlay'), '0000000000000000', 0, 0, 0);

create table wallet (
	wallet_id bigint primary key,
	pool text not null,
	currency text not null,
	commission_bp int,
	cash bigint not null check (cash >= 0),
	exposure bigint not null check (exposure >= 0),
	hold bigint not null check (hold >= 0),
	bonus bigint not null check (bonus >= 0),
	version bigint not null
);

create table house_account (
	kind text not null,
	pool text not null,
	owner bigint not null,
	balance bigint not null check (balance >= 0 or kind in ('mint', 'rounding')),
	primary key (kind, pool, owner)
);

create table posting (
	batch bigint not null,
	line int not null,
	at bigint not null,
	kind text not null,
	ref bigint not null,
	step int not null,
	pool text not null,
	debit text not null,
	debit_owner bigint not null,
	credit text not null,
	credit_owner bigint not null,
	amount bigint not null check (amount > 0),
	wallet_id bigint not null,
	cash_after bigint not null,
	market_id bigint not null,
	primary key (kind, ref, step)
);
create index posting_of_wallet on posting (wallet_id, batch desc, line desc);

create table market_state (
	market_id bigint primary key,
	pools text[] not null,
	runners int not null,
	number_of_winners int not null,
	commission_bp int not null,
	min_stake bigint not null,
	max_stake bigint not null,
	profit_ratio_rule boolean not null,
	self_match text not null,
	status text not null,
	in_play boolean not null,
	version int not null,
	results text[],
	-- per pool and runner [lastPriceTraded or null, totalMatched]
	traded jsonb not null
);

create table bet (
	bet_id bigint primary key,
	wallet_id bigint not null,
	market_id bigint not null,
	pool text not null,
	runner int not null,
	side smallint not null,
	price int not null,
	stake bigint not null,
	persist boolean not null,
	placed_at bigint not null,
	matched bigint not null,
	matched_value bigint not null,
	remaining bigint not null,
	cancelled bigint not null,
	lapsed bigint not null,
	voided bigint not null,
	result text,
	-- hundredths of a paisa, before commission
	profit_exact bigint,
	-- when the last of it was decided: settled, voided, lapsed or cancelled
	ended_at bigint,
	check (stake = matched + remaining + lapsed + cancelled + voided)
);
create index bet_of_wallet on bet (wallet_id, bet_id desc);
create index bet_of_market on bet (market_id) where ended_at is null;

create table bet_match (
	batch bigint not null,
	line int not null,
	taker_bet_id bigint not null,
	maker_bet_id bigint not null,
	market_id bigint not null,
	runner int not null,
	price int not null,
	stake bigint not null,
	taker_side smallint not null,
	primary key (batch, line)
);

-- What an accepted request was answered, so that its repetition gets the same.
create table request_key (
	wallet_id bigint not null,
	client_request_id text not null,
	body_hash text not null,
	answer jsonb not null,
	at bigint not null,
	primary key (wallet_id, client_request_id)
);

create table player_settlement (
	market_id bigint not null,
	wallet_id bigint not null,
	net bigint not null,
	commission bigint not null,
	profit bigint not null,
	at bigint not null,
	primary key (market_id, wallet_id)
);
