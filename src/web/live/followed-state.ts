/** A market on its own page and in the slip: the whole of its state, which no list shows. */

import { useCallback, useSyncExternalStore } from 'react';
import type { Market } from '#web/api/answers.ts';
import { takesBetsBy, useListedMarket, useOfHead } from '#web/live/market-now.ts';
import { livePrices } from '#web/live/prices/live-prices.ts';
import type { PriceBook } from '#web/live/prices/price-book.ts';
import type { MarketHead } from '#web/live/prices/price-store.ts';
import { channels } from '#web/store/channels.ts';

/** A market's status, totals and book percentages; null before its first image. */
function useMarketHead(marketId: string): MarketHead | null {
	const subscribe = useCallback((listener: () => void) => livePrices.watchHead(marketId, listener), [marketId]);
	const read = useCallback(() => livePrices.head(marketId), [marketId]);
	return useSyncExternalStore(subscribe, read);
}

/** The whole book, read again at each change of it; null before its first image. */
export function useBook(marketId: string): PriceBook | null {
	const subscribe = useCallback((listener: () => void) => livePrices.watchBook(marketId, listener), [marketId]);
	const read = useCallback(() => livePrices.bookChangeCount(marketId), [marketId]);
	useSyncExternalStore(subscribe, read);
	return livePrices.book(marketId);
}

const onLiveness = (listener: () => void) => channels.onChange(listener);

const useIsLive = (marketId: string): boolean =>
	useSyncExternalStore(
		onLiveness,
		useCallback(() => channels.isLive(`market:${marketId}`), [marketId]),
	);

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
	const paused = !live || head?.whole !== true;
	return { head, status: head?.status ?? listed, paused, takesBets: takesBetsBy(head, live) };
}

/** `useMarketNow` for views that have nothing of a market's totals. */
export function useTakesBets(marketId: string): { takesBets: boolean; inPlay: boolean } {
	const { takesBets } = useListedMarket(marketId);
	const inPlay = useOfHead(marketId, (head) => head?.inPlay === true);
	return { takesBets, inPlay };
}
