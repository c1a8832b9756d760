/**
 * Builds the engine from the tables: takes the lease, so that nobody before us can write any more, reads everything,
 * and compares the digest with the one the last batch wrote.
 */
import { setFlagsFromString } from 'node:v8';
import type pg from 'pg';
import { COMPILER_FLAGS, createEngine } from '#engine/create-engine.ts';
import type { Engine, MarketView } from '#engine/engine.ts';
import { type BetRow, bookOf, type RequestRow, type TargetRow, type WalletRow } from '#server/exchange/batch.ts';
import { MOST_UNWRITTEN } from '#server/exchange/committer.ts';
import { DurableViews } from '#server/exchange/durable-views.ts';
import type { Done } from '#server/exchange/exchange.ts';
import type { LedgerSealer } from '#server/exchange/ledger-seal.ts';
import { sealExisting } from '#server/exchange/seal-existing.ts';
import { type StoredMarket, storedMarkets } from '#server/exchange/stored-markets.ts';
import type { Pool } from '#values/pools.ts';

export interface Recovered {
	engine: Engine;
	views: DurableViews;
	/** Live bets, as the batches keep them. */
	bets: Map<number, BetRow>;
	/** Accepted requests, oldest first. */
	requests: RequestRow[];
	epoch: number;
	batchSeq: number;
	chain: Buffer;
}

/** How many accepted requests are remembered for repetition. */
export const REMEMBERED_REQUESTS = 200_000;

interface LeaseRow {
	epoch: number;
	batch: number;
	chain: Buffer;
	sealed_from: number | null;
	digest: string;
	last_bet_id: number;
	last_reservation: number;
	last_command: number;
}

/** @param remembered markets to be known although they are over; others come back when something is to happen to them */
export async function recover(
	pool: pg.Pool,
	sealer: LedgerSealer,
	remembered: readonly number[] = [],
): Promise<Recovered> {
	const taken = 'update lease set epoch = epoch + 1, batch = batch + $1 where id = 1 returning *';
	const lease = (await pool.query<LeaseRow>(taken, [MOST_UNWRITTEN])).rows[0];
	if (!lease) throw new Error('The lease row is missing; the database is not a Backlay ledger.');
	for (const flag of COMPILER_FLAGS) setFlagsFromString(flag);
	const engine = createEngine();
	const views = new DurableViews();
	await restoreAccounts(pool, engine, views);
	const markets = await storedMarkets(pool, 'not is_over or market_id = any($1)', [remembered]);
	for (const { market, traded } of markets) engine.restoreMarket(market, traded);
	const bets = await restoreBets(pool, engine, views);
	await restoreShortfalls(pool, engine, markets);
	await restoreTargets(pool, engine, views);
	engine.restoreCounters({
		lastBetId: lease.last_bet_id,
		lastReservation: lease.last_reservation,
		lastCommand: lease.last_command,
	});
	const digest = engine.hash();
	if (digest !== lease.digest) {
		throw new Error(
			`The state rebuilt from the tables (${digest}) is not the one batch ${lease.batch} left (${lease.digest}). ` +
				'No bets are taken on such a ledger; run the audit.',
		);
	}
	engine.checkInvariants();
	for (const { market } of markets) showMarket(engine, views, market, lease.batch);
	// Sealed only after the digest was found right: rows that are not what the last batch left are never vouched for.
	const chain = lease.sealed_from === null ? await sealExisting(pool, sealer, lease) : lease.chain;
	return {
		engine,
		views,
		bets,
		requests: await rememberedRequests(pool),
		epoch: lease.epoch,
		batchSeq: lease.batch,
		chain,
	};
}

async function restoreAccounts(pool: pg.Pool, engine: Engine, views: DurableViews): Promise<void> {
	const wallets = await pool.query<WalletRow>(
		`select wallet_id as "walletId", pool, currency, commission_bp as "commissionBp", cash, exposure, hold, bonus, version, limits, quotes
		 from wallet`,
	);
	for (const wallet of wallets.rows) {
		engine.restoreWallet(wallet);
		views.setWallet(wallet);
	}
	const house = await pool.query<{ kind: string; pool: Pool; owner: number; balance: number }>(
		'select kind, pool, owner, balance from house_account where balance <> 0',
	);
	for (const { kind, pool: ofPool, owner, balance } of house.rows) {
		engine.restoreHouseAccount(kind, ofPool, owner, balance);
	}
}

async function restoreBets(pool: pg.Pool, engine: Engine, views: DurableViews): Promise<Map<number, BetRow>> {
	const { rows } = await pool.query<BetRow>(
		`select bet_id as "betId", wallet_id as "walletId", market_id as "marketId", pool, runner, side, price, stake,
		   persist, placed_at as "placedAtMs", matched_at as "matchedAtMs", matched, matched_value as "matchedValue", remaining, cancelled, lapsed,
		   voided, result, profit_exact as "profitExact", ended_at as "endedAtMs", fill_or_kill as "fillOrKill",
		   fills, delay, parts, queued_after as "queuedAfter", false as quote
		 from bet where ended_at is null order by bet_id`,
	);
	const bets = new Map<number, BetRow>();
	for (const bet of rows) {
		engine.restoreBet(bet);
		bets.set(bet.betId, bet);
		views.setBet({ ...bet }, false);
	}
	return bets;
}

/** In a market that lost a runner or matches, or was paid before, less may be held than the exposure asks: its postings say how much it is. */
async function restoreShortfalls(pool: pg.Pool, engine: Engine, markets: readonly StoredMarket[]): Promise<void> {
	const short = markets.filter(({ market }) => market.removed.length > 0 || market.mayBeShort);
	if (short.length === 0) return;
	const { rows } = await pool.query<{ walletId: number; marketId: number; held: number }>(
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

async function restoreTargets(pool: pg.Pool, engine: Engine, views: DurableViews): Promise<void> {
	const { rows } = await pool.query<TargetRow & { target: number }>(
		'select wallet_id as "walletId", market_id as "marketId", target from auto_cash_out',
	);
	for (const row of rows) {
		engine.restoreCashOutTarget(row.walletId, row.marketId, row.target);
		views.setTarget(row);
	}
}

function showMarket(engine: Engine, views: DurableViews, market: MarketView, batchSeq: number): void {
	views.setMarket(market);
	for (const pool of market.pools) {
		views.setBook({ ...bookOf(engine, market.marketId, pool), version: batchSeq });
	}
}

async function rememberedRequests(pool: pg.Pool): Promise<RequestRow[]> {
	const { rows } = await pool.query<{ walletId: number; clientRequestId: string; bodyHash: string; answer: Done }>(
		`select wallet_id as "walletId", client_request_id as "clientRequestId", body_hash as "bodyHash", answer
		 from request_key order by at desc limit $1`,
		[REMEMBERED_REQUESTS],
	);
	return rows.reverse();
}
