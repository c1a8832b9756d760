/** The ladder of a runner as rows, and what becomes of an order that is dropped on it. */
import { describe, expect, it } from 'vitest';
import { randomFrom } from '#sports/random.ts';
import type { Minor } from '#values/money.ts';
import { LADDERS } from '#values/price-ladder.ts';
import type { OpenBet } from '#web/api/answers.ts';
import {
	dropOf,
	hedgedNet,
	ladderRows,
	mergedDepth,
	middleTick,
	offersAround,
	TICKS_AROUND,
	withinLadder,
} from '#web/betting/ladder-view.ts';

const ladder = LADDERS.CLASSIC;
const draw = randomFrom(51);
const below = (limit: number) => Math.floor(draw() * limit);
const level = (tick: number) => ({ price: ladder.priceAt(tick), size: (1 + below(1000)) as Minor });
const bet = (betId: string, tick: number, remainingStake: number, side: OpenBet['side'] = 'BACK') =>
	({ betId, side, price: ladder.priceAt(tick), remainingStake }) as OpenBet;

describe('the rows', () => {
	it('are the ticks around a middle, wherever it is, each level and each order at its own price', () => {
		for (let round = 0; round < 300; round++) {
			const [middle, gap] = [withinLadder(ladder, below(ladder.tickCount)), 1 + below(3)];
			const best = Math.max(4, Math.min(ladder.tickCount - 8, middle - 3 + below(6)));
			const depth = { back: [level(best), level(best - 2)], lay: [level(best + gap), level(best + gap + 1)] };
			const traded = [level(best), level(middle + TICKS_AROUND), level(Math.max(0, middle - TICKS_AROUND - 1))];
			const bets = [bet('a', middle, below(3)), bet('b', best, 5, 'LAY')];
			const rows = ladderRows(ladder, middle, traded, bets);
			const offers = { back: offersAround(ladder, middle, depth.back), lay: offersAround(ladder, middle, depth.lay) };
			expect(rows.map(({ tick }) => tick)).toEqual(
				Array.from({ length: 2 * TICKS_AROUND + 1 }, (_, at) => middle + TICKS_AROUND - at),
			);
			const inSight = (levels: typeof traded) =>
				levels.filter(({ price }) => rows.some((row) => row.price === price)).length;
			expect([offers.back.size, offers.lay.size]).toEqual([inSight(depth.back), inSight(depth.lay)]);
			for (const { tick, price, traded: matched, backs, lays } of rows) {
				expect(matched).toBe(traded.findLast((each) => each.price === price)?.size ?? 0);
				expect(offers.back.get(tick)).toBe(depth.back.find((each) => each.price === price)?.size);
				expect(offers.lay.get(tick)).toBe(depth.lay.find((each) => each.price === price)?.size);
				const own = bets.filter((each) => each.price === price && each.remainingStake > 0);
				expect([...backs, ...lays]).toEqual(own);
			}
		}
	});

	it('begin around the best prices, else the last traded one', () => {
		expect(middleTick(ladder, { back: [level(99)], lay: [level(103)] }, null)).toBe(101);
		expect(middleTick(ladder, { back: [], lay: [] }, ladder.priceAt(40))).toBe(40);
		expect(withinLadder(ladder, 0)).toBe(TICKS_AROUND);
		expect(withinLadder(ladder, 349)).toBe(349 - TICKS_AROUND);
	});

	it('have the hub’s levels, and only behind them those of an older answer', () => {
		const live = { back: [level(50)], lay: [] };
		const deep = { back: [level(52), level(50), level(49)], lay: [level(53)] };
		expect(mergedDepth(live, deep)).toEqual({ back: [live.back[0], deep.back[2]], lay: [] });
	});
});

describe('an order that is dropped', () => {
	const lifted = { betIds: ['a', 'b'], side: 'BACK' as const, from: 100, to: 104 };

	it('moves what is unmatched of it now, and nothing else', () => {
		const bets = [bet('a', 100, 0), bet('b', 100, 40), bet('c', 100, 40)];
		expect(dropOf(lifted, ladder, bets, true)).toEqual({ kind: 'moves', bets: [bets[1]], price: ladder.priceAt(104) });
	});

	it('stays where it was dropped on, where the market takes no bets, and where nothing is left of it', () => {
		const bets = [bet('a', 100, 40)];
		expect(dropOf({ ...lifted, to: 100 }, ladder, bets, true)).toEqual({ kind: 'stays' });
		expect(dropOf({ ...lifted, to: 350 }, ladder, bets, true)).toEqual({ kind: 'stays' });
		expect(dropOf(lifted, ladder, bets, false)).toEqual({ kind: 'closed' });
		expect(dropOf(lifted, ladder, [bet('a', 100, 0)], true)).toEqual({ kind: 'ended' });
	});
});

it('a hedge at a price makes the same of either outcome, to the minor unit that is rounded down', () => {
	for (let round = 0; round < 300; round++) {
		const [wins, loses] = [below(2_000_000) - 1_000_000, below(2_000_000) - 1_000_000];
		const price = ladder.priceAt(below(ladder.tickCount));
		// Laid for this stake, in minor units and parts of one; a negative one is backed.
		const stake = ((wins - loses) * 100) / price;
		const ifWins = wins - (stake * (price - 100)) / 100;
		const net = hedgedNet({ wins: wins as Minor, loses: loses as Minor }, price);
		expect(ifWins - net).toBeGreaterThanOrEqual(-1e-6);
		expect(ifWins - net).toBeLessThan(1 + 1e-6);
	}
});
