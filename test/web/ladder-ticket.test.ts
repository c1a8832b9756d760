/** What the button of a ladder's ticket says that a bet costs, in markets and at moments where stake and risk differ. */
import { QueryClientProvider } from '@tanstack/react-query';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { LADDERS, type Price } from '#values/price-ladder.ts';
import { NO_OPTIONS, type Selection } from '#web/betting/selection.ts';
import { LadderTicket } from '#web/features/market/ladder/ladder-ticket.tsx';
import { queryClient } from '#web/store/query-client.ts';

const noop = () => undefined;

/** The texts of the ticket's button and of the line below it. */
function shown(
	asked: Partial<Selection>,
	{ eachWay = 0, closed = null as string | null } = {},
): [button: string, why: string] {
	const selection: Selection = {
		...NO_OPTIONS,
		eventId: '1',
		eventTitle: '14:30 Brackenmoor',
		marketId: '7',
		marketName: 'Win',
		runnerId: 'A',
		runnerName: 'Amber Gale',
		side: 'BACK',
		quoting: 'ODDS',
		ladder: 'CLASSIC',
		price: 300 as Price,
		ownPrice: true,
		stake: '500',
		requestId: 'a-request',
		phase: { kind: 'editing', refusal: null },
		...asked,
	};
	const ticket = createElement(LadderTicket, {
		orders: { lifted: null, busy: false, lift: noop, aim: noop, drop: noop, letGo: noop },
		ladder: LADDERS.CLASSIC,
		quoting: 'ODDS',
		bets: [],
		stake: { text: selection.stake, set: noop, box: { current: null }, lead: noop, wrongBy: undefined },
		selection,
		closed,
		taken: { keeps: true, options: [], whens: ['', 'START'] },
		eachWay,
		isSaid: true,
		onCancel: noop,
	});
	const page = renderToStaticMarkup(createElement(QueryClientProvider, { client: queryClient }, ticket));
	const textOf = (part: RegExp) => (part.exec(page)?.[1] ?? '').replaceAll(/<[^>]*>/g, '').trim();
	return [textOf(/(<button.*?<\/button>)/s), textOf(/(<p id="7[^>]*>.*?<\/p>)/s)];
}

it('a bet at once risks its stake, and a lay what the odds cost', () => {
	expect(shown({})[0]).toBe('Back Amber Gale 3.00 · ₹500 · risk ₹500');
	expect(shown({ side: 'LAY' })[0]).toBe('Lay Amber Gale 3.00 · ₹500 · risk ₹1,000');
});

it('an each-way bet risks its stake twice', () => {
	expect(shown({}, { eachWay: 4 })[0]).toBe('Back Amber Gale 3.00 · ₹500 · risk ₹1,000');
});

it('at the starting price there are no odds yet, and what was typed is what a lay can lose', () => {
	expect(shown({ when: 'START' })[0]).toBe('Back Amber Gale at the starting price · ₹500 · risk ₹500');
	expect(shown({ when: 'START', side: 'LAY' })[0]).toBe('Lay Amber Gale at the starting price · ₹500 · risk ₹500');
	expect(shown({ when: 'START', whenAt: 'a' })[1]).toBe('Enter the worst starting price, or leave it empty.');
});

it('a button that takes no press says why: first what the player can mend, then the state of the market', () => {
	const closed = 'Betting on this runner is suspended.';
	expect(shown({}, { closed })[1]).toBe(closed);
	expect(shown({ stake: 'a' }, { closed })[1]).toBe('Enter a stake, such as 100 or 99.50.');
});
