/** Markets with several winners, dead heats, removed runners and reduced prices. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutPrice, reducedPrice } from '#engine/market-types/reduced-price.ts';
import { addMatched, addUnmatched, emptyFigures, exposureMinor } from '#values/exposure.ts';
import { LADDERS } from '#values/price-ladder.ts';
import { ExchangeScene, MARKET } from './exchange-scene.ts';

function scene(terms: Parameters<ExchangeScene['openMarket']>[0] = {}): ExchangeScene {
	const made = new ExchangeScene();
	made.openMarket({ runners: 4, ...terms });
	made.players(1_000_000, [11, 12, 13]);
	return made;
}

type Result = 'WIN' | 'LOSE' | 'VOID' | 'TIE';
const settle = (made: ExchangeScene, ...results: Result[]) =>
	made.apply({ kind: 'settle-market', atMs: 0, marketId: MARKET, results });
const profits = (made: ExchangeScene) =>
	Object.fromEntries(made.effects.settledPlayers.map(({ walletId, profit }) => [walletId, profit]));
const survives = (made: ExchangeScene) => expect(made.effects.rebuild().hash()).toBe(made.engine.hash());

/** The worst of all outcomes, one by one, with every unmatched order counted against the player. */
function worstByHand(
	orders: { runner: number; side: 0 | 1; price: number; stake: number; matched: boolean }[],
	runners: number,
	winners: number,
): number {
	/** One order's exact result when its runner wins or loses. */
	const exactOf = ({ side, price, stake, matched }: (typeof orders)[number], wins: boolean): number => {
		const asBacker = wins ? stake * (price - 100) : -stake * 100;
		const exact = side === 0 ? asBacker : -asBacker;
		return matched ? exact : Math.min(0, exact);
	};
	const of = (runner: number, wins: boolean) =>
		orders.filter((order) => order.runner === runner).reduce((sum, order) => sum + exactOf(order, wins), 0);
	const all = Array.from({ length: runners }, (_, runner) => runner);
	let worst = Number.POSITIVE_INFINITY;
	if (winners === 0) {
		// Each runner by itself: the certain win of one covers no other.
		worst = all.reduce((sum, runner) => sum + Math.min(of(runner, true), of(runner, false), 0), 0);
	}
	const outcomes = winners > 0 ? 2 ** runners : 0;
	for (let outcome = 0; outcome < outcomes; outcome++) {
		const wins = all.map((runner) => ((outcome >> runner) & 1) === 1);
		if (wins.filter(Boolean).length !== winners) continue;
		worst = Math.min(
			worst,
			all.reduce((sum, runner) => sum + of(runner, wins[runner] === true), 0),
		);
	}
	return worst < 0 ? Math.ceil(-worst / 100) : 0;
}

describe('exposure', () => {
	it('with two winners is the sum of all losses and the two smallest differences (example 7)', () => {
		// Win/lose of A 60/−20, B −90/30, C 0/0, D 10/−5, in whole units: worst is B and C.
		const figures = emptyFigures(4, 2);
		addMatched(figures, 0, 0, 80 * 100, 20);
		addMatched(figures, 1, 1, 120 * 100, 30);
		addMatched(figures, 3, 0, 15 * 100, 5);
		expect(exposureMinor(figures)).toBe(115);
	});

	it.each([1, 2, 3, 0])('with %s winners is the worst of all outcomes, whatever is bet', (winners) => {
		const order = fc.record({
			runner: fc.integer({ min: 0, max: 3 }),
			side: fc.constantFrom(0 as const, 1 as const),
			price: fc.integer({ min: 101, max: 2000 }),
			stake: fc.integer({ min: 1, max: 100_000 }),
			matched: fc.boolean(),
		});
		fc.assert(
			fc.property(fc.array(order, { maxLength: 12 }), (orders) => {
				const figures = emptyFigures(4, winners);
				for (const { runner, side, price, stake, matched } of orders) {
					if (matched) addMatched(figures, runner, side, price * stake, stake);
					else addUnmatched(figures, runner, side, price, stake);
				}
				expect(exposureMinor(figures)).toBe(worstByHand(orders, 4, winners));
			}),
		);
	});
});

describe('settlement', () => {
	it('with two winners pays the backs of both', () => {
		const made = scene({ numberOfWinners: 2 });
		for (const runner of [0, 1, 2]) {
			made.lay(11, runner, 2, 100);
			made.back(12, runner, 2, 100);
		}
		// Two of three backs at 2.00 win, whichever it is; four runners of which two win.
		expect(settle(made, 'WIN', 'WIN', 'LOSE', 'LOSE')).toEqual({ ok: true });
		expect(profits(made)).toEqual({ 11: -100, 12: 100 });
	});

	it('with any number of winners takes every result', () => {
		const made = scene({ numberOfWinners: 0 });
		made.lay(11, 0, 3, 100);
		made.back(12, 0, 3, 100);
		expect(made.exposure(11)).toBe(200);
		expect(settle(made, 'WIN', 'WIN', 'WIN', 'LOSE')).toEqual({ ok: true });
		expect(profits(made)).toEqual({ 11: -200, 12: 200 });
	});

	it('of a dead heat of two for one place pays half of the stake in full (example 11)', () => {
		const made = scene();
		made.lay(11, 0, 4, 1000);
		made.back(12, 0, 4, 1000);
		made.lay(13, 1, 5, 2000);
		made.back(12, 1, 5, 2000);
		expect(settle(made, 'TIE', 'TIE', 'LOSE', 'LOSE')).toEqual({ ok: true });
		// Back 10 @ 4.0: half wins 15, half loses 5. Lay 20 @ 5.0: 10 × 4 lost, 10 won.
		expect(profits(made)).toEqual({ 11: -1000, 12: 1000 + 3000, 13: -3000 });
	});

	it('of four runners that share two of three places pays half of each (example 11)', () => {
		const made = scene({ runners: 6, numberOfWinners: 3 });
		made.lay(11, 1, 6, 6000);
		made.back(12, 1, 6, 6000);
		expect(settle(made, 'WIN', 'TIE', 'TIE', 'TIE', 'TIE', 'LOSE')).toEqual({ ok: true });
		expect(profits(made)).toEqual({ 11: -12_000, 12: 12_000 });
	});

	it('with more winners than places is refused until the tied ones are named', () => {
		const made = scene({ runners: 6, numberOfWinners: 3 });
		for (const runner of [0, 2]) {
			made.lay(11, runner, 6, 6000);
			made.back(12, runner, 6, 6000);
		}
		expect(settle(made, 'WIN', 'WIN', 'WIN', 'WIN', 'LOSE', 'LOSE')).toEqual({ ok: false, code: 'INCOMPLETE_RESULT' });
		expect(settle(made, 'WIN', 'WIN', 'TIE', 'TIE', 'LOSE', 'LOSE')).toEqual({ ok: true });
		// 60 @ 6.0 wins 300; half of 60 @ 6.0 wins 150, the other half loses 30.
		expect(profits(made)).toEqual({ 11: -42_000, 12: 42_000 });
	});

	it('rounds a third once a player, and the house keeps the difference', () => {
		const made = scene();
		made.lay(11, 0, 2, 100);
		made.back(12, 0, 2, 100);
		settle(made, 'TIE', 'TIE', 'TIE', 'LOSE');
		// A third of 2 × 1.00 back less 1.00: −33.33 minor units for the backer, +33.33 for the layer.
		expect(profits(made)).toEqual({ 11: 33, 12: -33 });
		expect(made.engine.houseBalance('rounding', 'PLAY', 0)).toBe(0);
	});

	it('returns the stakes of a void runner and pays the rest', () => {
		const made = scene();
		for (const runner of [0, 1]) {
			made.lay(11, runner, 2, 100);
			made.back(12, runner, 2, 100);
		}
		expect(settle(made, 'WIN', 'VOID', 'LOSE', 'LOSE')).toEqual({ ok: true });
		expect(made.effects.voids.map(({ betId, reason }) => [betId, reason])).toEqual([
			[3, 'RUNNER_VOIDED'],
			[4, 'RUNNER_VOIDED'],
		]);
		expect(profits(made)).toEqual({ 11: -100, 12: 100 });
	});
});

describe('a removed runner', () => {
	const racing = (terms = {}) => scene({ reducible: true, ...terms });
	const remove = (made: ExchangeScene, runner: number, reductionBp: number) =>
		made.apply({ kind: 'remove-runner', atMs: 0, marketId: MARKET, runner, reductionBp });

	const correct = (made: ExchangeScene, runner: number, reductionBp: number) =>
		made.apply({ kind: 'correct-reduction', atMs: 0, marketId: MARKET, runner, reductionBp });

	it('reduces matched prices to the nearest hundredth, one after another (example 12)', () => {
		expect(reducedPrice(800, 2500, 'PRICE')).toBe(600);
		expect(reducedPrice(860, 1620, 'PRICE')).toBe(721);
		expect(reducedPrice(reducedPrice(1000, 2500, 'PRICE'), 4500, 'PRICE')).toBe(413);
		expect(reducedPrice(102, 9000, 'PRICE')).toBe(101);
		expect(cutPrice(LADDERS.CLASSIC, 500, 1620, 'PRICE')).toBe(410);
	});

	it('in a place market reduces what is won, not the stake', () => {
		expect(reducedPrice(800, 2500, 'WINNINGS')).toBe(625);
		expect(reducedPrice(145, 200, 'WINNINGS')).toBe(144);
		expect([900, 700, 300, 200].reduce((price, bp) => reducedPrice(price, bp, 'WINNINGS'), 145)).toBe(136);
		expect(cutPrice(LADDERS.CLASSIC, 500, 1620, 'WINNINGS')).toBe(430);
		const made = racing({ numberOfWinners: 2, reduces: 'WINNINGS', minReductionBp: 0, lapseReductionBp: 400 });
		made.lay(11, 0, 8, 100);
		made.back(12, 0, 8, 100);
		remove(made, 1, 2500);
		survives(made);
		settle(made, 'WIN', 'LOSE', 'WIN', 'LOSE');
		expect(profits(made)).toMatchObject({ 11: -525, 12: 525 });
	});

	it('at another factor counts as if it had been removed at that factor', () => {
		const made = racing();
		made.lay(11, 0, 3, 100);
		made.back(12, 0, 3, 100);
		remove(made, 1, 0);
		made.lay(11, 0, 4, 100);
		made.back(12, 0, 4, 100);
		remove(made, 2, 1000);
		expect(correct(made, 1, 2200)).toEqual({ ok: true });
		// 3.0 meets both removals: 2.34, then 2.11. 4.0 was matched after the first one: 3.60.
		expect(made.exposure(11)).toBe(111 + 260);
		survives(made);
		made.close();
		expect(correct(made, 1, 0)).toEqual({ ok: true });
		settle(made, 'WIN', 'LOSE', 'LOSE', 'LOSE');
		expect(profits(made)).toMatchObject({ 11: -170 - 260, 12: 170 + 260 });
		expect(correct(made, 1, 500)).toEqual({ ok: false, code: 'MARKET_CLOSED' });
	});

	it('that takes part after all gives the others their prices back, in a recovery, too', () => {
		const made = racing();
		made.lay(11, 0, 3, 100);
		made.back(12, 0, 3, 100);
		remove(made, 1, 2200);
		expect(made.exposure(11)).toBe(134);
		survives(made);
		expect(made.apply({ kind: 'return-runner', atMs: 0, marketId: MARKET, runner: 1 })).toEqual({ ok: true });
		expect(made.exposure(11)).toBe(200);
		survives(made);
		remove(made, 1, 5000);
		expect(made.exposure(11)).toBe(50);
		expect(correct(made, 2, 500)).toEqual({ ok: false, code: 'UNKNOWN_RUNNER' });
		expect(correct(made, 1, 10_000)).toEqual({ ok: false, code: 'INVALID_REDUCTION' });
	});

	it('voids its bets, and reduces each fill of the others as if it was matched at that price', () => {
		const made = racing();
		made.lay(11, 0, 8, 100);
		made.lay(11, 0, 8.6, 100);
		made.back(12, 0, 8, 200);
		made.lay(11, 1, 3, 100);
		made.back(13, 1, 3, 100);
		expect(remove(made, 1, 1620)).toEqual({ ok: true });
		// 8.6 → 7.21 and 8 → 6.70 (6.704): 100 × 6.21 + 100 × 5.70 at risk for the layer.
		expect(made.exposure(11)).toBe(621 + 570);
		expect([made.cash(13), made.exposure(13)]).toEqual([1_000_000, 0]);
		survives(made);
		settle(made, 'WIN', 'LOSE', 'LOSE', 'LOSE');
		expect(profits(made)).toMatchObject({ 11: -1191, 12: 1191 });
	});

	it('with a factor below the least reduction changes no price', () => {
		const made = racing({ minReductionBp: 250 });
		made.lay(11, 0, 8, 100);
		made.back(12, 0, 8, 100);
		remove(made, 1, 249);
		expect(made.exposure(11)).toBe(700);
	});

	it('lapses resting lays of the others, lowers those that persist and keeps their time', () => {
		const made = racing();
		made.lay(11, 0, 5, 100, { persist: true });
		made.lay(12, 0, 4.1, 100, { persist: true });
		made.lay(13, 0, 4.9, 100);
		made.back(13, 2, 9, 50);
		remove(made, 1, 1620);
		expect(made.effects.lapses).toEqual([{ betId: 3, stake: 100, reason: 'RUNNER_REMOVED' }]);
		// 5.0 → 4.19 → 4.1, and 4.1 → 3.4358 → 3.4; the back stays.
		expect(made.engine.restingBets(MARKET, 'PLAY', 0).map(({ betId, price }) => [betId, price])).toEqual([
			[1, 410],
			[2, 340],
		]);
		expect(made.engine.restingBets(MARKET, 'PLAY', 2)).toHaveLength(1);
		survives(made);
	});

	it('that hedged others can leave a player short: no further risk is accepted, and the balance may end below zero', () => {
		const made = racing({ runners: 3, minReductionBp: 0 });
		made.openMarket({ marketId: 2 });
		made.player(20, 200);
		for (const runner of [0, 2]) {
			made.lay(20, runner, 3, 100);
			made.back(12, runner, 3, 100);
		}
		// Each lay loses 200 and the other then wins 100: 100 are held, and the freed 100 go into another market.
		expect([made.cash(20), made.exposure(20)]).toEqual([100, 100]);
		made.back(20, 0, 2, 100, { marketId: 2 });
		remove(made, 2, 0);
		expect([made.cash(20), made.engine.marketExposure(20, MARKET)]).toEqual([0, 100]);
		expect(made.back(20, 1, 2, 50)).toEqual({ ok: false, code: 'INSUFFICIENT_FUNDS' });
		expect(made.back(20, 0, 2, 50)).toMatchObject({ ok: true });
		survives(made);
		settle(made, 'WIN', 'LOSE', 'VOID');
		expect(made.cash(20)).toBe(-100);
		survives(made);
	});

	it('can no longer win, so the losses of its win are not held for', () => {
		const made = racing({ runners: 3, minReductionBp: 0 });
		for (const runner of [0, 1]) {
			made.lay(11, runner, 2, 100);
			made.back(12, runner, 2, 100);
		}
		expect(made.exposure(12)).toBe(200);
		remove(made, 2, 0);
		expect(made.exposure(12)).toBe(0);
		survives(made);
	});

	it('takes no bets until it is returned, and its voided bets stay void', () => {
		const made = racing();
		made.lay(11, 1, 3, 100);
		made.back(12, 1, 3, 100);
		remove(made, 1, 500);
		expect(made.back(12, 1, 3, 100)).toEqual({ ok: false, code: 'RUNNER_REMOVED' });
		expect(remove(made, 1, 500)).toEqual({ ok: false, code: 'RUNNER_REMOVED' });
		expect(made.apply({ kind: 'return-runner', atMs: 0, marketId: MARKET, runner: 1 })).toEqual({ ok: true });
		expect(made.exposure(11)).toBe(0);
		expect(made.back(12, 1, 3, 100)).toMatchObject({ ok: true });
		survives(made);
	});

	it.each([-1, 10_000, 1.5])('is refused a reduction of %s basis points', (reductionBp) => {
		expect(remove(racing(), 1, reductionBp)).toEqual({ ok: false, code: 'INVALID_REDUCTION' });
	});
});

describe('a removal without a reduction', () => {
	const remove = (made: ExchangeScene, runner: number, reductionBp = 0) =>
		made.apply({ kind: 'remove-runner', atMs: 0, marketId: MARKET, runner, reductionBp });

	it('voids the bets on the runner and leaves prices and resting bets of the others', () => {
		const made = scene({ minReductionBp: 0, lapseReductionBp: 0 });
		made.lay(11, 1, 3, 100);
		made.back(12, 1, 3, 100);
		made.lay(11, 0, 2.5, 100);
		made.back(13, 0, 2.5, 100);
		made.lay(12, 2, 4, 50);
		expect(remove(made, 1)).toEqual({ ok: true });
		expect(made.effects.voids.map(({ betId, reason }) => [betId, reason])).toEqual([
			[1, 'RUNNER_REMOVED'],
			[2, 'RUNNER_REMOVED'],
		]);
		expect(made.effects.lapses).toEqual([]);
		expect([made.exposure(11), made.exposure(12), made.exposure(13)]).toEqual([150, 150, 100]);
		survives(made);
		settle(made, 'WIN', 'LOSE', 'LOSE', 'LOSE');
		expect(profits(made)).toEqual({ 11: -150, 13: 150 });
	});

	it('may leave a player with a hedge on the runner short, and a restart holds the same', () => {
		const made = scene({ runners: 3 });
		made.openMarket({ marketId: 2 });
		made.player(20, 200);
		for (const runner of [0, 2]) {
			made.lay(20, runner, 3, 100);
			made.back(12, runner, 3, 100);
		}
		made.back(20, 0, 2, 100, { marketId: 2 });
		remove(made, 2);
		expect([made.cash(20), made.engine.marketExposure(20, MARKET)]).toEqual([0, 100]);
		survives(made);
	});

	it.each([
		['with a reduction', {}, 250],
		['in a market with virtual prices', { crossMatching: true, houses: [13] }, 0],
		['of a line', { numberOfWinners: -1 }, 0],
	])('is refused %s', (_, terms, reductionBp) => {
		expect(remove(scene(terms), 1, reductionBp)).toEqual({ ok: false, code: 'INVALID_REDUCTION' });
	});
});

describe('a place market that pays fewer places than it announced', () => {
	const pay = (made: ExchangeScene, places: number, ...results: Result[]) =>
		made.apply({ kind: 'settle-market', atMs: 0, marketId: MARKET, results, places });
	/** Three places; 100 on runner 0 and on runner 1, each at 4.00. */
	const placed = (terms = {}) => {
		const made = scene({ numberOfWinners: 3, reducible: true, ...terms });
		for (const runner of [0, 1]) {
			made.lay(11, runner, 4, 100);
			made.back(12, runner, 4, 100);
		}
		return made;
	};

	it('pays the winners it has', () => {
		const made = placed();
		expect(pay(made, 1, 'WIN', 'LOSE', 'LOSE', 'LOSE')).toEqual({ ok: true });
		// The one wins 300, the other loses 100.
		expect(profits(made)).toEqual({ 11: -200, 12: 200 });
		survives(made);
	});

	it('shares the fewer places among more winners', () => {
		const made = placed();
		expect(pay(made, 1, 'WIN', 'WIN', 'LOSE', 'LOSE')).toEqual({ ok: true });
		// Of each bet half the stake wins 150, and the other half, 50, loses.
		expect(profits(made)).toEqual({ 11: -200, 12: 200 });
	});

	it.each([
		['more places than announced', 4, {}],
		['no place', 0, {}],
		['a part of one', 1.5, {}],
		['fewer each way', 2, { eachWayDivisor: 4 }],
		['fewer where no runner may be taken out', 2, { reducible: false }],
	])('is refused %s', (_, places, terms) => {
		const made = placed(terms);
		expect(pay(made, places, 'WIN', 'WIN', 'LOSE', 'LOSE')).toEqual({ ok: false, code: 'INCOMPLETE_RESULT' });
	});

	it('refuses fewer winners without a number of places', () => {
		expect(settle(placed(), 'WIN', 'WIN', 'LOSE', 'LOSE')).toEqual({ ok: false, code: 'INCOMPLETE_RESULT' });
	});
});
