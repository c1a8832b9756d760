/** What a cashback returns a part of: a player's net loss in the last period that is over. */
import type pg from 'pg';
import type { Exchange } from '#server/exchange/exchange.ts';
import { GAIN, MARKET_RESULT_KINDS } from '#server/exchange/result-gain.ts';
import { DAY_MS, dayOf, dayStartMs } from '#server/funds/calendar.ts';
import { type AtRisk, moneyAtRisk } from '#server/funds/money-at-risk.ts';
import type { MarketId, PlayerId } from '#values/ids.ts';
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
 * is posted. A round counts from its end on, because the stake of one that goes on is no loss yet. Of a loss
 * counts what was at risk for all accounts with one interest: what they lose to each other is still with them.
 */
export async function netLoss(
	db: Pick<pg.Pool, 'query'>,
	exchange: Pick<Exchange, 'openBets'>,
	playerId: PlayerId,
	{ fromMs, toMs }: Pick<CashbackPeriod, 'fromMs' | 'toMs'>,
): Promise<AnyPaise> {
	const values = [playerId, fromMs, toMs];
	const markets = await db.query<{ marketId: MarketId; gain: AnyPaise }>(
		`select market_id as "marketId", sum(${GAIN})::bigint as gain from posting
		 where wallet_id = $1 and kind in ${MARKET_RESULT_KINDS} and at >= $2 and at < $3 group by market_id`,
		values,
	);
	const rounds = await db.query<{ gain: AnyPaise }>(
		`select coalesce(sum(${GAIN}), 0)::bigint as gain from workflow as round
		 join posting on posting.kind = 'CASINO' and ref = round.id
		 cross join lateral (
		   select min(at) as at from workflow_step as step
		   where step.kind = 'CASINO' and step.id = round.id and to_state <> 'OPEN'
		 ) as ended
		 where round.wallet_id = $1 and round.kind = 'CASINO' and not is_open and round.at >= $2
		   and greatest(posting.at, ended.at) >= $2 and greatest(posting.at, ended.at) < $3`,
		values,
	);
	const shares = markets.rows.some(({ gain }) => gain < 0)
		? sharesOf(await moneyAtRisk(db, exchange, playerId))
		: new Map<MarketId, number>();
	const net = markets.rows.reduce(
		(sum, { marketId, gain }) => sum + (gain < 0 ? Math.ceil(gain * (shares.get(marketId) ?? 1)) : gain),
		rounds.rows[0]?.gain ?? 0,
	);
	return Math.max(0, -net);
}

/** By market, the part of its event's risk that is not with accounts of one interest. */
const sharesOf = (risks: readonly AtRisk[]): Map<MarketId, number> =>
	new Map(risks.flatMap(({ marketIds, share }) => (marketIds ?? []).map((marketId) => [marketId, share] as const)));
