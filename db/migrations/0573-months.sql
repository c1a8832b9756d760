-- Bets and their matches by the month in which they were placed and made, so that an old month can be detached. The
-- primary key of a partitioned table contains what it is partitioned by. What has no partition of its own yet is in the
-- default one; the server makes the partitions (src/server/platform/postgres/months.ts).
alter table bet rename to bet_before;
alter index bet_pkey rename to bet_before_pkey;
alter index bet_of_wallet rename to bet_before_of_wallet;
alter index bet_of_market rename to bet_before_of_market;
alter index bet_of_settled_market rename to bet_before_of_settled_market;
create table bet (like bet_before including defaults including constraints, primary key (bet_id, placed_at))
	partition by range (placed_at);
create table bet_default partition of bet default;
insert into bet select * from bet_before;
drop table bet_before;
create index bet_of_wallet on bet (wallet_id, bet_id desc);
create index bet_of_market on bet (market_id) where ended_at is null;
create index bet_of_settled_market on bet (market_id, ended_at) where result is not null;

alter table bet_match rename to bet_match_before;
alter index bet_match_pkey rename to bet_match_before_pkey;
alter index match_of_market rename to match_before_of_market;
-- Matches from before their time was written down have none, and stay in the default partition.
create table bet_match (like bet_match_before including defaults including constraints, unique (batch, line, at))
	partition by range (at);
create table bet_match_default partition of bet_match default;
insert into bet_match select * from bet_match_before;
drop table bet_match_before;
create index match_of_market on bet_match (market_id, runner);

-- The months that were detached, the oldest first. Bet ids and batches rise with time, so a month ends at its last ones.
create table detached_month (
	-- Such as 2026-11, of UTC.
	month text primary key,
	last_bet_id bigint not null,
	-- Of its last match; null without one.
	last_batch bigint,
	last_line int,
	-- Rows that are sealed.
	bets int not null,
	matches int not null,
	-- Keyed hash over the row and its sums: only a holder of the ledger's key detaches a month.
	key_id text not null,
	seal bytea not null
);

-- What the detached bets come to: settlements and the turnover of players still need it.
create table detached_bets (
	month text not null references detached_month on delete cascade,
	market_id bigint not null,
	wallet_id bigint not null,
	-- Paise.
	matched bigint not null,
	-- Of the bets that won or lost, hundredths of a paisa; a fraction where runners tied.
	profit numeric not null,
	primary key (market_id, wallet_id, month)
);
create index detached_bets_of_wallet on detached_bets (wallet_id);
