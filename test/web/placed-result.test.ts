/** What the slip and a ladder say of a bet after it was placed, while the bet goes on elsewhere. */
import { QueryClientProvider } from '@tanstack/react-query';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import { minorOf } from '#values/money.ts';
import type { OpenBet, OpenBets, PlacedBet } from '#web/api/answers.ts';
import { PlacedResult } from '#web/features/bet-slip/placed-result.tsx';
import { openBetsQuery } from '#web/store/queries.ts';
import { queryClient } from '#web/store/query-client.ts';
import { useSlip } from '#web/store/slip.ts';
import { SELECTION } from '../support/selection.ts';

const STAKE = minorOf(500_00);
const answered = {
	betId: '42',
	status: 'UNMATCHED',
	price: SELECTION.price,
	stake: STAKE,
	matchedStake: minorOf(0),
	averagePrice: null,
	matched: { profit: minorOf(0), liability: minorOf(0) },
	remainingStake: STAKE,
	placedAt: '2026-03-01T12:00:00.000Z',
} as unknown as PlacedBet;

const { queryKey } = openBetsQuery();
const showOpen = (...openBets: object[]) => queryClient.setQueryData(queryKey, { openBets } as unknown as OpenBets);

function shown(bet: PlacedBet, answeredAtMs = performance.now()): string {
	const placed = { kind: 'placed' as const, bet, answeredAtMs };
	const card = createElement(PlacedResult, { selection: SELECTION, placed });
	return renderToStaticMarkup(createElement(QueryClientProvider, { client: queryClient }, card));
}

/** What the slip says after the bet was in the list of open bets so, and left it. No sheet showed it meanwhile. */
function saidAfter(now: Partial<OpenBet>): string {
	const placed = { kind: 'placed' as const, bet: answered, answeredAtMs: 0 };
	useSlip.setState({ selections: [{ ...SELECTION, phase: placed }] });
	showOpen({ ...answered, ...now });
	showOpen();
	return /<b[^>]*>(.*?)<\/b>/.exec(shown(answered))?.[1] ?? '';
}

afterEach(() => {
	useSlip.setState({ selections: [] });
	queryClient.clear();
});

it('a bet that was cancelled or changed in the list of bets waits no longer, and no market is blamed', () => {
	expect(saidAfter({ status: 'UNMATCHED' })).toBe('Nothing of this bet was matched, and it is no longer open.');
	expect(saidAfter({ status: 'PENDING' })).toMatch(/^Lapsed/);
});

it('a bet that was matched before it left the list, as by a settlement, is the matched part alone', () => {
	const odds = { averagePrice: SELECTION.price };
	expect(saidAfter({ status: 'MATCHED', matchedStake: STAKE, remainingStake: minorOf(0), ...odds })).toMatch(
		/^Matched: ₹500 at/,
	);
	const [matchedStake, remainingStake] = [minorOf(200_00), minorOf(300_00)];
	expect(saidAfter({ status: 'PARTIALLY_MATCHED', matchedStake, remainingStake, ...odds })).toMatch(
		/^Matched: ₹200 at/,
	);
});

it('a bet that no list has had yet is as it was answered', () => {
	showOpen();
	expect(shown(answered)).toContain('Unmatched: ₹500 at');
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
	const answeredAtMs = performance.now();
	vi.advanceTimersByTime(3_000);
	expect(/(\d+) s left/.exec(shown(bet, answeredAtMs))?.[1]).toBe('5');
});
