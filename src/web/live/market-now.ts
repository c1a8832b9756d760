/** Whether a market takes bets: as the hub last reported it, or else as it was listed. */

import type { Market } from '#web/api/answers.ts';
import { useConnection } from '#web/live/connection.ts';
import { livePrices, useMarketHead } from '#web/live/prices/live-prices.ts';
import type { MarketHead } from '#web/live/prices/price-store.ts';

export interface MarketNow {
	head: MarketHead | null;
	status: Market['status'];
	/** Prices cannot be trusted: the connection or an update was lost. */
	paused: boolean;
	/** Open, with prices that can be trusted. */
	takesBets: boolean;
}

/** @param listed the status in the answer that named the market; without one it takes no bets until the hub reports it */
export function useMarketNow(marketId: string, listed: Market['status'] = 'INACTIVE'): MarketNow {
	const head = useMarketHead(marketId);
	const stale = useConnection((connection) => connection.stale);
	const status = head?.status ?? listed;
	const paused = stale || head?.whole === false;
	return { head, status, paused, takesBets: status === 'OPEN' && !paused };
}

/** The same at this moment, outside React; false before the market's first image. */
export function takesBetsNow(marketId: string): boolean {
	const book = livePrices.book(marketId);
	return book !== null && book.status === 'OPEN' && !book.gap && !useConnection.getState().stale;
}
