/** How the market of a bet writes its prices and which prices it takes; decimal odds until the market is known. */

import { useQuery } from '@tanstack/react-query';
import type { LadderTerms } from '#values/price-ladder.ts';
import type { OpenBet } from '#web/api/answers.ts';
import { ladderTermsOf } from '#web/betting/market-ladder.ts';
import { type Quoting, quotingOf } from '#web/betting/quoting.ts';
import { eventMarketsQuery } from '#web/store/queries.ts';

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
