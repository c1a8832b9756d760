/** What a cashback returns a part of: a player's net loss in the last period that is over. */
import type pg from 'pg';
import { GAIN, MARKET_RESULT_KINDS } from '#server/exchange/result-gain.ts';
import { DAY_MS, dayOf, dayStartMs } from '#server/funds/calendar.ts';
import { MET_LINKED } from '#server/persons/linked-accounts.ts';
import type { PlayerId } from '#values/ids.ts';
import type { AnyPaise } from '#values/money.ts';

/** Periods follow one another without a gap from 1970 on, in days of India's calendar. */
export interface CashbackPeriod {
	/** Rises by one with each. */
	number: number;
	fromMs: number;
	toMs: number;
}

/** @param days how long each period is */
export function lastPeriod(nowMs: number, days: number): CashbackPeriod {
	const number = Math.floor(dayOf(nowMs) / days) - 1;
	const fromMs = dayStartMs(number * days);
	return { number, fromMs, toMs: fromMs + days * DAY_MS };
}

/**
 * Results of markets and of rounds of the casino in the period; never below zero. What was posted in a period that is
 * over stays as it is: a market that is settled again, or a round that is corrected, counts by the difference, when that
 * is posted. A round counts from its end on, because the stake of one that goes on is no loss yet. A loss in a market in
 * which the player met a linked account counts nothing: the money is still with the two of them.
 */
export async function netLoss(
	db: Pick<pg.Pool, 'query'>,
	playerId: PlayerId,
	{ fromMs, toMs }: Pick<CashbackPeriod, 'fromMs' | 'toMs'>,
): Promise<AnyPaise> {
	const { rows } = await db.query<{ net: AnyPaise }>(
		`with market as (
		   select market_id, sum(${GAIN}) as gain from posting
		   where wallet_id = $1 and kind in ${MARKET_RESULT_KINDS} and at >= $2 and at < $3
		   group by market_id
		 )
		 select (
		   coalesce((select sum(gain) from market where gain > 0 or not exists (
		     select 1 from bet where wallet_id = $1 and bet.market_id = market.market_id and matched > 0 and ${MET_LINKED}
		   )), 0)
		   + coalesce((select sum(${GAIN}) from workflow as round
		     join posting on posting.kind = 'CASINO' and ref = round.id
		     cross join lateral (
		       select min(at) as at from workflow_step as step
		       where step.kind = 'CASINO' and step.id = round.id and to_state <> 'OPEN'
		     ) as ended
		     where round.wallet_id = $1 and round.kind = 'CASINO' and not is_open and round.at >= $2
		       and greatest(posting.at, ended.at) >= $2 and greatest(posting.at, ended.at) < $3), 0)
		 )::bigint as net`,
		[playerId, fromMs, toMs],
	);
	return Math.max(0, -(rows[0]?.net ?? 0));
}
