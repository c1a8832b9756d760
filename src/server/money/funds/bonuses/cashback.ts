/** The basis of a cashback: a player's net loss in the last completed period. */
import type pg from 'pg';
import { GAIN, MARKET_RESULT_KINDS } from '#server/exchange/ledger/result-gain.ts';
import { ONE_INTEREST_WITH_PLAYER } from '#server/people/persons/linked-accounts.ts';
import type { MarketId, PlayerId } from '#values/ids.ts';
import type { AnyMinor } from '#values/money.ts';
import { dayOf, dayStart } from '#values/zoned-calendar.ts';

/** Periods follow one another without a gap from 1970 on, in calendar days of the brand. */
interface CashbackPeriod {
	/** Increases by one with each period. */
	number: number;
	fromMs: number;
	toMs: number;
}

/** @param days the length of each period */
export function lastPeriod(nowMs: number, days: number, zone: string): CashbackPeriod {
	const number = Math.floor(dayOf(nowMs, zone) / days) - 1;
	return { number, fromMs: dayStart(number * days, zone), toMs: dayStart((number + 1) * days, zone) };
}

/** The name of a period among those of its length, as a grant has it. */
export const sourceOf = (days: number, { number }: Pick<CashbackPeriod, 'number'>): string =>
	`period:${days}:${number}`;

/** The end of the period for which a grant was given. @param source as `sourceOf` names it */
export function endOf(source: string, zone: string): number {
	const [, days, number] = /^period:(\d+):(\d+)$/.exec(source) ?? [];
	if (days === undefined) throw new Error(`${source} is no period of a cashback`);
	return dayStart((Number(number) + 1) * Number(days), zone);
}

/**
 * SQL: the share, from 0 to 1, of the player $1's loss in each market with a result from $2 to $3 that went to
 * unrelated players. All accounts of one interest are counted together, event by event: a loss to one another stays
 * among them, and their combined loss is shared out among the losing accounts. Commission is left out, so that a loss
 * to each other counts as none.
 */
const LOST_TO_OTHERS = `
	with interest as materialized (
		select other_id as wallet_id from (${ONE_INTEREST_WITH_PLAYER}) as related union select $1::bigint
	), own as materialized (
		select distinct market_id from posting
		where wallet_id = $1 and kind in ${MARKET_RESULT_KINDS} and at >= $2 and at < $3
	), asked as materialized (
		select market_id, coalesce('event ' || fixture_id, 'market ' || market_id) as event from (
			select market_id from own union
			select other.id from own join market_listing as listing on listing.id = market_id
				join market_listing as other using (fixture_id)
		) as of_events left join market_listing on id = market_id
	), gained as (
		select event, wallet_id, sum(${GAIN}) as gain from interest join posting using (wallet_id) join asked using (market_id)
		where kind in ${MARKET_RESULT_KINDS} and kind <> 'COMMISSION' group by 1, 2
	), lost as (
		select event, greatest(0, -sum(gain)) as to_others, sum(greatest(0, -gain)) as in_all from gained group by event
	)
	select market_id as "marketId", coalesce(to_others / nullif(in_all, 0), 0)::float8 as part
	from own join asked using (market_id) join lost using (event)`;

/**
 * Results of markets and of rounds of the casino in the period; never negative. Postings of a completed period stay as
 * they are: a market that is settled again, or a corrected round, counts with the difference, at the time of its
 * posting. A round counts from its end, because the stake of an open round is no loss yet. Only losses to players
 * outside the same interest count.
 */
export async function netLoss(
	db: Pick<pg.Pool, 'query'>,
	playerId: PlayerId,
	{ fromMs, toMs }: Pick<CashbackPeriod, 'fromMs' | 'toMs'>,
): Promise<AnyMinor> {
	const values = [playerId, fromMs, toMs];
	const markets = await db.query<{ marketId: MarketId; gain: AnyMinor }>(
		`select market_id as "marketId", sum(${GAIN})::bigint as gain from posting
		 where wallet_id = $1 and kind in ${MARKET_RESULT_KINDS} and at >= $2 and at < $3 group by market_id`,
		values,
	);
	const rounds = await db.query<{ gain: AnyMinor }>(
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
	const parts = markets.rows.some(({ gain }) => gain < 0)
		? await partsLostToOthers(db, values)
		: new Map<MarketId, number>();
	const net = markets.rows.reduce(
		(sum, { marketId, gain }) => sum + (gain < 0 ? Math.ceil(gain * (parts.get(marketId) ?? 0)) : gain),
		rounds.rows[0]?.gain ?? 0,
	);
	return Math.max(0, -net);
}

async function partsLostToOthers(db: Pick<pg.Pool, 'query'>, values: number[]): Promise<Map<MarketId, number>> {
	const { rows } = await db.query<{ marketId: MarketId; part: number }>(LOST_TO_OTHERS, values);
	return new Map(rows.map(({ marketId, part }) => [marketId, part]));
}
