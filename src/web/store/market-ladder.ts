/** The prices a market takes: a ladder's name, or its own range of lines in hundredths. */
import type { LineRange } from '#values/line-range.ts';
import type { LadderTerms } from '#values/price-ladder.ts';
import type { Market } from '#web/store/queries.ts';

const hundredths = (decimal: number): number => Math.round(decimal * 100);

/** Null for a market whose prices are odds or rates. */
export function lineRangeOf({ lineRange }: Pick<Market, 'lineRange'>): LineRange | null {
	if (!lineRange) return null;
	const { min, max, interval } = lineRange;
	return { min: hundredths(min), max: hundredths(max), interval: hundredths(interval) };
}

export const ladderTermsOf = (market: Pick<Market, 'ladder' | 'lineRange'>): LadderTerms =>
	market.ladder === 'LINES' ? (lineRangeOf(market) ?? 'FINE') : market.ladder;
