/**
 * The house's books by day: for each account its opening balance at midnight, the day's movements, and its closing
 * balance.
 */

import { type DayPeriod, SPAN_OF_ROW, startsOfSpans } from '#server/operators/zone-reports.ts';
import type { HeavyReads } from '#server/platform/postgres/heavy-reads.ts';
import type { AnyMinor } from '#values/money.ts';
import type { Pool } from '#values/pools.ts';
import { dayStart, daysBetween } from '#values/zoned-calendar.ts';

/** Minor units. A balance is credits less debits, as in the trial balance. */
interface DayEntry {
	/** The number of the day. */
	day: number;
	account: string;
	opening: AnyMinor;
	debits: AnyMinor;
	credits: AnyMinor;
	closing: AnyMinor;
}

interface Moved {
	account: string;
	day: number;
	debits: AnyMinor;
	credits: AnyMinor;
}

/**
 * The days of a zone from the first to the last, both included, by day and account. Players' accounts are summed by kind, so the
 * openings of a day sum to zero, as do its closings, and its debits equal its credits. An empty account without
 * movements is left out.
 */
export async function dayBooks(
	reads: Pick<HeavyReads, 'query'>,
	pool: Pool,
	{ first, last }: DayPeriod,
	zone: string,
): Promise<DayEntry[]> {
	// All earlier time counts as one day, so that one statement covers openings and days.
	const { rows } = await reads.query<Moved>(
		`select account, $2::bigint + ${SPAN_OF_ROW} - 1 as day,
		   sum(debit)::bigint as debits, sum(credit)::bigint as credits
		 from (
		   select debit as account, at, amount as debit, 0 as credit from posting where pool = $1 and at < $3
		   union all select credit, at, 0, amount from posting where pool = $1 and at < $3
		 ) as moves group by 1, 2 order by 1, 2`,
		[pool, first, dayStart(last + 1, zone), startsOfSpans(daysBetween(first, last, zone))],
	);
	const accounts = Map.groupBy(rows, ({ account }) => account);
	return [...accounts]
		.flatMap(([account, moved]) => daysOf(account, moved, { first, last }))
		.sort((one, other) => one.day - other.day || (one.account < other.account ? -1 : 1));
}

function daysOf(account: string, moved: readonly Moved[], { first, last }: DayPeriod): DayEntry[] {
	const byDay = new Map(moved.map((move) => [move.day, move]));
	const before = byDay.get(first - 1);
	let balance = before ? before.credits - before.debits : 0;
	const entries: DayEntry[] = [];
	for (let day = first; day <= last; day++) {
		const { debits = 0, credits = 0 } = byDay.get(day) ?? {};
		const opening = balance;
		balance += credits - debits;
		if (opening !== 0 || debits > 0 || credits > 0)
			entries.push({ day, account, opening, debits, credits, closing: balance });
	}
	return entries;
}
