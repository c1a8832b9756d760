/** What screens say of a player's bets whose answer has not come: nothing, and not that there are none. */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createElement, type ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { EventMarkets } from '#web/api/answers.ts';
import { CallFailure } from '#web/api/failure.ts';
import { SlipCard } from '#web/features/bet-slip/slip-card.tsx';
import { Triggers } from '#web/features/open-bets/triggers.tsx';
import { eventMarketsQuery, openBetsQuery, profitLossQuery } from '#web/store/queries.ts';
import { queryClient } from '#web/store/query-client.ts';
import { triggersQuery } from '#web/store/triggers.ts';
import { SELECTION } from '../support/selection.ts';

// Rendered to a string, a component has the state with which a store began; here a player is logged in.
vi.mock('#web/store/session.ts', async (importOriginal) => {
	const original = await importOriginal<typeof import('#web/store/session.ts')>();
	const state = { ...original.useSession.getState(), user: { userId: '1' } };
	const useSession = Object.assign((of: (session: typeof state) => unknown) => of(state), original.useSession);
	return { ...original, useSession };
});

// Prices that can be trusted, of which there are none.
vi.mock('#web/live/followed-state.ts', () => ({
	useMarketNow: (_: string, status: string) => ({ head: null, status, paused: false }),
}));
vi.mock('#web/live/prices/live-prices.ts', async (importOriginal) => ({
	...(await importOriginal<typeof import('#web/live/prices/live-prices.ts')>()),
	useCellPrice: () => null,
}));

const market = {
	id: SELECTION.marketId,
	name: SELECTION.marketName,
	status: 'OPEN',
	bettingModel: 'EXCHANGE',
	numberOfWinners: 1,
	runners: [
		{ id: 'IND', name: 'India' },
		{ id: 'NEP', name: 'Nepal' },
	],
};

beforeEach(() => {
	const markets = { event: { title: SELECTION.eventTitle }, markets: [market] } as unknown as EventMarkets;
	queryClient.setQueryData(eventMarketsQuery(SELECTION.eventId).queryKey, markets);
});
afterEach(() => queryClient.clear());

const shown = (part: ReactElement, client = queryClient): string =>
	renderToStaticMarkup(createElement(QueryClientProvider, { client }, part));
/** The slip's amounts of a back of 500: profit, risk and cost. */
const amounts = (): string[] => {
	const card = shown(createElement(SlipCard, { selection: SELECTION }));
	return [...card.matchAll(/<dd[^>]*>([^<]*)/g)].map(([, text = '']) => text.trim());
};

it('the slip says what a bet holds and frees once the player’s bets and nets are known, and not as if there were none', () => {
	const unknown = ['–', '–', '–'];
	expect(amounts()).toEqual(unknown);
	queryClient.setQueryData(openBetsQuery().queryKey, { openBets: [], balance: 0, exposure: 0, totalCount: 0 } as never);
	expect(amounts()).toEqual(unknown);
	queryClient.setQueryData(profitLossQuery().queryKey, []);
	expect(amounts()).toEqual(['₹510', '₹500', '₹500']);
});

it('bets that wait for their price are said to be unknown where their answer failed', () => {
	// A failed one is asked for again as it is shown, and is pending until then.
	const client = new QueryClient({ defaultOptions: { queries: { retryOnMount: false } } });
	const waiting = () => shown(createElement(Triggers, { enabled: true }), client);
	expect(waiting()).toBe('');
	const { queryKey } = triggersQuery();
	client
		.getQueryCache()
		.build(client, { queryKey })
		.setState({ status: 'error', error: new CallFailure('NETWORK', 0, 'No connection.') });
	expect(waiting()).toContain('No connection.');
	client.setQueryData(queryKey, { triggers: [] });
	expect(waiting()).toBe('');
});
