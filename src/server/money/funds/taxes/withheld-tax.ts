/** The tax that is withheld from a player's withdrawal, and given back if it is not paid out. */
import type pg from 'pg';
import { rulesAt, zoneAt } from '#contract/rules-at.ts';
import type { DataOf } from '#server/exchange/order/workflow-data.ts';
import type { Brand } from '#server/world/brands/brands.ts';
import type { PlayerId } from '#values/ids.ts';
import type { AnyMinor } from '#values/money.ts';
import { isRealPool, type Pool, stepOf } from '#values/pools.ts';
import { type AccountYear, netWinningsIn, type Tax, taxOf, YEAR_BEGINS } from '#values/taxes.ts';
import { dayName, dayOf, startOfDate } from '#values/zoned-calendar.ts';

type Withheld = NonNullable<DataOf<'WITHDRAWAL'>['tax']>;

/** A financial year of a zone. */
interface TaxYear {
	/** The calendar year in which it begins. */
	year: number;
	fromMs: number;
	toMs: number;
}

const NAME_OF_YEAR = 'yyyy'.length;

/** The financial year in which an instant lies. */
export function taxYearAt(atMs: number, zone: string): TaxYear {
	const calendar = Number(dayName(dayOf(atMs, zone)).slice(0, NAME_OF_YEAR));
	const beginOf = (year: number) => startOfDate(`${year}-${YEAR_BEGINS}`, zone);
	const year = beginOf(calendar) <= atMs ? calendar : calendar - 1;
	return { year, fromMs: beginOf(year), toMs: beginOf(year + 1) };
}

/** Play money is not taxed. */
const isTaxed = (pool: Pool): boolean => isRealPool(pool);

const changeOf = (accounts: string): string =>
	`(case when credit in (${accounts}) then amount else 0 end - case when debit in (${accounts}) then amount else 0 end)`;

/**
 * The account of player `$1` in the year from `$2` to before `$3`. A withdrawal leaves the account when it is asked for,
 * and so does a tax. One that was refused after the year's end was taxed in the year, because its tax stays.
 */
const ACCOUNT_YEAR = `
	select coalesce(sum(change) filter (where at < $2), 0)::bigint as opening, coalesce(sum(change), 0)::bigint as closing,
	  coalesce(sum(change) filter (where at >= $2 and kind in ('PAYMENT', 'DEPOSIT', 'DISPUTE')), 0)::bigint as deposited,
	  coalesce(-sum(change) filter (where at >= $2 and kind in ('WITHDRAWAL', 'TAX')), 0)::bigint as withdrawn,
	  (select coalesce(sum((data -> 'tax' ->> 'base')::bigint), 0)::bigint from workflow
	   where wallet_id = $1 and kind = 'WITHDRAWAL' and opened_at >= $2 and opened_at < $3
	     and (state not in ('REJECTED', 'CANCELLED', 'FAILED', 'RETURNED') or at >= $3)) as taxed
	from (
	  select kind, at, case when kind in ('WITHDRAWAL', 'TAX') then ${changeOf(`'cash'`)}
	    else ${changeOf(`'cash', 'exposure', 'hold'`)} end as change
	  from posting where wallet_id = $1 and at < $3
	) as moved`;

export async function accountYear(
	db: Pick<pg.Pool, 'query'>,
	playerId: PlayerId,
	{ fromMs, toMs }: Pick<TaxYear, 'fromMs' | 'toMs'>,
): Promise<AccountYear> {
	const { rows } = await db.query<AccountYear>({
		name: 'account-year',
		text: ACCOUNT_YEAR,
		values: [playerId, fromMs, toMs],
	});
	return rows[0] as AccountYear;
}

export const winningsTaxIn = (taxes: readonly Tax[]): Tax | null =>
	taxes.find(({ base }) => base === 'NET_WINNINGS') ?? null;

/**
 * The tax of a withdrawal of this amount, which the player receives less the tax; null where the brand's profile has
 * none. Called in the player's turn: two withdrawals at once would both take the year's deposits off.
 */
export async function withheldTax(
	db: Pick<pg.Pool, 'query'>,
	{ playerId, setting, pool }: { playerId: PlayerId; setting: Brand['setting']; pool: Pool },
	amount: AnyMinor,
	nowMs: number,
): Promise<Withheld | null> {
	const tax = isTaxed(pool) ? winningsTaxIn(rulesAt(setting, () => nowMs).taxes) : null;
	if (!tax) return null;
	const { fromMs, toMs } = taxYearAt(nowMs, zoneAt(setting, nowMs));
	const base = netWinningsIn(amount, await accountYear(db, playerId, { fromMs, toMs }));
	return { name: tax.name, base, amount: taxOf(base, tax.rateBp, stepOf(pool)), yearEndsAtMs: toMs };
}

/**
 * What a withdrawal that is not paid out gives back of its tax. After the year's end the tax stays: the winnings were
 * taxed in that year, and what comes back is no winnings of the next.
 */
export const taxOnReturn = ({ tax }: Pick<DataOf<'WITHDRAWAL'>, 'tax'>, nowMs: number): AnyMinor =>
	tax && nowMs < tax.yearEndsAtMs ? tax.amount : 0;
