/** The book of a fancy: the player's net at every number, against each bet settled by itself. */
import { describe, expect, it } from 'vitest';
import { RISING } from '#values/figures.ts';
import { type Minor, minorOf, ZERO } from '#values/money.ts';
import type { Price } from '#values/price-ladder.ts';
import type { Market, OpenBet } from '#web/api/answers.ts';
import { bookWithBet, fancyBook } from '#web/betting/fancy-book.ts';
import { netOfNone, outcomesOf, positionOf, previewBet } from '#web/betting/position.ts';

const LINES = [40, 41, 42, 43, 44, 45, 46];

/** Minor units; `line` 46 at rate 110 is a price of 2.1. */
interface Bet {
	side: 'BACK' | 'LAY';
	line: number;
	rate: number;
	stake: number;
}

/** The slow way: each bet by itself, YES wins when its line is reached. */
function netAt(bets: readonly Bet[], result: number): number {
	return bets.reduce((sum, { side, line, rate, stake }) => {
		const yes = result >= line ? (stake * rate) / 100 : -stake;
		return sum + (side === 'BACK' ? yes : -yes);
	}, 0);
}

const minor = (amounts: readonly number[]): Minor[] => amounts.map(minorOf);

const BETS: Bet[] = [
	{ side: 'BACK', line: 42, rate: 100, stake: 50_000 },
	{ side: 'LAY', line: 45, rate: 120, stake: 30_000 },
	{ side: 'BACK', line: 45, rate: 80, stake: 10_000 },
	{ side: 'LAY', line: 41, rate: 90, stake: 20_000 },
];

const asOpenBet = ({ side, line, stake }: Bet) =>
	({ marketId: 'm', runnerId: String(line), side, matchedStake: stake, remainingStake: 0 }) as OpenBet;
const profitLoss = (bets: readonly Bet[]) => [
	{
		eventId: 'e',
		marketId: 'm',
		worst: ZERO,
		runners: LINES.map((line) => {
			const net = netAt(bets, line);
			return { runnerId: String(line), profitLoss: minorOf(net), exact: net * 100 };
		}),
	},
];
const outcomes = { marketId: 'm', runnerIds: LINES.map(String), winners: RISING };

describe('a fancy’s book', () => {
	it('shows for every number the sum of the single bets’ results', () => {
		const none = netOfNone(outcomes, BETS.map(asOpenBet));
		const book = fancyBook(LINES, none, minor(LINES.map((line) => netAt(BETS, line))));
		for (let result = 30; result < 60; result++) {
			const interval = book.filter(({ from, to }) => (from ?? 0) <= result && result <= (to ?? 1000));
			expect(interval).toHaveLength(1);
			expect(interval[0]?.net).toBe(netAt(BETS, result));
		}
	});

	it('joins neighbours with the same result and leaves both ends open', () => {
		expect(fancyBook(LINES, minorOf(-500), minor([-500, -500, 500, 500, 500, 500, 500]))).toEqual([
			{ from: null, to: 41, net: -500 },
			{ from: 42, to: null, net: 500 },
		]);
		expect(fancyBook(LINES, ZERO, minor([0, 0, 0, 0, 0, 0, 0]))).toEqual([{ from: null, to: null, net: 0 }]);
	});

	it('ends an interval a hundredth below a line that is no whole number', () => {
		expect(fancyBook([1.5, 2.5], minorOf(-1), minor([-1, 1]))[0]).toEqual({ from: null, to: 2.49, net: -1 });
	});

	it('adds the bet in the slip to the placed ones', () => {
		const position = positionOf(outcomes, BETS.map(asOpenBet), profitLoss(BETS));
		const preview = previewBet(position, { runner: 3, side: 'LAY', price: 250 as Price, stake: minorOf(10_000) });
		const all: Bet[] = [...BETS, { side: 'LAY', line: 43, rate: 150, stake: 10_000 }];
		for (const { from, to, net } of bookWithBet(LINES, preview)) {
			expect(net).toBe(netAt(all, from ?? 0));
			expect(net).toBe(netAt(all, to ?? 1000));
		}
	});

	it('takes from the balance the increase of the worst loss', () => {
		const position = positionOf(outcomes, BETS.map(asOpenBet), profitLoss(BETS));
		const { cost } = previewBet(position, { runner: 0, side: 'BACK', price: 150 as Price, stake: minorOf(100_000) });
		// Every number's worst: what stands, and the loss of the resting bet where it would lose.
		const worst = (loss: number) =>
			Math.min(0, ...[0, ...LINES].map((result) => netAt(BETS, result) - (result < 40 ? loss : 0)));
		expect(cost).toBe(worst(0) - worst(100_000));
	});

	it('counts all lines of the market, hidden ones included', () => {
		const market = { id: 'm', lines: LINES, runners: [{ id: '43' }], numberOfWinners: 1 } as unknown as Market;
		expect(outcomesOf(market)).toEqual(outcomes);
	});
});
