/**
 * Rebuilds the engine from the tables: takes the lease, so that no earlier process can write, reads everything, and
 * compares the digest with the one that the last batch wrote.
 */

import { randomInt } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import type pg from 'pg';
import type { BetTerms } from '#engine/bet-detail.ts';
import { COMPILER_FLAGS, createEngine } from '#engine/create-engine.ts';
import type { TriggerView } from '#engine/effect.ts';
import type { Engine } from '#engine/engine.ts';
import type { OrderGroupView } from '#engine/order-groups.ts';
import { DIGEST_FORMAT } from '#engine/state-hash.ts';
import type { Successor } from '#server/exchange/exchange.ts';
import { Deposed, MOST_UNWRITTEN } from '#server/exchange/ledger/committer.ts';
import type { LedgerSealer } from '#server/exchange/ledger/ledger-seal.ts';
import { hasUnsealed, sealExisting } from '#server/exchange/ledger/seal-existing.ts';
import { bookOf } from '#server/exchange/order/batch.ts';
import type { BetRow, TargetRow, WalletRow } from '#server/exchange/order/batch-rows.ts';
import type { LiveBets } from '#server/exchange/order/live-bets.ts';
import { type StoredMarket, storedMarkets } from '#server/exchange/recovery/stored-markets.ts';
import { type WorkflowRow, workflowRows } from '#server/exchange/recovery/stored-workflows.ts';
import { DurableViews } from '#server/exchange/views/durable-views.ts';
import { APPLICATION_NAME } from '#server/platform/postgres/connect.ts';
import { type Queries, unhurried, within } from '#server/platform/postgres/limited-queries.ts';
import type { MarketId, WalletId } from '#values/ids.ts';
import type { AnyMinor } from '#values/money.ts';
import type { Pool } from '#values/pools.ts';

/** An engine as the tables have it, with what belongs to it. */
export interface Restored {
	engine: Engine;
	views: DurableViews;
	/** Live bets, as the batches keep them; those of the views. */
	bets: LiveBets;
	/** Markets whose books traded more than the tables say: the next row of such a market has it. */
	unwrittenTrades: Set<MarketId>;
}

export interface Recovered extends Restored {
	/** Workflows that are not closed. */
	/** As the table has them. */
	openWorkflows: WorkflowRow[];
	epoch: number;
	/** Batch numbers continue from here. */
	batchSeq: number;
	/** The last batch found in the ledger. */
	foundBatch: number;
	chain: Buffer;
	/** The stamp of the last batch. */
	lastStampMs: number;
	/** How far the database's clock is ahead of the monotonic clock. */
	clockAheadMs: number;
	/** Nothing is written before, by the monotonic clock: see the committer. */
	writesFromMs?: number;
}

export interface LeaseRow {
	epoch: number;
	batch: number;
	chain: Buffer;
	sealed_from: number | null;
	sealed_code: number;
	digest: string;
	/** The format of the digest. */
	digest_format: number;
	last_bet_id: number;
	last_reservation: number;
	last_command: number;
	at: number;
	/** The holder writes a batch at least with every heartbeat. */
	beats: boolean;
	/** The holder has stopped. */
	released: boolean;
	/** The standby that it was released to; null for any. */
	heir: string | null;
	/** The name of the holder's connections to the database; null when an earlier version took the lease. */
	holder: string | null;
	/** The database's clock, milliseconds since 1970. */
	clock: number;
}

/**
 * A process that recovers while it runs takes the lease only from itself. It names the new epoch beforehand, at
 * random, so that it recognizes the epoch as its own when the answer was lost.
 */
interface Succession {
	from: number;
	to: number;
}

/** The lease as a standby saw it last. */
type SeenLease = Pick<LeaseRow, 'epoch' | 'batch'>;

/** The next epoch of the process that holds this one. */
export const succeeding = (epoch: number): Succession => ({ from: epoch, to: epoch + 1 + randomInt(1_000_000) });

/** Of the database's clock. */
const MICROSECONDS = '(extract(epoch from clock_timestamp()) * 1000000)::bigint';
/**
 * The next epoch of a lease that is taken from the table. It is larger than all before: that of the row may have come back
 * with a restored backup, and what was taken after the backup is known to gateways, journals and processes alone. So it
 * follows the database's clock, in microseconds, with a step by chance for a clock that was set back as well.
 */
const NEXT_EPOCH = `case when ${MICROSECONDS} > epoch then ${MICROSECONDS}
	else epoch + 1 + floor(random() * 1000000)::bigint end`;

/** A database that is away must not hold up the end of the process. */
const RELEASE_WITHIN_MS = 1_000;

const CLOCK = 'extract(epoch from clock_timestamp())::float8 * 1000 as clock';

/**
 * Skips the batch numbers that the previous engine may have used without writing. A lease that an earlier attempt
 * took, whose answer was lost, has skipped them already.
 * @throws Deposed when another process holds the lease
 */
async function takeLease(db: pg.Pool, beats: boolean, succession?: Succession): Promise<TakenLease> {
	const { rows } = succession
		? await db.query<LeaseRow>(
				`update lease set epoch = $2::bigint, batch = case epoch when $1::bigint then batch + $3 else batch end, beats = $4,
				   released = false, heir = null, holder = $5
				 where id = 1 and epoch in ($1::bigint, $2::bigint) returning *, ${CLOCK}`,
				[succession.from, succession.to, MOST_UNWRITTEN, beats, APPLICATION_NAME],
			)
		: await db.query<LeaseRow>(
				`update lease set epoch = ${NEXT_EPOCH}, batch = batch + $1, beats = $2, released = false, heir = null,
				   address = null, holder = $3
				 where id = 1 returning *, ${CLOCK}`,
				[MOST_UNWRITTEN, beats, APPLICATION_NAME],
			);
	if (rows[0]) return taken(rows[0]);
	if (succession) throw new Deposed(false);
	throw new Error('The lease row is missing; the database is not a Backlay ledger.');
}

export type TakenLease = LeaseRow & { clockAheadMs: number };

const taken = (lease: LeaseRow): TakenLease => ({ ...lease, clockAheadMs: lease.clock - performance.now() });

/**
 * Takes the lease of an exchange that fell silent, unless it wrote a batch after the one that was seen. The row's lock
 * orders this and a batch that is on its way: one of the two finds that the other was first.
 * @param isReleased the holder gave it up; it may have taken it back since
 * @param address where the new holder answers other processes
 * @returns null when the exchange wrote or took the lease back, or another standby was faster
 */
export async function takeSeenLease(
	db: Queries,
	{ epoch, batch }: SeenLease,
	{ isReleased = false, address = null }: { isReleased?: boolean; address?: string | null } = {},
): Promise<TakenLease | null> {
	const { rows } = await db.query<LeaseRow>(
		`update lease set epoch = ${NEXT_EPOCH}, batch = batch + $3, beats = true, released = false, heir = null,
		   address = $5, holder = $6
		 where id = 1 and epoch = $1::bigint and batch = $2::bigint and (released or not $4) returning *, ${CLOCK}`,
		[epoch, batch, MOST_UNWRITTEN, isReleased, address, APPLICATION_NAME],
	);
	return rows[0] ? taken(rows[0]) : null;
}

/**
 * What became of a take whose answer was lost.
 * @returns the lease as `takeSeenLease` leaves it; `open` as long as the take may still be made; null when it never will be,
 * because the exchange wrote or another process has the lease
 */
export async function takeOutcome(db: Queries, { epoch, batch }: SeenLease): Promise<TakenLease | 'open' | null> {
	const { rows } = await db.query<LeaseRow>(`select *, ${CLOCK} from lease where id = 1`);
	const [lease] = rows;
	if (!lease) return null;
	if (lease.epoch === epoch) return lease.batch === batch ? 'open' : null;
	return lease.holder === APPLICATION_NAME && lease.batch === batch + MOST_UNWRITTEN ? taken(lease) : null;
}

/**
 * Tells standbys that this process writes no more. Its last batch is durable.
 * @param heir the standby that is to take it; null for any
 */
export async function releaseLease(db: pg.Pool, epoch: number, heir: string | null = null): Promise<void> {
	await within(db, RELEASE_WITHIN_MS).query(
		'update lease set released = true, heir = $2 where id = 1 and epoch = $1::bigint',
		[epoch, heir],
	);
}

/** Looks which process took a released lease. @returns null as long as none did */
export async function successorOf(db: pg.Pool, epoch: number): Promise<Successor | null> {
	const { rows } = await db.query<Successor>('select address from lease where id = 1 and epoch <> $1::bigint', [epoch]);
	return rows[0] ?? null;
}

/** Takes a released lease back, unless a standby was faster. @returns whether this process has it */
export async function reclaimLease(db: pg.Pool, epoch: number): Promise<boolean> {
	const { rowCount } = await db.query(
		'update lease set released = false, heir = null where id = 1 and epoch = $1::bigint',
		[epoch],
	);
	return rowCount === 1;
}

interface RecoveryOptions extends RestoreOptions {
	/** Set when this process held the lease before; a process that starts has none. */
	succession?: Succession;
	/** Whether this process writes heartbeats, whose silence standbys take for its death. */
	beats?: boolean;
}

interface RestoreOptions {
	/** Markets to load although they have ended; the others are recalled when a command needs them. */
	remembered?: readonly number[];
	/** What a market's books traded, where more of it is known than the tables have. */
	traded?: (marketId: MarketId) => StoredMarket['traded'];
}

/** @throws Deposed, the database's errors, and Error when the ledger cannot be trusted */
export async function recover(
	db: pg.Pool,
	sealer: LedgerSealer,
	{ succession, beats = false, ...options }: RecoveryOptions = {},
): Promise<Recovered> {
	const lease = await takeLease(db, beats, succession);
	const restored = await restore(db, { ...lease, batch: lease.batch - MOST_UNWRITTEN }, options);
	return await continueFrom(restored, lease, db, sealer);
}

/** The engine stands where the batch before the lease left it; the rest is read from the tables. */
export async function continueFrom(
	restored: Restored,
	lease: TakenLease,
	db: pg.Pool,
	sealer: LedgerSealer,
): Promise<Recovered> {
	const openWorkflows = await workflowRows(unhurried(db), { where: 'is_open' });
	// Sealing follows the comparison of the digest, so rows that the last batch did not leave are never sealed.
	const chain = hasUnsealed(lease) ? await sealExisting(unhurried(db), sealer, lease) : lease.chain;
	const { epoch, batch: batchSeq, at: lastStampMs, clockAheadMs } = lease;
	showBooks(restored, batchSeq);
	const foundBatch = batchSeq - MOST_UNWRITTEN;
	return { ...restored, openWorkflows, epoch, batchSeq, foundBatch, chain, lastStampMs, clockAheadMs };
}

/**
 * Reads the engine from the tables and compares its digest with that of the last batch.
 * @param lease as the last batch left it
 * @throws the database's errors, and Error when the ledger cannot be trusted
 */
export async function restore(
	db: Queries,
	lease: Pick<LeaseRow, 'batch' | 'digest' | 'digest_format' | 'last_bet_id' | 'last_reservation' | 'last_command'>,
	{ remembered = [], traded = () => [] }: RestoreOptions = {},
): Promise<Restored> {
	for (const flag of COMPILER_FLAGS) setFlagsFromString(flag);
	const reads = unhurried(db);
	const engine = createEngine();
	const views = new DurableViews();
	await restoreAccounts(reads, engine, views);
	const markets = await storedMarkets(reads, 'not is_over or market_id = any($1)', [remembered]);
	const unwrittenTrades = new Set<MarketId>();
	for (const stored of markets) {
		const { marketId, status } = stored.market;
		const latest = latestTraded(stored, traded(marketId));
		engine.restoreMarket(stored.market, latest);
		const hasEnded = status === 'SETTLED' || status === 'VOIDED';
		if (!hasEnded && !latest.every((each) => isIn(stored, each))) unwrittenTrades.add(marketId);
	}
	await restoreGroups(reads, engine, views);
	await restoreBets(reads, engine, views);
	await restoreTriggers(reads, engine, views);
	await restoreShortfalls(reads, engine, markets);
	await restoreDecided(reads, engine, markets);
	await restoreTargets(reads, engine, views);
	engine.restoreCounters({
		lastBetId: lease.last_bet_id,
		lastReservation: lease.last_reservation,
		lastCommand: lease.last_command,
	});
	const digest = engine.hash();
	// An earlier version used another format, so its digest cannot be compared. The invariants below are the only check,
	// once.
	if (lease.digest_format === DIGEST_FORMAT && digest !== lease.digest) {
		throw new Error(
			`The state rebuilt from the tables (${digest}) is not the one batch ${lease.batch} left (${lease.digest}). ` +
				'No bets are taken on such a ledger; run the audit.',
		);
	}
	engine.checkInvariants();
	for (const { market } of markets) views.setMarket(market);
	return { engine, views, bets: views.liveBets, unwrittenTrades };
}

/** Whether the tables have what a book traded. */
const isIn = (
	{ traded }: StoredMarket,
	{ pool, runner, lastPriceTraded, totalMatched }: StoredMarket['traded'][number],
) =>
	traded.some(
		(stored) =>
			stored.pool === pool &&
			stored.runner === runner &&
			stored.lastPriceTraded === lastPriceTraded &&
			stored.totalMatched === totalMatched,
	);

/** Volume only grows, so of two figures the larger one is the later. */
function latestTraded({ traded }: StoredMarket, known: StoredMarket['traded']): StoredMarket['traded'] {
	const later = known.filter(
		({ pool, runner, totalMatched }) =>
			!traded.some((stored) => stored.pool === pool && stored.runner === runner && stored.totalMatched > totalMatched),
	);
	const isLater = (pool: Pool, runner: number) => later.some((each) => each.pool === pool && each.runner === runner);
	return [...traded.filter(({ pool, runner }) => !isLater(pool, runner)), ...later];
}

async function restoreAccounts(db: Queries, engine: Engine, views: DurableViews): Promise<void> {
	const wallets = await db.query<WalletRow>(
		`select wallet_id as "walletId", pool, currency, commission_bp as "commissionBp", cash, exposure, hold, bonus, version, limits, quotes,
		   self_match as "selfMatch"
		 from wallet`,
	);
	for (const wallet of wallets.rows) {
		engine.restoreWallet(wallet);
		views.setWallet(wallet);
	}
	const house = await db.query<{ kind: string; pool: Pool; owner: number; balance: AnyMinor }>(
		'select kind, pool, owner, balance from house_account where in_use',
	);
	for (const { kind, pool, owner, balance } of house.rows) {
		engine.restoreHouseAccount(kind, pool, owner, balance);
	}
}

type StoredBet = Omit<BetRow, 'terms'> & { orderRef: string | null; strategyRef: string | null } & BetTerms;

async function restoreBets(db: Queries, engine: Engine, views: DurableViews): Promise<void> {
	const { rows } = await db.query<StoredBet>(
		`select bet_id as "betId", wallet_id as "walletId", market_id as "marketId", pool, runner, side, price, stake,
		   persist, placed_at as "placedAtMs", matched_at as "matchedAtMs", matched, matched_value as "matchedValue", remaining, cancelled, lapsed,
		   voided, result, profit_exact as "profitExact", ended_at as "endedAtMs", fill_or_kill as "fillOrKill",
		   fills, delay, on_close as "onClose", coalesce(takes_start, false) as "takesStart", parts, queued_after as "queuedAfter", false as quote,
		   order_ref as "orderRef", strategy_ref as "strategyRef", post_only as "postOnly", expires_at as "expiresAtMs",
		   bet_terms.self_match as "selfMatch", until_matched as "untilMatched", until_volume as "untilVolume",
		   order_group as "group"
		 from bet join market_state using (market_id)
		   left join bet_reference using (bet_id) left join bet_terms using (bet_id)
		 where not is_over and ended_at is null order by bet_id`,
	);
	for (const {
		orderRef,
		strategyRef,
		postOnly,
		expiresAtMs,
		selfMatch,
		untilMatched,
		untilVolume,
		group,
		...row
	} of rows) {
		const isNamed = orderRef !== null || strategyRef !== null;
		const asked = [postOnly, expiresAtMs, selfMatch, untilMatched, group];
		const hasTerms = asked.some((each) => each !== null);
		const terms = hasTerms ? { postOnly, expiresAtMs, selfMatch, untilMatched, untilVolume, group } : null;
		const bet: BetRow = { ...row, terms, ...(isNamed ? { references: { orderRef, strategyRef } } : {}) };
		engine.restoreBet(bet);
		views.restoreBet(bet);
	}
}

async function restoreGroups(db: Queries, engine: Engine, views: DurableViews): Promise<void> {
	const { rows } = await db.query<OrderGroupView>(
		`select wallet_id as "walletId", name, most, recent, closed_at as "closedAtMs" from order_group`,
	);
	for (const group of rows) {
		engine.restoreOrderGroup(group);
		views.setGroup(group);
	}
}

async function restoreTriggers(db: Queries, engine: Engine, views: DurableViews): Promise<void> {
	const { rows } = await db.query<TriggerView>(
		`select trigger_id as "triggerId", wallet_id as "walletId", market_id as "marketId", pool, runner, side, price, stake,
		   persist, watches, moves, at_price as at, trail, best_price as best, market_version as "marketVersion",
		   placed_at as "placedAtMs", due_at as "dueAtMs", status, reason, bet_id as "betId", plan, whole,
		   exit_id as "exitId", closed
		 from bet_trigger where status in ('WAITING', 'DUE') order by trigger_id`,
	);
	for (const trigger of rows) {
		engine.restoreTrigger(trigger);
		views.setTrigger(trigger);
	}
}

/**
 * In a market that lost a runner or matches, or that was reopened, less may be held than the exposure asks, and more by a
 * wallet that is settled in part. The postings say how much.
 */
async function restoreShortfalls(db: Queries, engine: Engine, markets: readonly StoredMarket[]): Promise<void> {
	const short = markets.filter(
		({ market }) => market.removed.length > 0 || market.mayBeShort || market.status === 'SETTLING',
	);
	if (short.length === 0) return;
	const { rows } = await db.query<{ walletId: WalletId; marketId: MarketId; held: AnyMinor }>(
		`select wallet_id as "walletId", market_id as "marketId",
		   sum(case when credit = 'exposure' then amount else -amount end)::bigint as held
		 from posting where market_id = any($1) and (debit = 'exposure' or credit = 'exposure')
		 group by wallet_id, market_id`,
		[short.map(({ market }) => market.marketId)],
	);
	for (const { walletId, marketId, held } of rows) {
		if (held !== engine.marketExposure(walletId, marketId)) engine.restoreHeld(walletId, marketId, held);
	}
}

/** What the decided bets of wallets come to that a settlement under way has settled in part. */
async function restoreDecided(db: Queries, engine: Engine, markets: readonly StoredMarket[]): Promise<void> {
	const settling = markets.filter(({ market }) => market.status === 'SETTLING');
	if (settling.length === 0) return;
	const { rows } = await db.query<{ walletId: WalletId; marketId: MarketId; exact: string }>(
		`select wallet_id as "walletId", market_id as "marketId", sum(profit_exact)::text as exact
		 from bet where market_id = any($1) and result in ('WON', 'LOST') and (wallet_id, market_id) in (
		   select wallet_id, market_id from bet where market_id = any($1) and ended_at is null)
		 group by wallet_id, market_id`,
		[settling.map(({ market }) => market.marketId)],
	);
	for (const { walletId, marketId, exact } of rows) engine.restoreDecided(walletId, marketId, BigInt(exact));
}

async function restoreTargets(db: Queries, engine: Engine, views: DurableViews): Promise<void> {
	const { rows } = await db.query<TargetRow & { target: AnyMinor }>(
		'select wallet_id as "walletId", market_id as "marketId", target from auto_cash_out',
	);
	for (const row of rows) {
		engine.restoreCashOutTarget(row.walletId, row.marketId, row.target);
		views.setTarget(row);
	}
}

/** Shows every book as the engine has it. The version has to be above all that were shown before. */
export function showBooks({ engine, views }: Restored, version: number): void {
	for (const { marketId, pools } of views.markets()) {
		for (const pool of pools) views.setBook({ ...bookOf(engine, marketId, pool), version });
	}
}
