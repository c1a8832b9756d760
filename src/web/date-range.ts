/** The period by which a list is filtered, in days of the brand's zone. */
import { dayName, dayNumber, dayOf, dayStart } from '#values/zoned-calendar.ts';
import { serverNow } from '#web/store/server-clock.ts';

type Period = 'ALL' | 'TODAY' | 'YESTERDAY' | 'WEEK' | 'MONTH' | 'OWN';

export interface DateRange {
	period: Period;
	/** For OWN: days as a date field gives them, 2026-11-21, or empty for no bound. */
	firstDay: string;
	lastDay: string;
}

export const ANY_TIME: DateRange = { period: 'ALL', firstDay: '', lastDay: '' };

const DAYS_BACK: Partial<Record<Period, number>> = { TODAY: 0, WEEK: 6, MONTH: 29 };
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** The number of a day; null for an invalid one, such as the 31st of February. */
function numberOf(day: string): number | null {
	const number = DAY.test(day) ? dayNumber(day) : Number.NaN;
	return Number.isNaN(number) || dayName(number) !== day ? null : number;
}

/**
 * In the form for calls: ISO times in UTC, including the whole last day. Reversed bounds are swapped.
 * @param zone whose days are meant: the brand's, whose days limits and reports count, wherever the device is
 */
export function boundsOf(
	{ period, firstDay, lastDay }: DateRange,
	zone: string,
	nowMs: number = serverNow(),
): { from?: string; to?: string } {
	const from = (day: number) => ({ from: new Date(dayStart(day, zone)).toISOString() });
	const to = (day: number) => ({ to: new Date(dayStart(day + 1, zone) - 1).toISOString() });
	if (period === 'OWN') {
		const [first, last] = [numberOf(firstDay), numberOf(lastDay)];
		const isTurned = first !== null && last !== null && first > last;
		const [begin, end] = isTurned ? [last, first] : [first, last];
		return { ...(begin === null ? {} : from(begin)), ...(end === null ? {} : to(end)) };
	}
	const today = dayOf(nowMs, zone);
	if (period === 'YESTERDAY') return { ...from(today - 1), ...to(today - 1) };
	const back = DAYS_BACK[period];
	return back === undefined ? {} : from(today - back);
}
