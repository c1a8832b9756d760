/** The site's one price store, and the hook by which cells read it. */

import { useCallback, useSyncExternalStore } from 'react';
import type { BookSide } from '#web/live/prices/price-book.ts';
import { type CellPrice, PriceStore } from '#web/live/prices/price-store.ts';

let askImage: (marketId: string) => void = () => undefined;

/** Sets how a market's image is requested; called when the hub starts. */
export function setImageRequest(ask: (marketId: string) => void): void {
	askImage = ask;
}

export const livePrices = new PriceStore({
	schedule: (deliver) => void requestAnimationFrame(deliver),
	onGap: (marketId) => askImage(marketId),
});

/** One cell's price; renders again only when this cell changed. */
export function useCellPrice(marketId: string, runnerId: string, side: BookSide, level: number): CellPrice | null {
	const subscribe = useCallback(
		(listener: () => void) => livePrices.watchCell(marketId, runnerId, side, level, listener),
		[marketId, runnerId, side, level],
	);
	const read = useCallback(() => livePrices.cell(marketId, runnerId, side, level), [marketId, runnerId, side, level]);
	return useSyncExternalStore(subscribe, read);
}
