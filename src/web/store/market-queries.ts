/** What slip and market page ask about one market: limits, depth, price history, cash-out. Loaded with them. */

import { queryOptions } from '@tanstack/react-query';
import type { HubMessages } from '#contract/hub-messages.ts';
import { call } from '#web/api/client.ts';
import type { AnswerOf, Inside } from '#web/api/units.ts';

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

/** Traded volume by price, and own bets in their queues. @param runnerId all runners without it */
export const ladderQuery = (marketId: string, runnerId?: string) =>
	queryOptions({
		queryKey: ['player', 'ladder', marketId, runnerId ?? null],
		queryFn: ({ signal }) => call('getLadder', { marketId, runnerId }, { signal }),
		refetchInterval: 2000,
		staleTime: 0,
		gcTime: 0,
	});

type History = AnswerOf<'getPriceHistory'>;

/** Of all runners; the hub's messages continue it. */
export const priceHistoryQuery = (marketId: string) =>
	queryOptions({
		queryKey: ['price-history', marketId],
		queryFn: ({ signal }) => call('getPriceHistory', { marketId }, { signal }),
		refetchInterval: 60_000,
	});

/** A point that began at the same time is the same one, grown. */
export function continued(held: History, runners: Inside<HubMessages['PriceHistory']>['runners']): History {
	return {
		...held,
		runners: held.runners.map((runner) => {
			const newer = runners.find(({ runnerId }) => runnerId === runner.runnerId);
			if (!newer) return runner;
			const { runnerId, ...point } = newer;
			const last = runner.points.at(-1);
			if (last && last.at > point.at) return runner;
			const before = last?.at === point.at ? runner.points.slice(0, -1) : runner.points;
			return { runnerId, points: [...before, point] };
		}),
	};
}

/** A quote lives five seconds; it is asked again well before. */
/** Of all shares of a market's position. */
export const cashOutKey = (marketId: string) => ['player', 'cash-out', marketId] as const;

/** What stands armed, for when there is no quote that tells it. */
export const cashOutTargetQuery = (marketId: string) =>
	queryOptions({
		queryKey: [...cashOutKey(marketId), 'target'],
		queryFn: ({ signal }) => call('getCashOutTarget', { marketId }, { signal }),
		staleTime: 0,
	});

/** @param percent share of the position */
export const cashOutQuery = (marketId: string, percent = 100) =>
	queryOptions({
		queryKey: [...cashOutKey(marketId), percent],
		queryFn: ({ signal }) => call('cashOutQuote', { marketId, percent: String(percent) }, { signal }),
		refetchInterval: 2000,
		staleTime: 0,
		retry: false,
	});
