/** The market page. This file: which kind a market is, how it is grouped, and which of a fancy's lines is shown first. */

import type { Price } from '#values/price-ladder.ts';
import type { Market } from '#web/api/answers.ts';
import type { PriceBook } from '#web/live/prices/price-book.ts';

const GROUPS = [
	'ODDS',
	'BOOKMAKER',
	'RACE',
	'FANCY',
	'LINES',
	'GOALS',
	'HANDICAP',
	'SCORE',
	'SETS',
	'LEVEL',
	'OTHER',
] as const;
export type Group = (typeof GROUPS)[number];

const GROUP_OF_TYPE: Record<string, Group> = {
	MATCH_ODDS: 'ODDS',
	BOOKMAKER: 'BOOKMAKER',
	WIN: 'RACE',
	PLACE: 'RACE',
	EACH_WAY: 'RACE',
	LINE: 'LINES',
	OVER_UNDER: 'GOALS',
	ASIAN_HANDICAP: 'HANDICAP',
	CORRECT_SCORE: 'SCORE',
	SET_WINNER: 'SETS',
	TRADE: 'LEVEL',
};

export function groupOf({ type, bettingModel }: Pick<Market, 'type' | 'bettingModel'>): Group {
	return GROUP_OF_TYPE[type] ?? (bettingModel === 'EXCHANGE' ? 'OTHER' : bettingModel);
}

/** The existing groups, in the page's order, each with its markets in listed order. */
export function grouped(markets: readonly Market[]): { group: Group; markets: Market[] }[] {
	return GROUPS.map((group) => ({ group, markets: markets.filter((market) => groupOf(market) === group) })).filter(
		(each) => each.markets.length > 0,
	);
}

export const isSettled = ({ status }: Pick<Market, 'status'>): boolean => status === 'SETTLED' || status === 'VOIDED';

/** Runners that are teams or people get a crest; a score or a number of goals needs none. */
const CRESTED: ReadonlySet<string> = new Set(['MATCH_ODDS', 'BOOKMAKER', 'SET_WINNER', 'TO_WIN_THE_TOSS', 'OUTRIGHT']);
export const hasCrests = ({ type }: Pick<Market, 'type'>): boolean => CRESTED.has(type);

export interface OfferedLine {
	line: number;
	runnerId: string;
	/** Prices of YES and NO; null where the house takes none. */
	yes: Price | null;
	no: Price | null;
}

/** The lines with an available price now, rising. */
export function offeredLines(lines: readonly number[], book: Pick<PriceBook, 'runners'> | null): OfferedLine[] {
	return lines.flatMap((line) => {
		const runnerId = String(line);
		const runner = book?.runners.get(runnerId);
		const [yes = null, no = null] = [runner?.back[0]?.price, runner?.lay[0]?.price];
		return yes === null && no === null ? [] : [{ line, runnerId, yes, no }];
	});
}

/** The price of evens, and more than the distance of any price from it. */
const EVENS = 200;
const FAR = 100_000;

/** The most even line: offered both ways, with rates nearest to evens. */
export function mainLine(offered: readonly OfferedLine[]): OfferedLine | null {
	const distance = ({ yes, no }: OfferedLine): number =>
		Math.abs(((yes ?? no ?? 0) + (no ?? yes ?? 0)) / 2 - EVENS) + (yes === null || no === null ? FAR : 0);
	return offered.reduce<OfferedLine | null>(
		(best, line) => (best === null || distance(line) < distance(best) ? line : best),
		null,
	);
}
