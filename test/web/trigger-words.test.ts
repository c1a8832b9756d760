/** Bets that wait for a price, in the words and numbers of their market. */
import { QueryClientProvider } from '@tanstack/react-query';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, expect, it } from 'vitest';
import type { EventMarkets } from '#web/api/answers.ts';
import { Triggers } from '#web/features/open-bets/triggers.tsx';
import { writeOddsAs } from '#web/format.ts';
import { eventMarketsQuery } from '#web/store/queries.ts';
import { queryClient } from '#web/store/query-client.ts';
import { triggersQuery } from '#web/store/triggers.ts';

afterEach(() => {
	writeOddsAs('DECIMAL');
	queryClient.clear();
});

const trigger = {
	triggerId: '9',
	eventId: '1',
	marketId: '7',
	side: 'BACK',
	runnerName: 'Runs',
	stake: 500_00,
	price: 16550,
	watches: 'LAST_TRADED',
	moves: 'RISES',
	at: 16650,
	trail: null,
	status: 'WAITING',
};

function shownIn(market: object): string {
	const markets = { event: { sportId: 3 }, markets: [{ id: '7', bettingModel: 'EXCHANGE', ...market }] };
	queryClient.setQueryData(eventMarketsQuery('1').queryKey, markets as unknown as EventMarkets);
	queryClient.setQueryData(triggersQuery().queryKey, { triggers: [trigger] } as never);
	const list = createElement(QueryClientProvider, { client: queryClient }, createElement(Triggers, { enabled: true }));
	return renderToStaticMarkup(list).replaceAll(/<[^>]*>/g, ' ');
}

it('a line is no odds: it is sold or bought at a number, in whatever format the odds are', () => {
	writeOddsAs('FRACTIONAL');
	const text = shownIn({ lineRange: { min: 100, max: 300, interval: 0.5 } });
	for (const words of ['Sell', '₹500 at 165.5', 'rises to 166.5']) expect(text).toContain(words);
	expect(shownIn({})).toContain('Back');
});
