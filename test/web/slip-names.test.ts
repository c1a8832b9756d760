/** Names in the slip, which keeps what was pressed while the page changes its language: at a log-in, or by choice. */
import { QueryClientProvider } from '@tanstack/react-query';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, expect, it } from 'vitest';
import type { EventMarkets } from '#web/api/answers.ts';
import type { Selection } from '#web/betting/selection.ts';
import { SlipCard } from '#web/features/bet-slip/slip-card.tsx';
import { eventMarketsQuery } from '#web/store/queries.ts';
import { queryClient } from '#web/store/query-client.ts';
import { SELECTION } from '../support/selection.ts';

afterEach(() => queryClient.clear());

/** Pressed while the page was in English. */
const selection: Selection = {
	...SELECTION,
	runnerId: 'X',
	runnerName: 'The Draw',
	phase: { kind: 'unknown' },
};

const page = (shown: Selection = selection): string =>
	renderToStaticMarkup(
		createElement(QueryClientProvider, { client: queryClient }, createElement(SlipCard, { selection: shown })),
	);

it('are those of the market on the page, and those of the press until it is known', () => {
	expect(page()).toContain('The Draw');
	const market = { id: '7', name: 'मैच ऑड्स', runners: [{ id: 'X', name: 'ड्रॉ' }] };
	const markets = { event: { title: 'India v Nepal' }, markets: [market] } as unknown as EventMarkets;
	queryClient.setQueryData(eventMarketsQuery('1').queryKey, markets);
	expect(page()).toContain('ड्रॉ');
	expect(page()).toContain('मैच ऑड्स');
	expect(page()).not.toMatch(/The Draw|Match Odds/);
	// A line of a fancy is named by its number.
	expect(page({ ...selection, quoting: 'LINE', runnerName: '46' })).toContain('46');
});
