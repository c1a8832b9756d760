/** Subscribes to a market's prices while a component shows them. */

import { useEffect } from 'react';
import { hub } from '#web/live/hub.ts';

/** @param marketId empty for none */
export function useFollowedMarket(marketId: string): void {
	useEffect(() => (marketId === '' ? undefined : hub.subscribe(`market:${marketId}`)), [marketId]);
}
