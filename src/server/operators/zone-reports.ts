/**
 * Reports of brands with days of their own: a report is read once for each zone, with the starts of that zone's days or
 * hours. Books that belong to no brand have the days of BOOKS_ZONE.
 */
import { zoneAt } from '#contract/rules-at.ts';
import type { Brand } from '#server/world/brands/brands.ts';
import { Refused } from '#values/error-catalogue.ts';
import { dayNumber, dayStart, type Span } from '#values/zoned-calendar.ts';

/** A longer period has to be requested in parts. */
export const MOST_DAYS = 92;

/** The number of the span of a row, from 1 on, among the starts `$4`. */
export const SPAN_OF_ROW = 'width_bucket(at, $4::bigint[])';

/** Days of a calendar by their numbers, both included. */
export interface DayPeriod {
	first: number;
	last: number;
}

/** @throws Refused VALIDATION_FAILED */
export function dayPeriod({ from, to }: { from: string; to: string }, most = MOST_DAYS): DayPeriod {
	const [first, last] = [dayNumber(from), dayNumber(to)];
	if (last < first || last - first >= most)
		throw new Refused('VALIDATION_FAILED', {}, `The period has between 1 and ${most} days.`);
	return { first, last };
}

export const instantsOf = ({ first, last }: DayPeriod, zone: string): { fromMs: number; toMs: number } => ({
	fromMs: dayStart(first, zone),
	toMs: dayStart(last + 1, zone),
});

export const startsOfSpans = (spans: readonly Span[]): number[] => spans.map(({ fromMs }) => fromMs);

/** @param number of SPAN_OF_ROW */
export const nameOfSpan = (spans: readonly Span[], number: number): string => spans[number - 1]?.name ?? '';

/** What is read for each zone of these brands, with the hosts of its brands. */
export async function forEachZone<Row>(
	brands: readonly Pick<Brand, 'host' | 'setting'>[],
	nowMs: number,
	read: (zone: string, hosts: string[]) => Promise<Row[]>,
): Promise<Row[]> {
	const zones = Map.groupBy(brands, ({ setting }) => zoneAt(setting, nowMs));
	const rows: Row[] = [];
	// One after the other: they share the connections for slow reads.
	for (const [zone, own] of zones)
		rows.push(
			...(await read(
				zone,
				own.map(({ host }) => host),
			)),
		);
	return rows;
}
