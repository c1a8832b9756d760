/**
 * The table of what was traded: a row for each market and hour, read at a start, rewritten while its hour goes on, and
 * deleted when its market is no longer known.
 */
import { promisify } from 'node:util';
import { deflateRaw, inflateRawSync } from 'node:zlib';
import type pg from 'pg';
import { unhurried } from '#server/platform/postgres/limited-queries.ts';
import type { MarketId } from '#values/ids.ts';
import type { AnyMinor } from '#values/money.ts';
import { POOLS, type Pool } from '#values/pools.ts';
import { DAY_MS } from '#values/time.ts';

/** What one runner traded in one pool within a stretch of time. */
export interface TradeBar {
	/** When the first trade was made. */
	atMs: number;
	/** Prices in hundredths. */
	last: number;
	low: number;
	high: number;
	/** Backers' stake, minor units. */
	stake: AnyMinor;
	/** Σ stake × price. */
	value: number;
}

export interface TradedBar extends TradeBar {
	pool: Pool;
	runner: number;
	/** What the runner had traded in all. */
	total: number;
}

export interface TradeHour {
	marketId: MarketId;
	/** When it began. */
	hour: number;
	/** Those of a runner in the order of time. */
	bars: TradedBar[];
}

const KEPT_MS = 7 * DAY_MS;

type Row = [number, number, number, number, number, number, number, number, number];

const compressed = promisify(deflateRaw);

/** What the first bar of a runner in an hour is compared with. */
const first = (hour: number) => ({ atMs: hour, last: 0, total: 0 });
const isSameRunner = (bar: TradedBar, { pool, runner }: Pick<TradedBar, 'pool' | 'runner'>): boolean =>
	bar.pool === pool && bar.runner === runner;
const transposed = (rows: readonly (readonly number[])[]): number[][] =>
	(rows[0] ?? []).map((_, column) => rows.map((row) => row[column] as number));

/**
 * Columns of numbers, compressed. The bars of a runner are neighbours and state what they differ in from the one before,
 * so most numbers are small and repeat: 9 bytes a bar instead of 53.
 */
async function packed({ hour, bars }: TradeHour): Promise<Buffer> {
	const sorted = bars.toSorted(
		(one, other) => POOLS.indexOf(one.pool) - POOLS.indexOf(other.pool) || one.runner - other.runner,
	);
	const rows = sorted.map((bar, at) => {
		const { pool, runner, atMs, last, low, high, stake, value, total } = bar;
		const neighbour = sorted[at - 1];
		const before = neighbour && isSameRunner(neighbour, bar) ? neighbour : first(hour);
		const [passedMs, change] = [atMs - before.atMs, last - before.last];
		const [excess, unseen] = [value - stake * last, total - before.total - stake];
		return [POOLS.indexOf(pool), runner, passedMs, change, last - low, high - last, stake, excess, unseen];
	});
	return await compressed(JSON.stringify(transposed(rows)));
}

/** The bars as they were, runner by runner. A start reads thousands of hours, and a thread for each would take longer. */
function unpacked(hour: number, bytes: Buffer): TradedBar[] {
	const bars: TradedBar[] = [];
	for (const row of transposed(JSON.parse(inflateRawSync(bytes).toString()))) {
		const [poolAt, runner, passedMs, change, below, above, stake, excess, unseen] = row as Row;
		const pool = POOLS[poolAt] as Pool;
		const neighbour = bars.at(-1);
		const before = neighbour && isSameRunner(neighbour, { pool, runner }) ? neighbour : first(hour);
		const last = before.last + change;
		const value = stake * last + excess;
		const total = before.total + stake + unseen;
		const atMs = before.atMs + passedMs;
		bars.push({ pool, runner, atMs, last, low: last - below, high: last + above, stake, value, total });
	}
	return bars;
}

/** Of markets that are not over, and of those that are remembered although they are; oldest first. */
export async function readTradeHours(db: pg.Pool, remembered: readonly number[]): Promise<TradeHour[]> {
	const { rows } = await unhurried(db).query<{ marketId: MarketId; hour: number; bars: Buffer }>(
		`select market_id as "marketId", hour, bars from trade_hour
		 where market_id in (select market_id from market_state where not is_over) or market_id = any($1)
		 order by hour`,
		[remembered],
	);
	return rows.map(({ marketId, hour, bars }) => ({ marketId, hour, bars: unpacked(hour, bars) }));
}

/** Writes hours; one that was written before is replaced. */
export async function writeTradeHours(db: pg.Pool, hours: readonly TradeHour[]): Promise<void> {
	const bars: Buffer[] = [];
	for (const hour of hours) bars.push(await packed(hour));
	await db.query(
		`insert into trade_hour (market_id, hour, bars) select * from unnest($1::bigint[], $2::bigint[], $3::bytea[])
		 on conflict (market_id, hour) do update set bars = excluded.bars`,
		[hours.map(({ marketId }) => marketId), hours.map(({ hour }) => hour), bars],
	);
}

/** Deletes what no call can read any more: hours of markets that are not known, and hours older than a week. */
export async function pruneTradeHours(db: pg.Pool, nowMs: number, known: readonly MarketId[]): Promise<void> {
	await db.query('delete from trade_hour where hour < $1 or market_id <> all($2)', [nowMs - KEPT_MS, known]);
}
