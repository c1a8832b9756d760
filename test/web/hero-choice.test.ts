/** The match that stands above a list is the tightest of the big ones, and none that is as good as over. */
import { expect, it } from 'vitest';
import type { Minor } from '#values/money.ts';
import type { Price } from '#values/price-ladder.ts';
import { isDecided, tightestOf } from '#web/features/match-list/hero-choice.ts';

const match = (name: string, totalMatched: number, ...prices: (number | null)[]) => ({
	name,
	market: {
		totalMatched: totalMatched as Minor,
		runners: prices.map((price, at) => ({
			runnerId: String(at),
			name: `Side ${at}`,
			back: price === null ? null : { price: price as Price, size: 100 as Minor },
			lay: null,
		})),
	},
});

it.each([
	['the tightest of two big ones', [match('a', 900, 140, 330), match('b', 800, 195, 205)], 'b'],
	['the big one rather than a small one that is tighter', [match('a', 900, 140, 330), match('b', 10, 195, 205)], 'a'],
	['a small one rather than a big one that is decided', [match('a', 900, 101, 1000), match('b', 10, 150, 290)], 'b'],
	['one with prices rather than a suspended one', [match('a', 900, null, null), match('b', 500, 130, 400)], 'b'],
	['a suspended one where there is no other', [match('a', 900, null, null)], 'a'],
	['by its favourite, where a draw is possible', [match('a', 900, 170, 350, 900), match('b', 900, 250, 290, 320)], 'b'],
	['none where all are decided', [match('a', 900, 105, 1500), match('b', 800, 110, 1000)], undefined],
	['none without matches', [], undefined],
])('is %s', (_, matches, chosen) => {
	expect(tightestOf(matches)?.name).toBe(chosen);
});

it('leaves its place when it is decided, not when it is suspended', () => {
	expect(isDecided(match('a', 900, 110, 1100).market)).toBe(true);
	expect(isDecided(match('a', 900, 111, 1100).market)).toBe(false);
	expect(isDecided(match('a', 900, null, null).market)).toBe(false);
});
