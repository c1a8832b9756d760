-- The ledger of the exchange. The committer writes it, one statement a batch, unless a table says otherwise. Amounts are
-- paise, prices hundredths, times milliseconds since 1970 as the sequencer stamped them.

-- The right to write, and the head of the ledger.

create table lease (
	id smallint primary key check (id = 1),
	epoch bigint not null,
	batch bigint not null,
	chain bytea not null,
	digest text not null,
	last_bet_id bigint not null,
	last_reservation bigint not null,
	last_command bigint not null,
	at bigint not null default 0,
	sealed_from bigint,
	sealed_chain bytea,
	digest_format int not null default 1,
	released boolean not null default false,
	beats boolean not null default true,
	heir text,
	address text,
	holder text,
	announced_ms int not null default 0
);
comment on table lease is 'One row: the process that may write the ledger, the last batch, and the sums that the ledger comes to';
comment on column lease.epoch is 'Number of the right to write. A process with another epoch is deposed and writes nothing';
comment on column lease.batch is 'The last batch that was written';
comment on column lease.chain is 'Chain of the seals up to the last batch. Before the first seal: sha256 over the chain so far and the batch’s postings';
comment on column lease.digest is 'Digest of the engine’s state after the last batch, which a recovery must reach';
comment on column lease.last_bet_id is 'Counter of bets';
comment on column lease.last_reservation is 'Counter of the postings between cash and exposure: their posting.ref';
comment on column lease.last_command is 'Counter of the commands that changed the engine';
comment on column lease.at is 'Stamp of the last batch. The exchange’s time continues from it, whatever the machine’s clock shows';
comment on column lease.sealed_from is 'The batch after which batches are sealed; null until the first start';
comment on column lease.sealed_chain is 'The chain as the batch sealed_from left it: sha256 over postings, without a key';
comment on column lease.digest_format is 'Rule of the digest. A version of the engine with another rule does not compare it';
comment on column lease.released is 'An exchange that has stopped sets it when its last batch is durable: a standby takes over at once';
comment on column lease.beats is 'Whether the holder of the lease writes heartbeats. Standbys take over from no other';
comment on column lease.heir is 'In a planned hand-over: the standby for which the exchange releases the lease';
comment on column lease.address is 'Where the holder answers other processes; null when it started without standing by';
comment on column lease.holder is 'Name of the holder’s connections. A standby that finds none of them knows sooner that the holder is gone. Null for a holder of an earlier version';
comment on column lease.announced_ms is 'How much longer than usual the holder may be silent after its last batch: it has announced a long turn. Milliseconds';
insert into lease (id, epoch, batch, chain, digest, last_bet_id, last_reservation, last_command)
values (1, 0, 0, sha256('backlay'), '0000000000000000', 0, 0, 0);

create table batch_seal (
	batch bigint not null,
	part int not null,
	key_id text not null,
	entries bytea not null,
	chain bytea not null,
	primary key (batch, part)
);
alter table batch_seal alter column entries set storage external;
comment on table batch_seal is 'The rows that each batch wrote, sealed with a key that is not in the database: an entry for each row, and the chain over them';
comment on column batch_seal.part is '0, except where a start entered the rows of a database from before the seals, in several parts';
comment on column batch_seal.key_id is 'Fingerprint of the key, which does not reveal it';
comment on column batch_seal.entries is '17 bytes a row: the table, the row’s name, and the keyed hash of the row’s content. Hashes do not shrink, so they are stored without compression';
comment on column batch_seal.chain is 'Keyed hash over the chain before, the batch and its entries';

-- Money: wallets, the house’s accounts, and the postings between them.

create table wallet (
	wallet_id bigint primary key,
	pool text not null,
	currency text not null,
	commission_bp int,
	cash bigint not null,
	exposure bigint not null check (exposure >= 0),
	hold bigint not null check (hold >= 0),
	bonus bigint not null check (bonus >= 0),
	version bigint not null,
	limits jsonb,
	quotes boolean not null default false
);
comment on table wallet is 'The money of each wallet, paise. It is the sum of the wallet’s postings';
comment on column wallet.wallet_id is 'A player’s id from 1000 on; below are wallets of the house';
comment on column wallet.pool is 'DEMO, PLAY or REAL: pools never meet';
comment on column wallet.commission_bp is 'The player’s own rate in basis points; null for the market’s';
comment on column wallet.cash is 'Free to bet with. Below zero only after a removed runner left the player owing more than the cash at the settlement, or a reopened market took back winnings that were spent';
comment on column wallet.exposure is 'Held for bets';
comment on column wallet.hold is 'Held for rounds of the casino, withdrawals and disputes';
comment on column wallet.bonus is 'Bonus money that is not cash yet';
comment on column wallet.version is 'Rises with each change';
comment on column wallet.limits is '{maxStake, maxProfit, maxExposure} in paise, 0 for none; null for players without limits of their own';
comment on column wallet.quotes is 'A market maker’s wallet: its bets are quotes, and come into bet when they are matched, as far as they are matched';

create table house_account (
	kind text not null,
	pool text not null,
	owner bigint not null,
	balance bigint not null check (
		balance >= 0
		or kind in ('mint', 'rounding', 'gateway', 'bank', 'payment_cost', 'casino', 'bonus_cost', 'referral_cost', 'loss')
	),
	primary key (kind, pool, owner)
);
comment on table house_account is 'The house’s side of postings: commission, casino, the pots of markets and the other accounts of AccountKind (src/engine/effect.ts)';
comment on column house_account.owner is 'The market of a pot; 0 for the house';
comment on column house_account.balance is 'Money from outside, and money that the house spends, stands below zero';
-- A start reads the accounts that hold something: pots are empty once their market is paid.
create index house_account_in_use on house_account (kind, pool, owner) where balance <> 0;

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
comment on table posting is 'Every move of money, from one account to another. Rows are only ever added. The primary key keeps anything from posting twice';
comment on column posting.line is 'Row number within the batch';
comment on column posting.kind is 'Reason of the move: PostingKind (src/engine/effect.ts)';
comment on column posting.ref is 'Subject of the move, by kind: a market, a grant, a workflow, or the counter lease.last_reservation';
comment on column posting.step is 'Number of the move within kind and ref';
comment on column posting.debit is 'The account that pays: AccountKind (src/engine/effect.ts)';
comment on column posting.debit_owner is 'Its wallet, or the market of a pot; 0 for the house';
comment on column posting.credit is 'The account that receives';
comment on column posting.credit_owner is 'Its wallet, or the market of a pot; 0 for the house';
comment on column posting.wallet_id is 'The wallet concerned; 0 when only accounts of the house are';
comment on column posting.cash_after is 'Free cash of that wallet after this move';
comment on column posting.market_id is 'The market concerned; 0 without one';
create index posting_of_wallet on posting (wallet_id, batch desc, line desc);
-- A removed runner’s held money is found by the postings of its market.
create index posting_of_market on posting (market_id) where debit = 'exposure' or credit = 'exposure';
-- Operators read the postings of a day. They are written in the order of their time, so ranges of blocks are enough, and
-- writing one costs next to nothing.
create index posting_by_time on posting using brin (at);

-- Markets and bets.

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
	traded jsonb not null,
	terms jsonb not null default '{}',
	removed jsonb not null default '[]',
	is_over boolean generated always as (status in ('SETTLED', 'VOIDED')) stored
);
comment on table market_state is 'Markets as the exchange has them: status, version, results, removals. Names are in market_listing';
comment on column market_state.runners is 'How many there are; runners are numbered from 0';
comment on column market_state.commission_bp is 'Rate in basis points for players without one of their own';
comment on column market_state.profit_ratio_rule is 'False where stakes of any profit ratio are taken, as in scenario files';
comment on column market_state.self_match is 'REFUSE or ALLOW: whether a bet may meet a resting bet of its own player';
comment on column market_state.status is 'OPEN, SUSPENDED, BALL_RUNNING, CLOSED, SETTLED or VOIDED';
comment on column market_state.version is 'Rises when the market is suspended, when an operator suspends a runner, and at the turn in-play; a delayed bet of an older version lapses';
comment on column market_state.results is 'Per runner: WIN, PLACED, LOSE, VOID, TIE, HALF_WIN or HALF_LOSE; null until the settlement';
comment on column market_state.traded is '[pool, runner, last price traded or null, total matched] for each pool and runner';
comment on column market_state.terms is 'Limits, delay and reduction rules, as the engine has them: src/server/exchange/recovery/market-terms.ts. A new term needs no migration';
comment on column market_state.removed is '[runner, reduction in basis points] of the runners that were removed, with "RETURNED" after a return';
comment on column market_state.is_over is 'Changes once in a market’s life, which keeps its index out of all other updates of the row';
-- A start reads the markets that are not over.
create index market_in_progress on market_state (market_id) where not is_over;

create table bet (
	bet_id bigint not null,
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
	profit_exact bigint,
	ended_at bigint,
	fill_or_kill boolean not null default false,
	fills jsonb,
	delay jsonb,
	parts int not null default 1,
	queued_after bigint,
	matched_at bigint,
	check (stake = matched + remaining + lapsed + cancelled + voided),
	primary key (bet_id, placed_at)
) partition by range (placed_at);
-- The server makes the partitions, so that an old month can be detached: src/server/platform/postgres/months.ts. A row of
-- a month without a partition is in the default one.
create table bet_default partition of bet default;
comment on table bet is 'Bets, by the month in which they were placed. Of the house’s quotes only the matched ones are here';
comment on column bet.side is '0 back, 1 lay';
comment on column bet.price is 'The price asked, hundredths';
comment on column bet.persist is 'The remaining stake stays at the turn in-play; otherwise it lapses';
comment on column bet.placed_at is 'The month’s column is part of the primary key, because PostgreSQL demands it of a partitioned table. It never changes';
comment on column bet.matched_value is 'Σ stake × price of the matches, paise × hundredths';
comment on column bet.remaining is 'Rests in the order book, or waits out the bet delay';
comment on column bet.result is 'WON, LOST or VOID; null until the settlement';
comment on column bet.profit_exact is 'Before commission, in hundredths of a paisa times parts; null until the settlement';
comment on column bet.ended_at is 'When the last of it was decided: settled, voided, lapsed or cancelled';
comment on column bet.fills is '[{stake, price}] of each match as reduced since, in markets whose runners can be removed or that are played on lines; null elsewhere';
comment on column bet.delay is '{dueAtMs, version, minFill} while the bet waits out an in-play delay, with cashOut for a hedge: PendingBet (src/engine/bet-detail.ts)';
comment on column bet.parts is 'How many runners tied; 1 without a tie';
comment on column bet.queued_after is 'Of a bet that waited out an in-play delay: the last bet placed before it reached the book, behind which it stands';
comment on column bet.matched_at is 'When the bet was matched last; null while it was not';
create index bet_of_wallet on bet (wallet_id, bet_id desc);
create index bet_of_market on bet (market_id) where ended_at is null;
-- Reopening a market, and voiding matches of one, reads the bets that its settlement decided. A bet has no result before
-- that, so placing, matching and cancelling it leaves this index untouched.
create index bet_of_settled_market on bet (market_id, ended_at) where result is not null;

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
	at bigint,
	unique (batch, line, at)
) partition by range (at);
create table bet_match_default partition of bet_match default;
comment on table bet_match is 'Matches of two bets with their price and stake, by the month of the match';
comment on column bet_match.line is 'Row number within the batch';
comment on column bet_match.price is 'The maker’s price, hundredths';
comment on column bet_match.taker_side is '0 back, 1 lay';
comment on column bet_match.at is 'When maker and taker met: after the taker’s bet delay. Null for matches from before the time was written down, which stay in the default partition: of those the time counts at which their taker was placed';
-- Price histories, and acts that declare matches void, read the matches of a market.
create index match_of_market on bet_match (market_id, runner);

create table void_match (
	batch bigint not null,
	line int not null,
	primary key (batch, line)
);
comment on table void_match is 'Matches that an operator declared void, by their batch and row number in bet_match';

create table request_key (
	slot smallint not null,
	wallet_id bigint not null,
	client_request_id text not null,
	body_hash text not null,
	answer jsonb not null,
	at bigint not null,
	primary key (wallet_id, client_request_id, slot)
) partition by list (slot);
create table request_key_0 partition of request_key for values in (0);
create table request_key_1 partition of request_key for values in (1);
create table request_key_2 partition of request_key for values in (2);
create table request_key_3 partition of request_key for values in (3);
create table request_key_4 partition of request_key for values in (4);
comment on table request_key is 'The answers to accepted requests, so that a repetition gets the same answer. Five partitions in turn, so that old days go by truncation';
comment on column request_key.slot is 'Number of the day of at since 1970, modulo five';
comment on column request_key.body_hash is 'A request with the same key and another body is refused';
comment on column request_key.answer is 'Receipt (src/server/exchange/exchange.ts)';

create table bet_reference (
	bet_id bigint primary key,
	order_ref text,
	strategy_ref text
);
comment on table bet_reference is 'Names that a bot gave a bet: written with the bet, in the same batch';

create table auto_cash_out (
	wallet_id bigint not null,
	market_id bigint not null,
	target bigint not null,
	set_at bigint not null,
	primary key (wallet_id, market_id)
);
comment on table auto_cash_out is 'Cash-out targets. The row is deleted when the market is cashed out, when the player removes the target, and when the market closes or is decided';
comment on column auto_cash_out.target is 'The certain result at which the market is cashed out automatically; paise, may be below zero';

-- Results.

create table player_settlement (
	market_id bigint not null,
	wallet_id bigint not null,
	net bigint not null,
	commission bigint not null,
	profit bigint not null,
	at bigint not null,
	primary key (market_id, wallet_id)
);
comment on table player_settlement is 'Result of each player in each settled market';
comment on column player_settlement.net is 'Profit or loss of all bets together, before commission';
comment on column player_settlement.profit is 'net − commission';
-- Operators read it by market, the player by day, and the figures of a day by time.
create index player_settlement_of_wallet on player_settlement (wallet_id, at desc);
create index player_settlement_by_time on player_settlement (at);

create table money_at_risk (
	wallet_id bigint not null,
	what text not null,
	ref bigint not null,
	at bigint not null,
	since bigint not null,
	amount bigint not null check (amount >= 0),
	long_amount bigint not null check (long_amount between 0 and amount),
	worths bigint[],
	primary key (wallet_id, what, ref)
);
comment on table money_at_risk is 'The money that each player had at risk in each decided market and round of the casino, written with the decision';
comment on column money_at_risk.what is '"market", or the code of a game';
comment on column money_at_risk.ref is 'The market; the number of a shared round; or the workflow of the player’s own round';
comment on column money_at_risk.at is 'Time of the decision';
comment on column money_at_risk.since is 'When the first of the bets was placed; 0 where a detached month has it';
comment on column money_at_risk.amount is 'The largest possible loss. Where worths is empty it is a bound of it: the stakes of backs and the liabilities of lays, or the loss at a dealt table';
comment on column money_at_risk.long_amount is 'The same of the bets at 1.50 or longer alone';
comment on column money_at_risk.worths is 'The position’s worth by winning runner, in hundredths of a paisa, null for a runner that was removed. Null for rounds, and where other than one runner wins; empty where amount is a bound, in rows that an upgrade computed for earlier decisions';
-- The relatives of a player who bet in the same market or round, where they are too many to ask about each.
create index money_at_risk_by_ref on money_at_risk (what, ref);

create table trade_hour (
	market_id bigint not null,
	hour bigint not null,
	bars bytea not null,
	primary key (market_id, hour)
);
alter table trade_hour alter column bars set storage external;
comment on table trade_hour is 'Trades of a market by the hour, for charts, and for the volume of trades that have no other row. The price history writes it beside the ledger and rewrites it while the hour goes on. A row a minute came to 100 MB a day';
comment on column trade_hour.hour is 'Its beginning, milliseconds since 1970';
comment on column trade_hour.bars is 'Compressed columns: src/server/exchange/views/trade-hours.ts';

-- Workflows move money other than bets: payments, withdrawals, bonuses, games.

create table workflow (
	kind text not null,
	id bigint not null,
	wallet_id bigint not null,
	pool text not null,
	state text not null,
	step int not null,
	postings int not null,
	is_open boolean not null,
	opened_at bigint not null,
	at bigint not null,
	data jsonb not null,
	primary key (kind, id)
);
comment on table workflow is 'Moves of money other than bets, such as payments, deposits, withdrawals, bonuses and games, as they stand after their last step. Written with the postings of the step';
comment on column workflow.kind is 'TransferKind (src/engine/effect.ts)';
comment on column workflow.wallet_id is '0 when only the house is concerned';
comment on column workflow.state is 'By kind: docs/FUNDS.md lists states and steps';
comment on column workflow.step is 'Number of the last step';
comment on column workflow.postings is 'How many postings the steps have made; they are numbered from 0 as posting.step';
comment on column workflow.is_open is 'Something is still to happen';
comment on column workflow.at is 'Time of the last step';
comment on column workflow.data is 'By kind: src/server/exchange/order/workflow-data.ts';
create index workflow_of_wallet on workflow (wallet_id, kind, id desc);
create index workflow_open on workflow (kind, id) where is_open;
-- Payments and deposits about one transfer, and pictures that were sent twice: a payment’s page leads from each to the others.
create index workflow_by_utr on workflow ((data ->> 'utr')) where kind in ('PAYMENT', 'DEPOSIT') and data ? 'utr';
create index workflow_by_picture on workflow ((data ->> 'imageRef')) where kind = 'DEPOSIT';
-- A withdrawal asks whether payments of the player are disputed.
create index workflow_disputed on workflow (wallet_id) where kind = 'DISPUTE';
-- The total that a campaign has given.
create index workflow_of_campaign on workflow ((data ->> 'brand'), (data ->> 'campaign')) where kind = 'BONUS';
-- The player who invited another.
create index workflow_of_referee on workflow (((data ->> 'refereeId')::bigint)) where kind = 'REFERRAL';
-- Rounds of a player by the time of their last step: losses, cashback.
create index workflow_round_by_time on workflow (wallet_id, at) where kind = 'CASINO';
-- Rounds with a nonce of the player’s own seeds; rounds of shared games have none.
create index workflow_with_pair on workflow (wallet_id, id desc) where kind = 'CASINO' and data ->> 'pair' is not null;
-- A provider’s round of a player.
create index workflow_of_provider_round on workflow ((data->>'provider'), (data->>'providerRound'))
	where kind = 'CASINO' and data->>'provider' is not null;
-- The largest wins of a day in each pool, for the lobby. The day is the players’, as `funds/calendar` counts it. The
-- comparison of JSON values refuses none, so no round can fail by this index; rounds that won nothing are not in it.
create index workflow_win_of_day on workflow (pool, ((at + 19800000) / 86400000), (data -> 'payout') desc)
	where kind = 'CASINO' and state = 'SETTLED' and data -> 'payout' > data -> 'stake';

create table workflow_step (
	kind text not null,
	id bigint not null,
	step int not null,
	from_state text,
	to_state text not null,
	actor text not null,
	at bigint not null,
	data jsonb not null,
	primary key (kind, id, step)
);
comment on table workflow_step is 'The steps of each workflow. Rows are only ever added';
comment on column workflow_step.from_state is 'Null for the first step';
comment on column workflow_step.data is 'The part of the workflow’s data that the step changed';

create table workflow_claim (
	name text primary key,
	kind text not null,
	id bigint not null
);
comment on table workflow_claim is 'Names that a workflow takes once for ever, such as a bank’s reference of a payment';

-- Months of bets and matches that were detached. An operator detaches and attaches them (npm run months).

create table detached_month (
	month text primary key,
	last_bet_id bigint not null,
	last_batch bigint,
	last_line int,
	bets int not null,
	matches int not null,
	key_id text not null,
	seal bytea not null
);
comment on table detached_month is 'The months that were detached, the oldest first. Bet ids and batches rise with time, so a month ends at its last ones';
comment on column detached_month.month is 'Such as 2026-11, of UTC';
comment on column detached_month.last_batch is 'Of its last match; null without one';
comment on column detached_month.last_line is 'Of its last match; null without one';
comment on column detached_month.bets is 'How many sealed rows';
comment on column detached_month.matches is 'How many sealed rows';
comment on column detached_month.seal is 'Keyed hash over the row and its sums: only a holder of the ledger’s key detaches a month';

create table detached_bets (
	month text not null references detached_month on delete cascade,
	market_id bigint not null,
	wallet_id bigint not null,
	matched bigint not null,
	profit numeric not null,
	primary key (market_id, wallet_id, month)
);
comment on table detached_bets is 'Sums of the detached bets: settlements and the turnover of players still need them';
comment on column detached_bets.profit is 'Of the bets that won or lost, hundredths of a paisa; a fraction where runners tied';
create index detached_bets_of_wallet on detached_bets (wallet_id);

-- Standbys.

create table batch_command (
	batch bigint not null,
	part int not null,
	epoch bigint not null,
	previous bigint not null,
	digest text not null,
	at bigint not null,
	format int not null,
	commands text not null,
	primary key (batch, part)
);
alter table batch_command alter column commands set storage external;
comment on table batch_command is 'The commands of each batch, from which a standby builds its own engine. Housekeeping deletes old rows';
comment on column batch_command.part is 'A batch with many commands has several rows, numbered from 0';
comment on column batch_command.previous is 'The batch that was written before';
comment on column batch_command.digest is 'Digest of the engine’s state after the batch';
comment on column batch_command.format is 'Encoding of commands: src/server/exchange/ledger/command-rows.ts';
comment on column batch_command.commands is 'Rows live for a minute and are read once, so they are not compressed';

create table follower (
	name text primary key,
	epoch bigint,
	batch bigint,
	snapshot text,
	snapshot_batch bigint,
	markets bigint[],
	difference text,
	seen_at timestamptz not null default clock_timestamp(),
	mark text not null default ''
);
comment on table follower is 'The standbys of the exchange. Each standby writes its own row';
comment on column follower.epoch is 'Epoch of the batch that it has applied; null while it joins';
comment on column follower.batch is 'The batch that it has applied; null while it joins';
comment on column follower.snapshot is 'Snapshot of the tables, which the exchange exports when a standby joins';
comment on column follower.snapshot_batch is 'The batch that the snapshot shows';
comment on column follower.markets is 'The ended markets that the exchange has in memory at the snapshot';
comment on column follower.difference is 'The difference that the standby found; null as long as it finds none';
comment on column follower.mark is 'Of the standby’s key and contract. The exchange hands over to a standby that has its own';
