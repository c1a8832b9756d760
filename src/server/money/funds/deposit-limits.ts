/** A person's deposits, and the remaining amount under the limits. */
import type pg from 'pg';
import type { BrandRules } from '#contract/brand-rules.ts';
import { CREDITED } from '#server/money/funds/payments/payment-data.ts';
import type { PlayerId } from '#values/ids.ts';
import { DAY_MS } from '#values/time.ts';
import { startsOf } from '#values/zoned-calendar.ts';

export const PERIODS = { DAY: DAY_MS, WEEK: 7 * DAY_MS, MONTH: 30 * DAY_MS } as const;
export type Period = keyof typeof PERIODS;
/** In the order in which limits are judged. */
export const PERIOD_NAMES = Object.keys(PERIODS) as readonly Period[];

/** The instants from which deposits count. */
export type Frames = Readonly<Record<Period, number>>;

/**
 * By the brand's profile, frames are the calendar's, or they roll: a day is the last 24 hours.
 * @param zone of the calendar
 */
export function framesAt(nowMs: number, depositFrames: BrandRules['depositFrames'], zone: string): Frames {
	if (depositFrames === 'rolling')
		return { DAY: nowMs - PERIODS.DAY, WEEK: nowMs - PERIODS.WEEK, MONTH: nowMs - PERIODS.MONTH };
	const { day, week, month } = startsOf(nowMs, zone);
	return { DAY: day, WEEK: week, MONTH: month };
}

/** Minor units; null for no limit. */
export type DepositLimits = Readonly<Record<Period, number | null>>;

export interface LimitUse {
	period: Period;
	limit: number;
	used: number;
	left: number;
}

/**
 * Deposits of each of these accounts, and the amounts reserved by open orders and receipts, by period; minor units. An order
 * reserves its amount until its state is expired, and a receipt until it is decided: until then it is credited without a
 * check of the limits, and in whatever frame that is, so it counts in the present one. Accounts without deposits in the
 * frames are left out.
 */
export async function depositsOf(
	db: Pick<pg.Pool, 'query'>,
	playerIds: readonly PlayerId[],
	{ DAY, WEEK, MONTH }: Frames,
): Promise<Map<PlayerId, Record<Period, number>>> {
	const { rows } = await db.query<{ playerId: PlayerId; day: number; week: number; month: number }>({
		name: 'deposits-of',
		text: `select wallet_id as "playerId", coalesce(sum(amount) filter (where at >= $2), 0)::bigint as day,
		   coalesce(sum(amount) filter (where at >= $3), 0)::bigint as week,
		   coalesce(sum(amount) filter (where at >= $4), 0)::bigint as month
		 from (
		   select wallet_id, ${CREDITED} as amount,
		     case when kind = 'PAYMENT' and state in ('CREATED', 'PENDING') or kind = 'DEPOSIT' and state <> 'APPROVED'
		       then greatest(opened_at, $2, $3, $4)
		       else coalesce((data ->> 'paidAtMs')::bigint, opened_at) end as at
		   from workflow where wallet_id = any($1) and (
		     kind = 'PAYMENT' and state in ('CREATED', 'PENDING', 'SUCCESS', 'CREDITED', 'DISPUTED', 'WON', 'LOST')
		     or kind = 'DEPOSIT' and state in ('SUBMITTED', 'SCREENED', 'APPROVED')
		   )
		 ) as deposit where at >= least($3::bigint, $4::bigint) group by wallet_id`,
		values: [playerIds, DAY, WEEK, MONTH],
	});
	return new Map(rows.map(({ playerId, day, week, month }) => [playerId, { DAY: day, WEEK: week, MONTH: month }]));
}

/** The deposits of these accounts together, by period. */
export async function depositedBy(
	db: Pick<pg.Pool, 'query'>,
	playerIds: readonly PlayerId[],
	frames: Frames,
): Promise<Record<Period, number>> {
	const sums = { DAY: 0, WEEK: 0, MONTH: 0 };
	for (const own of (await depositsOf(db, playerIds, frames)).values())
		for (const period of Object.keys(sums) as Period[]) sums[period] += own[period];
	return sums;
}

/** The limits that are set, with their use. */
export const limitUses = (limits: DepositLimits, used: Record<Period, number>): LimitUse[] =>
	PERIOD_NAMES.flatMap((period) => {
		const limit = limits[period];
		if (limit === null) return [];
		return [{ period, limit, used: used[period], left: Math.max(0, limit - used[period]) }];
	});
