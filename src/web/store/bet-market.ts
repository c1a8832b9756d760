/** How the market of a bet writes its prices, and which it takes; decimal odds until it is known. */

import { useQuery } from '@tanstack/react-query';
import type { LadderName } from '#values/price-ladder.ts';
import { eventMarketsQuery, type OpenBet } from '#web/store/queries.ts';
import { type Quoting, quotingOf } from '#web/store/quoting.ts';

/** The markets of the bet's match are asked for once for all its bets. */
export function useBetMarket({ eventId, marketId }: Pick<OpenBet, 'eventId' | 'marketId'>): {
	quoting: Quoting;
	ladder: LadderName;
} {
	const { data } = useQuery(eventMarketsQuery(eventId));
	const market = data?.markets.find(({ id }) => id === marketId);
	if (!data || !market) return { quoting: 'ODDS', ladder: 'CLASSIC' };
	return { quoting: quotingOf(market, data.event), ladder: market.ladder };
}
