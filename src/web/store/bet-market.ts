/** How the market of a bet writes its prices, which it takes, and what a bet in it comes to; decimal odds until it is known. */

import { useQuery } from '@tanstack/react-query';
import { type BetRange, betRange } from '#values/bet-range.ts';
import type { LadderTerms } from '#values/price-ladder.ts';
import { sideCode } from '#values/sides.ts';
import { ladderTermsOf } from '#web/store/market-ladder.ts';
import { eventMarketsQuery, type OpenBet } from '#web/store/queries.ts';
import { type Quoting, quotingOf } from '#web/store/quoting.ts';

export interface BetMarket {
	quoting: Quoting;
	ladder: LadderTerms;
	/** Of an each-way market the divisor of its place odds; 0 in others. */
	eachWay: number;
}

/** The markets of the bet's match are asked for once for all its bets. */
export function useBetMarket({ eventId, marketId }: Pick<OpenBet, 'eventId' | 'marketId'>): BetMarket {
	const { data } = useQuery(eventMarketsQuery(eventId));
	const market = data?.markets.find(({ id }) => id === marketId);
	if (!data || !market) return { quoting: 'ODDS', ladder: 'CLASSIC', eachWay: 0 };
	return {
		quoting: quotingOf(market, data.event),
		ladder: ladderTermsOf(market),
		eachWay: market.eachWayDivisor ?? 0,
	};
}

export type BetPart = 'unmatched' | 'matched';

const hundredths = (decimal: number): number => Math.round(decimal * 100);

/**
 * What a part of a bet wins and loses at most, paise. What waits is at the price asked. What is matched is the rest of
 * what the server says of the whole bet, because an average price is a rounded one.
 */
export function rangeOfPart(
	bet: Pick<OpenBet, 'side' | 'price' | 'remainingStake' | 'profit' | 'liability'>,
	{ quoting, eachWay }: Pick<BetMarket, 'quoting' | 'eachWay'>,
	part: BetPart,
): BetRange {
	const stake = hundredths(bet.remainingStake);
	const terms = { eachWay, lines: quoting === 'SPREAD' };
	const waiting = betRange(sideCode(bet.side), hundredths(bet.price) * stake, stake, terms);
	if (part === 'unmatched') return waiting;
	return {
		profit: hundredths(bet.profit) - waiting.profit,
		liability: hundredths(bet.liability) - waiting.liability,
	};
}
