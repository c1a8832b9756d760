import type pg from 'pg';
import type { ResultOf } from '#contract/call.ts';
import type { Calls } from '#contract/registry.ts';
import { averageDecimal, isoTime } from '#server/exchange/wire-views.ts';
import { majorFromPaise } from '#values/money.ts';
import type { Pool } from '#values/pools.ts';
import { decimalFromPrice } from '#values/price-ladder.ts';

/** More points than a screen shows apart. */
const MOST_POINTS = 200;

interface Stretch {
	fromMs: number;
	low: number;
	high: number;
	stake: number;
	value: number;
}

/** The matches of a runner in one pool, summed up over equal stretches of the time in which it was traded. */
export async function priceHistory(
	pool: pg.Pool,
	marketId: number,
	runner: number,
	ofPool: Pool,
): Promise<ResultOf<Calls['getPriceHistory']>['points']> {
	// Matches from before their time was written down were made when their taker was placed.
	const { rows } = await pool.query<Stretch>(
		`with met as (
		   select coalesce(met.at, taker.placed_at) as at, met.price, met.stake from bet_match as met
		   join bet as taker on taker.bet_id = met.taker_bet_id
		   where met.market_id = $1 and met.runner = $2 and taker.pool = $3
		     and not exists (select 1 from void_match where void_match.batch = met.batch and void_match.line = met.line)
		 ), span as (select min(at) as first, greatest((max(at) - min(at)) / $4 + 1, 1) as step from met)
		 select (span.first + (met.at - span.first) / span.step * span.step)::bigint as "fromMs", min(price)::int as low,
		   max(price)::int as high, sum(stake)::bigint as stake, sum(stake * price)::bigint as value
		 from met, span group by 1 order by 1`,
		[marketId, runner, ofPool, MOST_POINTS],
	);
	return rows.map(({ fromMs, low, high, stake, value }) => ({
		at: isoTime(fromMs),
		price: averageDecimal(stake, value) ?? 0,
		low: decimalFromPrice(low),
		high: decimalFromPrice(high),
		volume: majorFromPaise(stake),
	}));
}
