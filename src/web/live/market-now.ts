/** Whether a market takes bets: as the hub last reported it, or else as it was listed. */

import { useCallback, useSyncExternalStore } from 'react';
import type { Market } from '#web/api/answers.ts';
import { livePrices, useMarketHead } from '#web/live/prices/live-prices.ts';
import type { MarketHead } from '#web/live/prices/price-store.ts';
import { channels } from '#web/store/channels.ts';

export interface MarketNow {
	head: MarketHead | null;
	status: Market['status'];
	/** Prices cannot be trusted: no heartbeat confirms them, or an update was lost. */
	paused: boolean;
	/** Open, with prices that can be trusted. */
	takesBets: boolean;
}

/** @param listed the status in the answer that named the market; without one it takes no bets until the hub reports it */
export function useMarketNow(marketId: string, listed: Market['status'] = 'INACTIVE'): MarketNow {
	const head = useMarketHead(marketId);
	const live = useIsLive(marketId);
	const status = head?.status ?? listed;
	const paused = !live || head?.whole !== true;
	return { head, status, paused, takesBets: status === 'OPEN' && !paused };
}

/** A part of a market's head; its totals, which change with every price, render nothing again. */
function useOfHead<Part extends string | boolean | undefined>(
	marketId: string,
	partOf: (head: MarketHead | null) => Part,
): Part {
	const subscribe = useCallback((listener: () => void) => livePrices.watchHead(marketId, listener), [marketId]);
	return useSyncExternalStore(subscribe, () => partOf(livePrices.head(marketId)));
}

/** `useMarketNow` for views that have nothing of a market's totals. */
export function useTakesBets(marketId: string, listed: Market['status']): { takesBets: boolean; inPlay: boolean } {
	const live = useIsLive(marketId);
	const status = useOfHead(marketId, (head) => head?.status) ?? listed;
	const whole = useOfHead(marketId, (head) => head?.whole === true);
	const inPlay = useOfHead(marketId, (head) => head?.inPlay === true);
	return { takesBets: status === 'OPEN' && whole && live, inPlay };
}

const onLiveness = (listener: () => void) => channels.onChange(listener);

const useIsLive = (marketId: string): boolean =>
	useSyncExternalStore(
		onLiveness,
		useCallback(() => channels.isLive(`market:${marketId}`), [marketId]),
	);

/** Whether prices cannot be trusted at this moment, outside React; true before the market's first image. */
export const isPausedNow = (marketId: string): boolean =>
	livePrices.book(marketId)?.proved !== true || !channels.isLive(`market:${marketId}`);

/** Whether the market takes bets at this moment, outside React. */
export const takesBetsNow = (marketId: string): boolean =>
	livePrices.book(marketId)?.status === 'OPEN' && !isPausedNow(marketId);
