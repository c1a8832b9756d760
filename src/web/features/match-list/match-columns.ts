/**
 * Which fixtures of a list fit on one row with a column for each outcome, and the order of the outcomes. Races, and
 * other fixtures with more outcomes, list their runners one below another.
 */

import type { PricedEvent } from '#web/api/answers.ts';

export type MainMarket = NonNullable<PricedEvent['mainMarket']>;
export type Runner = MainMarket['runners'][number];

/** From left to right. */
const PLACES = ['home', 'draw', 'away'] as const;
export type Place = (typeof PLACES)[number];

export interface Outcome {
	place: Place;
	runner: Runner;
}

/** A market of a match lists its draw last. */
const PLACES_AS_LISTED: readonly Place[] = ['home', 'away', 'draw'];

const hasColumns = ({ type, runners }: MainMarket): boolean =>
	runners.length === 2 || (runners.length === 3 && type === 'MATCH_ODDS');

/** From left to right; empty without a market, null where the runners are listed one below another. */
export function outcomesOf({ mainMarket }: Pick<PricedEvent, 'mainMarket'>): Outcome[] | null {
	if (!mainMarket) return [];
	if (!hasColumns(mainMarket)) return null;
	return PLACES.flatMap((place) => {
		const runner = mainMarket.runners[PLACES_AS_LISTED.indexOf(place)];
		return runner ? [{ place, runner }] : [];
	});
}

/** Whether two sides meet; otherwise the title names the subject, such as an instrument whose level goes up or down. */
export const isBetweenSides = (event: Pick<PricedEvent, 'title' | 'mainMarket'>): boolean =>
	sidesOf(event).length === 2;

/** The names of the two sides that meet, the one at home first; none of another fixture. */
export function sidesOf({ title, mainMarket }: Pick<PricedEvent, 'title' | 'mainMarket'>): string[] {
	const sides = (outcomesOf({ mainMarket }) ?? [])
		.filter(({ place }) => place !== 'draw')
		.map(({ runner }) => runner.name);
	return sides.length === 2 && sides.every((name) => title.includes(name)) ? sides : [];
}

/** The headings over the prices of one sport: the places that any fixture has, or null for no columns. */
export function placesOf(events: readonly Pick<PricedEvent, 'mainMarket'>[]): readonly Place[] | null {
	const taken = events.flatMap((event) => outcomesOf(event) ?? []).map(({ place }) => place);
	if (taken.length === 0) return null;
	return PLACES.filter((place) => taken.includes(place));
}

/** The heading of a place: its sign between two sides, else the name of the runners there, such as Up. */
export function headingOf(place: Place, events: readonly PricedEvent[], signs: Record<Place, string>): string {
	if (events.some(isBetweenSides)) return signs[place];
	const outcomes = events.map((event) => outcomesOf(event) ?? []).find(({ length }) => length > 0) ?? [];
	return outcomes.find((outcome) => outcome.place === place)?.runner.name ?? signs[place];
}

const priceOf = ({ back }: Runner): number => back?.price ?? Number.POSITIVE_INFINITY;

/** The N runners with the lowest prices, the favourite first; equal ones in the market's order. */
export const favouritesOf = (runners: readonly Runner[], count: number): Runner[] =>
	runners
		.toSorted((one, other) => (priceOf(one) === priceOf(other) ? 0 : priceOf(one) - priceOf(other)))
		.slice(0, count);
