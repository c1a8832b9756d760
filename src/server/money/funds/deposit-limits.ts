/** A person's deposits, and the remaining amount under the limits. Periods roll: a day is the last 24 hours. */
import type pg from 'pg';
import { CREDITED } from '#server/money/funds/payments/payment-data.ts';
import type { PlayerId } from '#values/ids.ts';
import { DAY_MS } from '#values/time.ts';

export const PERIODS = { DAY: DAY_MS, WEEK: 7 * DAY_MS, MONTH: 30 * DAY_MS } as const;
export type Period = keyof typeof PERIODS;

/** Paise; null for no limit. */
export type DepositLimits = Readonly<Record<Period, number | null>>;

export interface LimitUse {
	period: Period;
	limit: number;
	used: number;
	left: number;
}

/**
 * Deposits of each of these accounts, and the amounts reserved by open orders and receipts, by period; paise. An order
 * reserves its amount until its state is expired: until then its payment is credited without a check of the limits.
 * Accounts without deposits in the last month are left out.
 */
export async function depositsOf(
	db: Pick<pg.Pool, 'query'>,
	playerIds: readonly PlayerId[],
	nowMs: number,
): Promise<Map<PlayerId, Record<Period, number>>> {
	const { rows } = await db.query<{ playerId: PlayerId; day: number; week: number; month: number }>({
		name: 'deposits-of',
		text: `select wallet_id as "playerId", coalesce(sum(amount) filter (where at >= $2), 0)::bigint as day,
		   coalesce(sum(amount) filter (where at >= $3), 0)::bigint as week, sum(amount)::bigint as month
		 from (
		   select wallet_id, ${CREDITED} as amount,
		     coalesce((data ->> 'paidAtMs')::bigint, opened_at) as at
		   from workflow where wallet_id = any($1) and (
		     kind = 'PAYMENT' and state in ('CREATED', 'PENDING', 'SUCCESS', 'CREDITED', 'DISPUTED', 'WON', 'LOST')
		     or kind = 'DEPOSIT' and state in ('SUBMITTED', 'SCREENED', 'APPROVED')
		   )
		 ) as deposit where at >= $4 group by wallet_id`,
		values: [playerIds, nowMs - PERIODS.DAY, nowMs - PERIODS.WEEK, nowMs - PERIODS.MONTH],
	});
	return new Map(rows.map(({ playerId, day, week, month }) => [playerId, { DAY: day, WEEK: week, MONTH: month }]));
}

/** The deposits of these accounts together, by period. */
export async function depositedBy(
	db: Pick<pg.Pool, 'query'>,
	playerIds: readonly PlayerId[],
	nowMs: number,
): Promise<Record<Period, number>> {
	const sums = { DAY: 0, WEEK: 0, MONTH: 0 };
	for (const own of (await depositsOf(db, playerIds, nowMs)).values())
		for (const period of Object.keys(sums) as Period[]) sums[period] += own[period];
	return sums;
}

/** The limits that are set, with their use. */
export const limitUses = (limits: DepositLimits, used: Record<Period, number>): LimitUse[] =>
	(Object.keys(PERIODS) as Period[]).flatMap((period) => {
		const limit = limits[period];
		if (limit === null) return [];
		return [{ period, limit, used: used[period], left: Math.max(0, limit - used[period]) }];
	});
