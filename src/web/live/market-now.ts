/** Whether a market takes bets: as the hub last reported it, or else as it was listed. */

import { useCallback, useSyncExternalStore } from 'react';
import type { Minor } from '#values/money.ts';
import type { Market } from '#web/api/answers.ts';
import { livePrices } from '#web/live/prices/live-prices.ts';
import type { MarketHead } from '#web/live/prices/price-store.ts';
import { channels } from '#web/store/channels.ts';

/** A part of a market's head; its totals, which change with every price, render nothing again. */
export function useOfHead<Part extends string | number | boolean | undefined>(
	marketId: string,
	partOf: (head: MarketHead | null) => Part,
): Part {
	const subscribe = useCallback((listener: () => void) => livePrices.watchHead(marketId, listener), [marketId]);
	return useSyncExternalStore(subscribe, () => partOf(livePrices.head(marketId)));
}

/** The rule: it is open, and its prices can be trusted, because they came whole and the line confirms them. */
export const takesBetsBy = (head: MarketHead | null, isLive: boolean): boolean =>
	head?.whole === true && isLive && head.status === 'OPEN';

/**
 * A market in a list: before the hub's first image it stands as it was listed. Renders again when one of these changes,
 * and not at each step towards it.
 */
export function useListedMarket(
	marketId: string,
	listed: Market['status'] = 'INACTIVE',
): { isKnown: boolean; status: Market['status']; takesBets: boolean } {
	const subscribe = useCallback(
		(listener: () => void) => {
			const ends = [livePrices.watchHead(marketId, listener), channels.onChange(listener)];
			return () => {
				for (const end of ends) end();
			};
		},
		[marketId],
	);
	const state = useSyncExternalStore(subscribe, () => {
		const head = livePrices.head(marketId);
		return takesBetsBy(head, channels.isLive(`market:${marketId}`)) ? 'TAKES_BETS' : head?.status;
	});
	const takesBets = state === 'TAKES_BETS';
	return { isKnown: state !== undefined, status: takesBets ? 'OPEN' : (state ?? listed), takesBets };
}

/** What is matched in a market by the hub; undefined before its first image. */
export const useTotalMatched = (marketId: string): Minor | undefined =>
	useOfHead(marketId, (head) => head?.totalMatched);

/** Whether prices cannot be trusted at this moment, outside React; true before the market's first image. */
export const isPausedNow = (marketId: string): boolean =>
	livePrices.book(marketId)?.proved !== true || !channels.isLive(`market:${marketId}`);

/** Whether the market takes bets at this moment, outside React. */
export const takesBetsNow = (marketId: string): boolean =>
	livePrices.book(marketId)?.status === 'OPEN' && !isPausedNow(marketId);
