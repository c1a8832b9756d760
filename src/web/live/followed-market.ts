/** Subscribes to a market's prices while a component shows them. */

import { useEffect } from 'react';
import { channels } from '#web/store/channels.ts';

/** @param marketId empty for none */
export function useFollowedMarket(marketId: string): void {
	useEffect(() => (marketId === '' ? undefined : channels.subscribe(`market:${marketId}`)), [marketId]);
}
