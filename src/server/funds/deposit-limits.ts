/** A person's deposits, and the rest that the limits allow. Periods roll: a day is the last 24 hours. */
import type pg from 'pg';
import type { PlayerId } from '#values/ids.ts';

const HOUR_MS = 3_600_000;
export const PERIODS = { DAY: 24 * HOUR_MS, WEEK: 7 * 24 * HOUR_MS, MONTH: 30 * 24 * HOUR_MS } as const;
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
 * Received paise of these accounts, and those that open orders and receipts reserve, by period. An order reserves its amount until its
 * state says that it expired: until then its payment is credited without asking the limits again.
 */
export async function depositedBy(
	db: Pick<pg.Pool, 'query'>,
	playerIds: readonly PlayerId[],
	nowMs: number,
): Promise<Record<Period, number>> {
	const { rows } = await db.query<{ day: number; week: number; month: number }>({
		name: 'deposited-by',
		text: `select coalesce(sum(amount) filter (where at >= $2), 0)::bigint as day,
		   coalesce(sum(amount) filter (where at >= $3), 0)::bigint as week, coalesce(sum(amount), 0)::bigint as month
		 from (
		   select coalesce(data ->> 'paid', data ->> 'amount')::bigint as amount,
		     coalesce((data ->> 'paidAtMs')::bigint, opened_at) as at
		   from workflow where wallet_id = any($1) and (
		     kind = 'PAYMENT' and state in ('CREATED', 'PENDING', 'SUCCESS', 'CREDITED', 'DISPUTED', 'WON')
		     or kind = 'DEPOSIT' and state in ('SUBMITTED', 'SCREENED', 'APPROVED')
		   )
		 ) as deposit where at >= $4`,
		values: [playerIds, nowMs - PERIODS.DAY, nowMs - PERIODS.WEEK, nowMs - PERIODS.MONTH],
	});
	const { day = 0, week = 0, month = 0 } = rows[0] ?? {};
	return { DAY: day, WEEK: week, MONTH: month };
}

/** The limits that are set, with their use. */
export const limitUses = (limits: DepositLimits, used: Record<Period, number>): LimitUse[] =>
	(Object.keys(PERIODS) as Period[]).flatMap((period) => {
		const limit = limits[period];
		if (limit === null) return [];
		return [{ period, limit, used: used[period], left: Math.max(0, limit - used[period]) }];
	});
