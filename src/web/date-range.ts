/** The stretch of time a list is filtered by, in the player's own days. */

type Period = 'ALL' | 'TODAY' | 'YESTERDAY' | 'WEEK' | 'MONTH' | 'OWN';

export interface DateRange {
	period: Period;
	/** For OWN: days as a date field gives them, 2026-11-21, or empty for no bound. */
	firstDay: string;
	lastDay: string;
}

export const ANY_TIME: DateRange = { period: 'ALL', firstDay: '', lastDay: '' };

/** How far the player's clock is ahead of UTC now. */
export const utcOffsetMinutes = (): number => -new Date().getTimezoneOffset();

const DAYS_BACK: Partial<Record<Period, number>> = { TODAY: 0, WEEK: 6, MONTH: 29 };
const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;

/** The beginning of a day, or of one so many days later; null for what is no day. */
function startOf(day: string, daysLater = 0): Date | null {
	const [, year, month, date] = DAY.exec(day) ?? [];
	if (!year) return null;
	const start = new Date(Number(year), Number(month) - 1, Number(date) + daysLater);
	return Number.isNaN(start.getTime()) ? null : start;
}

/** As calls take it: ISO times in UTC, the last day included whole. Bounds given the wrong way round are turned. */
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
