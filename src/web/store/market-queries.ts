/** What slip and market page ask about one market: limits, depth, price history, cash-out. Loaded with them. */

import { queryOptions } from '@tanstack/react-query';
import { call } from '#web/api/client.ts';

export const limitsQuery = (marketId: string) =>
	queryOptions({
		queryKey: ['player', 'limits', marketId],
		queryFn: ({ signal }) => call('getUserLimits', { marketId }, { signal }),
	});

/** What is offered ten levels deep. */
export const depthQuery = (marketId: string) =>
	queryOptions({
		queryKey: ['depth', marketId],
		queryFn: async ({ signal }) =>
			(await call('getUserOddsV2', { marketIds: marketId, depth: '10' }, { signal }))[0] ?? null,
		refetchInterval: 1000,
		staleTime: 0,
		gcTime: 0,
	});

export const priceHistoryQuery = (marketId: string, runnerId: string) =>
	queryOptions({
		queryKey: ['price-history', marketId, runnerId],
		queryFn: ({ signal }) => call('getPriceHistory', { marketId, runnerId }, { signal }),
		refetchInterval: 10_000,
	});

/** A quote lives five seconds; it is asked again well before. */
export const cashOutQuery = (marketId: string) =>
	queryOptions({
		queryKey: ['player', 'cash-out', marketId],
		queryFn: ({ signal }) => call('cashOutQuote', { marketId }, { signal }),
		refetchInterval: 2000,
		staleTime: 0,
		retry: false,
	});
