/**
 * Pure calculators of a bet: no state, no network. This file: the notation of a market's prices: decimal odds, the
 * house's rate per 100, YES and NO of a line at such a rate, or lines that are bought and sold.
 */

import { FOOTBALL } from '#values/sports.ts';
import type { EventSummary, Market } from '#web/api/answers.ts';

export const QUOTINGS = ['ODDS', 'RATE', 'LINE', 'SPREAD'] as const;
export type Quoting = (typeof QUOTINGS)[number];

/** The facts of a market that determine the notation of its prices. */
type Quoted = Pick<Market, 'bettingModel' | 'lineRange'> & Pick<EventSummary, 'sportId'> & { byLines: boolean };

/** A bookmaker quotes decimals in football and rates in other sports; a fancy quotes its lines at rates. */
export function quotingOfBet({ bettingModel, byLines, lineRange, sportId }: Quoted): Quoting {
	if (lineRange) return 'SPREAD';
	if (bettingModel === 'FANCY') return byLines ? 'LINE' : 'RATE';
	return bettingModel === 'BOOKMAKER' && sportId !== FOOTBALL ? 'RATE' : 'ODDS';
}

export const quotingOf = (
	market: Pick<Market, 'bettingModel' | 'lines' | 'lineRange'>,
	{ sportId }: Pick<EventSummary, 'sportId'>,
): Quoting => quotingOfBet({ ...market, byLines: market.lines !== undefined, sportId });
