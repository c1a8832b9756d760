/** The bets that level a position, by hand. Amounts minor units, prices hundredths. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planCashOut } from '#values/cash-out.ts';
import { type Matched, planByRunner } from '#values/cash-out-by-runner.ts';
import { planOnALine } from '#values/cash-out-on-a-line.ts';
import { eachWayProfit } from '#values/each-way.ts';
import { addMatched, emptyFigures } from '#values/exposure.ts';
import { ON_A_LINE } from '#values/figures.ts';
import { netMinorOfParts } from '#values/liability.ts';
import { BACK, LAY, type SideCode } from '#values/sides.ts';

const NOTHING = { back: [], lay: [] };

describe('a plan to cash out', () => {
	it('backs a runner whose win costs 300 against 100 won otherwise: 80 at 5.0, both come to 20 (example 10)', () => {
		const depth = { back: [{ price: 500, size: 100_000 }], lay: [] };
		expect(planCashOut([-3_000_000, 1_000_000], [depth, NOTHING], 1)).toEqual({
			hedges: [{ runner: 0, side: 0, stake: 8000, limit: 500, value: 8000 * 500 }],
			after: [2000, 2000],
			before: -30_000,
			certain: 2000,
		});
	});

	it('walks the depth, and is null where the book is too thin', () => {
		const deep = {
			back: [
				{ price: 500, size: 4000 },
				{ price: 400, size: 100_000 },
			],
			lay: [],
		};
		const plan = planCashOut([-3_000_000, 1_000_000], [deep, NOTHING], 1);
		// 40 at 5.0 make 200 of the 400, 50 at 4.0 the rest.
		expect(plan?.hedges).toEqual([{ runner: 0, side: 0, stake: 9000, limit: 400, value: 4000 * 500 + 5000 * 400 }]);
		expect(plan?.after).toEqual([1000, 1000]);
		const thin = { back: [{ price: 500, size: 4000 }], lay: [] };
		expect(planCashOut([-3_000_000, 1_000_000], [thin, NOTHING], 1)).toBeNull();
	});

	it('has no hedge on a removed runner', () => {
		const depth = { back: [{ price: 500, size: 100_000 }], lay: [] };
		const plan = planCashOut([-3_000_000, 1_000_000, 1_000_000], [depth, NOTHING, NOTHING], 1, new Set([2]));
		expect(plan?.certain).toBe(2000);
		const other = planCashOut([-3_000_000, 1_000_000, -4_000_000], [depth, NOTHING, NOTHING], 1, new Set([2]));
		expect(other).toMatchObject({ before: -30_000, certain: 2000 });
	});
});

describe('a plan on lines', () => {
	const LINES = { min: 150, max: 450, interval: 50 };
	/** Bought and sold at lines, hundredths. */
	const position = (...bets: [side: SideCode, line: number, stake: number][]) => {
		const figures = emptyFigures(7, ON_A_LINE, { line: LINES });
		for (const [side, line, stake] of bets) addMatched(figures, 0, side, line * stake, stake);
		return figures;
	};
	const selling = (...levels: [line: number, size: number][]) => ({
		back: levels.map(([price, size]) => ({ price, size })),
		lay: [],
	});

	it('sells a bought position, best line first: no loss, and a number between the lines wins twice', () => {
		const plan = planOnALine(position([LAY, 150, 1000]), selling([350, 400], [250, 5000]), 1);
		expect(plan?.hedges).toEqual([{ runner: 0, side: BACK, stake: 1000, limit: 250, value: 400 * 350 + 600 * 250 }]);
		expect(plan).toMatchObject({ before: -1000, certain: 0, lines: 400 * 350 + 600 * 250 });
		// From 1.5 to 2.5 all of it wins twice, from there to 3.5 the part sold at 3.5.
		expect(plan?.after).toEqual([2000, 2000, 800, 800, 0, 0, 0]);
	});

	it('counts on the worst line alone while the hedge is delayed', () => {
		const plan = planOnALine(position([LAY, 150, 1000]), selling([350, 400], [250, 5000]), 1, true);
		expect(plan).toMatchObject({ certain: 0, lines: 1000 * 250, hedges: [{ stake: 1000, limit: 250 }] });
		expect(plan?.after).toEqual([2000, 2000, 0, 0, 0, 0, 0]);
	});

	it('has the worst of all numbers as its certain result: a line that fell costs between the two', () => {
		const plan = planOnALine(position([LAY, 350, 1000]), selling([150, 1000]), 1);
		expect(plan).toMatchObject({ before: -1000, certain: -2000 });
	});

	it('buys a sold position back, whole or a share of it', () => {
		const plan = planOnALine(
			position([BACK, 350, 1000], [LAY, 350, 400]),
			{ back: [], lay: [{ price: 250, size: 900 }] },
			0.5,
		);
		expect(plan?.hedges).toEqual([{ runner: 0, side: LAY, stake: 300, limit: 250, value: 300 * 250 }]);
		expect(plan?.lines).toBe(-300 * 250);
	});

	it('is null where the book is too thin, and empty where as much was bought as sold', () => {
		expect(planOnALine(position([LAY, 350, 1000]), selling([350, 999]), 1)).toBeNull();
		expect(planOnALine(position([LAY, 350, 1000], [BACK, 250, 1000]), selling([350, 999]), 1)?.hedges).toEqual([]);
	});
});

describe('a plan by runner', () => {
	const matchedOn = (side: SideCode, price: number, stake: number): Matched => {
		const sign = side === BACK ? 1 : -1;
		return { stake: sign * stake, value: sign * stake * price };
	};
	const figuresOf = (matched: readonly Matched[], places: number, eachWay: number) => {
		const figures = emptyFigures(matched.length, places, { eachWay });
		matched.forEach(({ stake, value }, runner) => addMatched(figures, runner, BACK, value, stake));
		return figures;
	};
	const NONE: Matched = { stake: 0, value: 0 };

	it('levels a runner of a place market for every set of placed runners', () => {
		const matched = [matchedOn(BACK, 470, 10_000), NONE, NONE, NONE];
		const depths = [{ back: [], lay: [{ price: 410, size: 100_000 }] }, NOTHING, NOTHING, NOTHING];
		const plan = planByRunner(figuresOf(matched, 2, 0), matched, depths, 1);
		// As in a market to win: 100 × 4.7 / 4.1.
		expect(plan?.hedges).toMatchObject([{ runner: 0, side: LAY, stake: 11_463 }]);
		expect(plan).toMatchObject({ before: -10_000, certain: 1463 });
	});

	it('finds the stake of an each-way bet that leaves most in the worst of won, placed and lost', () => {
		const worstWith = (own: Matched, side: SideCode, price: number, stake: number, eachWay: number) => {
			const sign = side === BACK ? 1 : -1;
			const value = own.value + sign * stake * price;
			return Math.min(...Object.values(eachWayProfit(BACK, value, own.stake + sign * stake, eachWay)));
		};
		const bet = fc.record({
			side: fc.constantFrom<SideCode>(BACK, LAY),
			price: fc.integer({ min: 101, max: 3000 }),
			stake: fc.integer({ min: 6, max: 60 }),
		});
		fc.assert(
			fc.property(bet, fc.integer({ min: 101, max: 3000 }), fc.integer({ min: 1, max: 8 }), (own, price, eachWay) => {
				const matched = [matchedOn(own.side, own.price, own.stake), NONE, NONE];
				const levels = [{ price, size: 3000 }];
				const depths = [{ back: levels, lay: levels }, NOTHING, NOTHING];
				const plan = planByRunner(figuresOf(matched, 2, eachWay), matched, depths, 1);
				const against = own.side === BACK ? LAY : BACK;
				const [held] = matched as [Matched];
				let [best, most] = [0, worstWith(held, against, price, 0, eachWay)];
				for (let stake = 1; stake <= 3000; stake++) {
					const least = worstWith(held, against, price, stake, eachWay);
					if (least > most) [best, most] = [stake, least];
				}
				expect(plan?.hedges[0]?.stake ?? 0).toBe(best);
				expect((plan?.certain ?? Number.NaN) + 0).toBe(netMinorOfParts(most, eachWay) + 0);
			}),
		);
	});

	it('hedges an each-way bet as one to win once there are no more runners than places', () => {
		const matched = [matchedOn(BACK, 470, 10_000), NONE, NONE];
		const depths = [{ back: [], lay: [{ price: 410, size: 100_000 }] }, NOTHING, NOTHING];
		const out = new Set([2]);
		const plan = planByRunner({ ...figuresOf(matched, 2, 4), out }, matched, depths, 1);
		expect(plan).toMatchObject({ hedges: [{ stake: 11_463 }], certain: 1463 });
	});

	it('is null where less is offered than wanted', () => {
		const matched = [matchedOn(BACK, 470, 10_000), NONE, NONE];
		const offered = (size: number) => [{ back: [], lay: [{ price: 410, size }] }, NOTHING, NOTHING];
		expect(planByRunner(figuresOf(matched, 2, 0), matched, offered(11_462), 1)).toBeNull();
		expect(planByRunner(figuresOf(matched, 2, 0), matched, offered(11_463), 1)?.certain).toBe(1463);
		expect(planByRunner(figuresOf(matched, 2, 0), matched, [NOTHING, NOTHING, NOTHING], 1)).toBeNull();
	});
});
