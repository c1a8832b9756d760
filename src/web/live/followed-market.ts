/** What shows a market's prices has the hub tell of them while it is shown, on whatever page that is. */

import { useEffect } from 'react';
import { hub } from '#web/live/hub.ts';

/** @param marketId empty for none */
export function useFollowedMarket(marketId: string): void {
	useEffect(() => (marketId === '' ? undefined : hub.subscribe(`market:${marketId}`)), [marketId]);
}
