/** The table of what was traded by the minute: read at a start, appended to, and pruned. */
import type pg from 'pg';
import type { MarketId } from '#values/ids.ts';
import type { AnyPaise } from '#values/money.ts';
import type { Pool } from '#values/pools.ts';

/** What one runner traded in one pool within a stretch of time. */
export interface TradeBar {
	/** When the first trade was made. */
	atMs: number;
	/** Prices in hundredths. */
	last: number;
	low: number;
	high: number;
	/** Backers' stake, paise. */
	stake: AnyPaise;
	/** Σ stake × price. */
	value: number;
}

export interface TradedBar extends TradeBar {
	pool: Pool;
	runner: number;
	/** What the runner had traded in all. */
	total: number;
}

export interface TradeMinute {
	marketId: MarketId;
	/** When it began. */
	minute: number;
	bars: readonly TradedBar[];
}

const KEPT_MS = 7 * 24 * 3_600_000;

type Cells = [Pool, number, number, number, number, number, number, number, number];

const cellsOf = (minute: number, { pool, runner, atMs, last, low, high, stake, value, total }: TradedBar): Cells => [
	pool,
	runner,
	atMs - minute,
	last,
	low,
	high,
	stake,
	value,
	total,
];

/** Of markets that are not over, and of those that are remembered although they are; oldest first. */
export async function readTradeMinutes(db: pg.Pool, remembered: readonly number[]): Promise<TradeMinute[]> {
	const { rows } = await db.query<{ marketId: MarketId; minute: number; bars: string }>(
		`select market_id as "marketId", minute, bars from trade_minute
		 where market_id in (select market_id from market_state where not is_over) or market_id = any($1)
		 order by minute`,
		[remembered],
	);
	return rows.map(({ marketId, minute, bars }) => ({
		marketId,
		minute,
		bars: (JSON.parse(bars) as Cells[]).map(([pool, runner, first, last, low, high, stake, value, total]) => ({
			pool,
			runner,
			atMs: minute + first,
			last,
			low,
			high,
			stake,
			value,
			total,
		})),
	}));
}

/** Writes minutes; one that was written before is replaced. */
export async function writeTradeMinutes(db: pg.Pool, minutes: readonly TradeMinute[]): Promise<void> {
	await db.query(
		`insert into trade_minute (market_id, minute, bars) select * from unnest($1::bigint[], $2::bigint[], $3::text[])
		 on conflict (market_id, minute) do update set bars = excluded.bars`,
		[
			minutes.map(({ marketId }) => marketId),
			minutes.map(({ minute }) => minute),
			minutes.map(({ minute, bars }) => JSON.stringify(bars.map((bar) => cellsOf(minute, bar)))),
		],
	);
}

export async function pruneTradeMinutes(db: pg.Pool, nowMs: number): Promise<void> {
	await db.query('delete from trade_minute where minute < $1', [nowMs - KEPT_MS]);
}
