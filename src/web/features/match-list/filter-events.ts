/** The filters of a list of fixtures: by competition, and by the day of the start. */

import type { PricedEvent } from '#web/api/answers.ts';
import { formatDay } from '#web/format.ts';

export interface MatchFilter {
	/** Empty for all. */
	competition: string;
	/** A day as the player's calendar has it, 2026-11-21; empty for any. */
	day: string;
}

export const NO_FILTER: MatchFilter = { competition: '', day: '' };

type Listed = Pick<PricedEvent, 'competition' | 'matchDate'>;

/** The player's own day of an ISO time; it sorts as text. */
function dayOf(iso: string): string {
	const moment = new Date(iso);
	const two = (part: number) => String(part).padStart(2, '0');
	return `${moment.getFullYear()}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}`;
}

export const filterEvents = <Event extends Listed>(
	events: readonly Event[],
	{ competition, day }: MatchFilter,
): Event[] =>
	events.filter(
		(event) =>
			(competition === '' || event.competition === competition) && (day === '' || dayOf(event.matchDate) === day),
	);

export const competitionsOf = (events: readonly Listed[]): string[] =>
	[...new Set(events.map(({ competition }) => competition))].sort();

/** The days on which something is listed, in order, with the name a player gives them. */
export function daysOf(
	events: readonly Listed[],
	words: Parameters<typeof formatDay>[1],
	now = new Date(),
): { day: string; name: string }[] {
	const moments = new Map(events.map(({ matchDate }) => [dayOf(matchDate), matchDate]));
	return [...moments]
		.sort(([one], [other]) => (one < other ? -1 : 1))
		.map(([day, moment]) => ({ day, name: formatDay(moment, words, now) }));
}
