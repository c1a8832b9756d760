/**
 * The data of a match's page for its first view: its books, and everything else that is requested before the page
 * opens.
 */

import { queryOptions } from '@tanstack/react-query';
import { MOST_BOOKS } from '#values/most-books.ts';
import { call } from '#web/api/client.ts';
import { knownMatch } from '#web/live/known-match.ts';
import { livePrices } from '#web/live/prices/live-prices.ts';
import { eventMarketsQuery, scoreCardQuery, videoLinkQuery } from '#web/store/queries.ts';
import { queryClient } from '#web/store/query-client.ts';
import { isLoggedIn } from '#web/store/session.ts';

/** Fills the price store with images, so that a page shows prices before the hub is connected. */
export const booksQuery = (marketIds: readonly string[]) =>
	queryOptions({
		queryKey: ['books', ...marketIds],
		queryFn: async ({ signal }) => {
			const asked = [];
			for (let at = 0; at < marketIds.length; at += MOST_BOOKS)
				asked.push(call('getUserOddsV2', { marketIds: marketIds.slice(at, at + MOST_BOOKS).join(',') }, { signal }));
			const books = (await Promise.all(asked)).flat();
			for (const book of books) livePrices.receiveImage(book, false);
			return books.length;
		},
		enabled: marketIds.length > 0,
		staleTime: Number.POSITIVE_INFINITY,
		// Long enough for a page that was preloaded; the hub's images are newer by then.
		gcTime: 5000,
	});

/**
 * Requests the data of a match's page. The page repeats requests that fail here and shows their errors.
 * @param isOpened the page is being opened; one that is drawn by what is known asks by itself, after it is painted
 */
export function preloadMatch(eventId: string, isOpened: boolean): void {
	if (!isLoggedIn() || (isOpened && knownMatch(eventId))) return;
	void queryClient.prefetchQuery(scoreCardQuery(eventId));
	void queryClient.prefetchQuery(videoLinkQuery(eventId));
	queryClient
		.fetchQuery(eventMarketsQuery(eventId))
		.then(({ markets }) => queryClient.prefetchQuery(booksQuery(markets.map(({ id }) => id))))
		.catch(() => undefined);
}
