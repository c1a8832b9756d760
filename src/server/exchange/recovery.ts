/**
 * Builds the engine from the tables: takes the lease, so that nobody before us can write any more, reads everything,
 * and compares the digest with the one the last batch wrote.
 */
import { randomInt } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import type pg from 'pg';
import { COMPILER_FLAGS, createEngine } from '#engine/create-engine.ts';
import type { Engine, MarketView } from '#engine/engine.ts';
import { type BetRow, bookOf, type TargetRow, type WalletRow } from '#server/exchange/batch.ts';
import { Deposed } from '#server/exchange/committer.ts';
import { DurableViews } from '#server/exchange/durable-views.ts';
import type { LedgerSealer } from '#server/exchange/ledger-seal.ts';
import { readTerms, type TypeTerms } from '#server/exchange/market-terms.ts';
import { sealExisting } from '#server/exchange/seal-existing.ts';
import type { Pool } from '#values/pools.ts';

export interface Recovered {
	engine: Engine;
	views: DurableViews;
	/** Live bets, as the batches keep them. */
	bets: Map<number, BetRow>;
	epoch: number;
	batchSeq: number;
	chain: Buffer;
	/** The stamp of the last batch. */
	lastStampMs: number;
	/** What the database's clock is ahead of the monotonic one. */
	clockAheadMs: number;
}

interface LeaseRow {
	epoch: number;
	batch: number;
	chain: Buffer;
	sealed_from: number | null;
	digest: string;
	last_bet_id: number;
	last_reservation: number;
	last_command: number;
	at: number;
	/** The database's clock, milliseconds since 1970. */
	clock: number;
}

/**
 * A process that recovers while it runs takes the lease only from itself. It names the new epoch beforehand, at random, so
 * that it recognizes it as its own when the answer was lost.
 */
export interface Succession {
	from: number;
	to: number;
}

/** The next epoch of a process that holds this one. */
export const succeeding = (epoch: number): Succession => ({ from: epoch, to: epoch + 1 + randomInt(1_000_000) });

const CLOCK = 'extract(epoch from clock_timestamp())::float8 * 1000 as clock';

/** @throws Deposed when another process holds the lease */
async function takeLease(pool: pg.Pool, succession?: Succession): Promise<LeaseRow & { clockAheadMs: number }> {
	const { rows } = succession
		? await pool.query<LeaseRow>(
				`update lease set epoch = $2::bigint where id = 1 and epoch in ($1::bigint, $2::bigint) returning *, ${CLOCK}`,
				[succession.from, succession.to],
			)
		: await pool.query<LeaseRow>(`update lease set epoch = epoch + 1 where id = 1 returning *, ${CLOCK}`);
	const lease = rows[0];
	if (lease) return { ...lease, clockAheadMs: lease.clock - performance.now() };
	if (succession) throw new Deposed(false);
	throw new Error('The lease row is missing; the database is not a Backlay ledger.');
}

/**
 * @param succession of a process that held the lease before; a process that starts has none
 * @throws Deposed, the database's errors, and Error when the ledger cannot be trusted
 */
export async function recover(pool: pg.Pool, sealer: LedgerSealer, succession?: Succession): Promise<Recovered> {
	const lease = await takeLease(pool, succession);
	for (const flag of COMPILER_FLAGS) setFlagsFromString(flag);
	const engine = createEngine();
	const views = new DurableViews();
	await restoreAccounts(pool, engine, views);
	await restoreMarkets(pool, engine);
	const bets = await restoreBets(pool, engine, views);
	await restoreShortfalls(pool, engine);
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
	showMarkets(engine, views, await marketIds(pool), lease.batch);
	// Sealed only after the digest was found right: rows that are not what the last batch left are never vouched for.
	const chain = lease.sealed_from === null ? await sealExisting(pool, sealer, lease) : lease.chain;
	return {
		engine,
		views,
		bets,
		epoch: lease.epoch,
		batchSeq: lease.batch,
		chain,
		lastStampMs: lease.at,
		clockAheadMs: lease.clockAheadMs,
	};
}

async function restoreAccounts(pool: pg.Pool, engine: Engine, views: DurableViews): Promise<void> {
	const wallets = await pool.query<WalletRow>(
		`select wallet_id as "walletId", pool, currency, commission_bp as "commissionBp", cash, exposure, hold, bonus, version, limits
		 from wallet`,
	);
	for (const wallet of wallets.rows) {
		engine.restoreWallet(wallet);
		views.setWallet(wallet);
	}
	const house = await pool.query<{ kind: string; pool: Pool; owner: number; balance: number }>(
		'select kind, pool, owner, balance from house_account',
	);
	for (const { kind, pool: ofPool, owner, balance } of house.rows) {
		engine.restoreHouseAccount(kind, ofPool, owner, balance);
	}
}

async function restoreMarkets(pool: pg.Pool, engine: Engine): Promise<void> {
	const { rows } = await pool.query<
		Omit<MarketView, keyof TypeTerms> & {
			terms: Partial<TypeTerms>;
			traded: [Pool, number, number | null, number][];
		}
	>(
		`select market_id as "marketId", pools, runners, number_of_winners as "numberOfWinners",
		   commission_bp as "commissionBp", min_stake as "minStake", max_stake as "maxStake",
		   profit_ratio_rule as "profitRatioRule", self_match as "selfMatch", status, in_play as "inPlay", version,
		   results, traded, terms, removed
		 from market_state`,
	);
	for (const { traded, terms, ...market } of rows) {
		engine.restoreMarket(
			{ ...readTerms(terms), ...market },
			traded.map(([ofPool, runner, lastPriceTraded, totalMatched]) => ({
				pool: ofPool,
				runner,
				lastPriceTraded,
				totalMatched,
			})),
		);
	}
}

async function restoreBets(pool: pg.Pool, engine: Engine, views: DurableViews): Promise<Map<number, BetRow>> {
	const { rows } = await pool.query<BetRow>(
		`select bet_id as "betId", wallet_id as "walletId", market_id as "marketId", pool, runner, side, price, stake,
		   persist, placed_at as "placedAtMs", matched_at as "matchedAtMs", matched, matched_value as "matchedValue", remaining, cancelled, lapsed,
		   voided, result, profit_exact as "profitExact", ended_at as "endedAtMs", fill_or_kill as "fillOrKill",
		   fills, delay, parts, queued_after as "queuedAfter"
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

/** In a market that lost a runner or matches, or was paid before, less may be held than the exposure asks: the postings say how much it is. */
async function restoreShortfalls(pool: pg.Pool, engine: Engine): Promise<void> {
	const { rows } = await pool.query<{ walletId: number; marketId: number; held: number }>(
		`select wallet_id as "walletId", market_id as "marketId",
		   sum(case when credit = 'exposure' then amount when debit = 'exposure' then -amount else 0 end)::bigint as held
		 from posting join market_state using (market_id)
		 where (removed <> '[]' or terms ->> 'mayBeShort' = 'true') and status not in ('SETTLED', 'VOIDED') and 'exposure' in (debit, credit)
		 group by wallet_id, market_id`,
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

async function marketIds(pool: pg.Pool): Promise<number[]> {
	const { rows } = await pool.query<{ id: number }>('select market_id as id from market_state');
	return rows.map(({ id }) => id);
}

function showMarkets(engine: Engine, views: DurableViews, ids: readonly number[], batchSeq: number): void {
	for (const id of ids) {
		const market = engine.market(id);
		if (!market) continue;
		views.setMarket(market);
		for (const pool of market.pools) views.setBook({ ...bookOf(engine, id, pool), version: batchSeq });
	}
}
