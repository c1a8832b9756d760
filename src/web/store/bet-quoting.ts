/** How the market of a bet writes its prices; decimal odds until it is known. */

import { useQuery } from '@tanstack/react-query';
import { eventMarketsQuery, type OpenBet } from '#web/store/queries.ts';
import { type Quoting, quotingOf } from '#web/store/quoting.ts';

/** The markets of the bet's match are asked for once for all its bets. */
export function useBetQuoting({ eventId, marketId }: Pick<OpenBet, 'eventId' | 'marketId'>): Quoting {
	const { data } = useQuery(eventMarketsQuery(eventId));
	const market = data?.markets.find(({ id }) => id === marketId);
	return data && market ? quotingOf(market, data.event) : 'ODDS';
}
