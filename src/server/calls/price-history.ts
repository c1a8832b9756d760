import type { ResultOf } from '#contract/call.ts';
import type { Calls } from '#contract/registry.ts';
import type { HeavyReads } from '#server/db/heavy-reads.ts';
import { averageDecimal, isoTime } from '#server/exchange/wire-views.ts';
import { majorFromPaise } from '#values/money.ts';
import type { Pool } from '#values/pools.ts';
import { decimalFromPrice } from '#values/price-ladder.ts';

/** More points than a screen can show. */
const MOST_POINTS = 200;

type Points = ResultOf<Calls['getPriceHistory']>['points'];

interface Stretch {
	fromMs: number;
	low: number;
	high: number;
	stake: number;
	value: number;
}

/** How long a history is shared before it is read again. */
const SHARED_FOR_MS = 2_000;
/** Limit of remembered histories; the oldest are dropped. */
const MOST_SHARED = 1_000;

/** The price histories that visitors request. Each is read once for all requests within two seconds. */
export class PriceHistories {
	readonly #reads: HeavyReads;
	/** By market, runner and pool, oldest first. */
	readonly #shared = new Map<string, { points: Promise<Points>; until: number }>();

	constructor(reads: HeavyReads) {
		this.#reads = reads;
	}

	/** @throws Refused OVERLOADED */
	async of(marketId: number, runner: number, pool: Pool): Promise<Points> {
		const key = `${marketId} ${runner} ${pool}`;
		const now = performance.now();
		const shared = this.#shared.get(key);
		if (shared && now < shared.until) return await shared.points;
		const points = priceHistory(this.#reads, marketId, runner, pool);
		const entry = { points, until: Number.POSITIVE_INFINITY };
		this.#shared.delete(key);
		this.#shared.set(key, entry);
		const [oldest] = this.#shared.keys();
		if (oldest !== undefined && this.#shared.size > MOST_SHARED) this.#shared.delete(oldest);
		// A slow read is shared too; a failed one is repeated at once.
		const holdFor = (ms: number) => () => {
			entry.until = performance.now() + ms;
		};
		points.then(holdFor(SHARED_FOR_MS), holdFor(0));
		return await points;
	}
}

/** The matches of a runner in one pool, summed over equal periods between its first and last match. */
async function priceHistory(reads: HeavyReads, marketId: number, runner: number, pool: Pool): Promise<Points> {
	// Matches without a time of their own were made when their taker was placed.
	const { rows } = await reads.query<Stretch>(
		`with met as (
		   select coalesce(met.at, taker.placed_at) as at, met.price, met.stake from bet_match as met
		   join bet as taker on taker.bet_id = met.taker_bet_id
		   where met.market_id = $1 and met.runner = $2 and taker.pool = $3
		     and not exists (select 1 from void_match where void_match.batch = met.batch and void_match.line = met.line)
		 ), span as (select min(at) as first, greatest((max(at) - min(at)) / $4 + 1, 1) as step from met)
		 select (span.first + (met.at - span.first) / span.step * span.step)::bigint as "fromMs", min(price)::int as low,
		   max(price)::int as high, sum(stake)::bigint as stake, sum(stake * price)::bigint as value
		 from met, span group by 1 order by 1`,
		[marketId, runner, pool, MOST_POINTS],
	);
	return rows.map(({ fromMs, low, high, stake, value }) => ({
		at: isoTime(fromMs),
		price: averageDecimal(stake, value) ?? 0,
		low: decimalFromPrice(low),
		high: decimalFromPrice(high),
		volume: majorFromPaise(stake),
	}));
}
