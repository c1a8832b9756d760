/** What the slip and a ladder say of a bet after it was placed, while the bet goes on elsewhere. */
import { QueryClientProvider } from '@tanstack/react-query';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import { minorOf } from '#values/money.ts';
import { priceAt } from '#values/price-ladder.ts';
import type { OpenBet, PlacedBet } from '#web/api/answers.ts';
import { NO_OPTIONS, type Selection } from '#web/betting/selection.ts';
import { PlacedResult } from '#web/features/bet-slip/placed-result.tsx';
import { afterItsEnd } from '#web/orders/bet-outcome.ts';
import { placedWords } from '#web/orders/placed-words.ts';
import { queryClient } from '#web/store/query-client.ts';

const STAKE = minorOf(500_00);
const selection: Selection = {
	...NO_OPTIONS,
	eventId: '1',
	eventTitle: 'India v Nepal',
	marketId: '7',
	marketName: 'Match Odds',
	runnerId: 'IND',
	runnerName: 'India',
	side: 'BACK',
	quoting: 'ODDS',
	ladder: 'CLASSIC',
	price: priceAt(100),
	ownPrice: false,
	stake: '500',
	requestId: 'a-request',
	phase: { kind: 'editing', refusal: null },
};
const answered = {
	betId: '42',
	status: 'UNMATCHED',
	price: selection.price,
	stake: STAKE,
	matchedStake: minorOf(0),
	averagePrice: null,
	matched: { profit: minorOf(0), liability: minorOf(0) },
	remainingStake: STAKE,
	placedAt: '2026-03-01T12:00:00.000Z',
} as unknown as PlacedBet;

/** As the list of open bets has it. */
const listed = (now: Partial<OpenBet>) => ({ ...answered, ...now }) as unknown as OpenBet;
const said = (last: OpenBet) => placedWords(afterItsEnd(last), selection);

afterEach(() => queryClient.clear());

it('a bet that was cancelled or changed in the list of bets waits no longer, and no market is blamed', () => {
	expect(said(listed({ status: 'UNMATCHED' }))).toBe('Nothing of this bet was matched, and it is no longer open.');
	expect(said(listed({ status: 'PENDING' }))).toMatch(/^Lapsed/);
});

it('a bet that was matched before it left the list, as by a settlement, is the matched part alone', () => {
	const odds = { averagePrice: selection.price };
	const whole = listed({ status: 'MATCHED', matchedStake: STAKE, remainingStake: minorOf(0), ...odds });
	const part = listed({
		status: 'PARTIALLY_MATCHED',
		matchedStake: minorOf(200_00),
		remainingStake: minorOf(300_00),
		...odds,
	});
	expect(said(whole)).toMatch(/^Matched: ₹500 at/);
	expect(said(part)).toMatch(/^Matched: ₹200 at/);
});

it.each([
	['two minutes behind', -120_000],
	['right', 0],
	['two minutes ahead', 120_000],
])('the seconds of a delay are those of the server on a device whose clock is %s', (_, offMs) => {
	vi.useFakeTimers({ toFake: ['Date', 'performance'] });
	onTestFinished(() => void vi.useRealTimers());
	vi.setSystemTime(Date.parse(answered.placedAt) + offMs);
	const bet = { ...answered, status: 'PENDING' as const, delayUntil: '2026-03-01T12:00:08.000Z' };
	const placed = { kind: 'placed' as const, bet, answeredAtMs: performance.now() };
	vi.advanceTimersByTime(3_000);
	const page = renderToStaticMarkup(
		createElement(QueryClientProvider, { client: queryClient }, createElement(PlacedResult, { selection, placed })),
	);
	expect(/(\d+) s left/.exec(page)?.[1]).toBe('5');
});
