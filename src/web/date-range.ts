/** The period by which a list is filtered, in the player's own days. */

type Period = 'ALL' | 'TODAY' | 'YESTERDAY' | 'WEEK' | 'MONTH' | 'OWN';

export interface DateRange {
	period: Period;
	/** For OWN: days as a date field gives them, 2026-11-21, or empty for no bound. */
	firstDay: string;
	lastDay: string;
}

export const ANY_TIME: DateRange = { period: 'ALL', firstDay: '', lastDay: '' };

const DAYS_BACK: Partial<Record<Period, number>> = { TODAY: 0, WEEK: 6, MONTH: 29 };
const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;

/** The beginning of a day, or of the day N days later; null for an invalid day. */
function startOf(day: string, daysLater = 0): Date | null {
	const [, year, month, date] = DAY.exec(day) ?? [];
	if (!year) return null;
	const start = new Date(Number(year), Number(month) - 1, Number(date) + daysLater);
	return Number.isNaN(start.getTime()) ? null : start;
}

/** In the form for calls: ISO times in UTC, including the whole last day. Reversed bounds are swapped. */
export function boundsOf(
	{ period, firstDay, lastDay }: DateRange,
	now: Date = new Date(),
): { from?: string; to?: string } {
	if (period === 'OWN') {
		const turned = startOf(firstDay) !== null && startOf(lastDay) !== null && firstDay > lastDay;
		const from = startOf(turned ? lastDay : firstDay);
		const end = startOf(turned ? firstDay : lastDay, 1);
		return {
			...(from ? { from: from.toISOString() } : {}),
			...(end ? { to: new Date(end.getTime() - 1).toISOString() } : {}),
		};
	}
	const dayStart = (daysAgo: number) => new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysAgo);
	if (period === 'YESTERDAY') {
		return { from: dayStart(1).toISOString(), to: new Date(dayStart(0).getTime() - 1).toISOString() };
	}
	const back = DAYS_BACK[period];
	if (back === undefined) return {};
	return { from: dayStart(back).toISOString() };
}
