/** What a cashback returns a part of: a player's net loss in the last period that is over. */
import type pg from 'pg';
import { DAY_MS, dayOf, dayStartMs } from '#server/funds/calendar.ts';
import { MET_LINKED } from '#server/funds/linked-accounts.ts';
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
 * Results of markets and of rounds of the casino that ended in the period; never below zero. The stake of a round that
 * goes on is no loss yet. A loss in a market in which the player met a linked
 * account counts nothing: the money is still with the two of them.
 */
export async function netLoss(
	db: Pick<pg.Pool, 'query'>,
	playerId: PlayerId,
	{ fromMs, toMs }: CashbackPeriod,
): Promise<AnyPaise> {
	const { rows } = await db.query<{ net: AnyPaise }>(
		`select (
		   coalesce((select sum(profit) from player_settlement as settled where wallet_id = $1 and at >= $2 and at < $3
		     and (profit > 0 or not exists (
		       select 1 from bet where wallet_id = $1 and bet.market_id = settled.market_id and matched > 0 and ${MET_LINKED}
		     ))), 0)
		   + coalesce((select sum(case when credit = 'cash' then amount else -amount end) from workflow as round
		     join posting on posting.kind = 'CASINO' and ref = round.id
		     where round.wallet_id = $1 and round.kind = 'CASINO' and not is_open and round.at >= $2 and round.at < $3
		       and (debit = 'cash' or credit = 'cash')), 0)
		 )::bigint as net`,
		[playerId, fromMs, toMs],
	);
	return Math.max(0, -(rows[0]?.net ?? 0));
}
