/** Virtual prices as they are shown: an order that asks a shown price is matched with what is shown, and with nothing more. */
import { describe, expect, it } from 'vitest';
import type { Effects } from '#engine/effect.ts';
import type { Engine } from '#engine/engine.ts';
import { CURRENCY_TERMS } from '#values/currencies.ts';
import { currencyOf, type Pool, stepOf } from '#values/pools.ts';
import { LADDER, LADDERS } from '#values/price-ladder.ts';
import { BACK, LAY, type SideCode } from '#values/sides.ts';
import { fillAcross, levelsAcross, priceAcross } from '#values/virtual-prices.ts';
import { SeededNumbers } from '../reference/random-commands.ts';
import { ExchangeScene, MARKET } from './exchange-scene.ts';

/** The long form, `STORIES=long`, meets what is rare. */
const SEEDS = process.env['STORIES'] === 'long' ? 400 : 25;
const OFFERS = 40 * SEEDS;
const HOUSE = 1;
const STRANGER = 99;
const AMPLE = 100_000_000_000;
const DEPTH = 10;

/** Minor units of which a stake is a multiple: of any in rupees. */
const stakeStepOf = (pool: Pool): number => (pool === 'PLAY' ? 1 : CURRENCY_TERMS[currencyOf(pool)].stakeStep);

function scene(runners = 3, pool: Pool = 'PLAY'): ExchangeScene {
	const made = new ExchangeScene();
	made.openMarket({ runners, crossMatching: true, houses: [HOUSE], selfMatch: 'ALLOW', pools: [pool] });
	made.player(HOUSE, 0, pool);
	made.players(AMPLE, [11, 12, 13, STRANGER], pool);
	return made;
}

function shownIn(engine: Engine, runner: number, side: SideCode, { pool = 'PLAY' as Pool, known = DEPTH } = {}) {
	const of = (book: number, resting: SideCode) => engine.levels(MARKET, pool, book, resting, known);
	const runners = engine.market(MARKET)?.runners ?? 0;
	const books = Array.from({ length: runners }, (_, book) => ({ back: of(book, LAY), lay: of(book, BACK) }));
	return levelsAcross(books, runner, side, { ladder: LADDERS.CLASSIC, step: stepOf(pool), known, depth: DEPTH });
}

/** Of what was matched the outcome says enough. */
const SILENT = new Proxy({} as Effects, { get: () => () => undefined });

/** What a stranger's order would be matched with; the scene stays as it is. */
function taken(made: ExchangeScene, order: { runner: number; side: SideCode; price: number; stake: number }) {
	const engine = made.effects.rebuild();
	const betId = engine.counters().lastBetId + 1;
	const bet = { kind: 'place-bet', atMs: 0, marketId: MARKET, walletId: STRANGER, persist: false, betId } as const;
	const outcome = engine.apply({ ...bet, ...order }, SILENT);
	if (!outcome.ok) throw new Error(`the order is refused: ${outcome.code}`);
	engine.checkInvariants();
	return { matched: outcome.matched, value: outcome.matchedValue };
}

/** Each shown price is asked for, with the stake that is shown up to it, and with more. */
function expectAsShown(made: ExchangeScene, numbers: SeededNumbers, pool: Pool = 'PLAY'): number {
	const runners = made.engine.market(MARKET)?.runners ?? 0;
	const known = numbers.from([2, 3, DEPTH]);
	const step = stakeStepOf(pool);
	let across = 0;
	for (let runner = 0; runner < runners; runner++) {
		for (const side of [BACK, LAY] as const) {
			const shown = shownIn(made.engine, runner, side, { pool, known });
			let [matched, value] = [0, 0];
			for (const { price, size } of shown) {
				matched += size;
				value += size * price;
				const whole = matched - (matched % step);
				const stakes = [whole + step * (1 + numbers.below(3_000)), ...(whole === matched ? [whole] : [])];
				for (const stake of stakes) {
					const found = taken(made, { runner, side, price, stake });
					expect(found, `${stake} on ${runner}, ${side}, at ${price}`).toEqual({ matched, value });
				}
			}
			const own = made.engine.levels(MARKET, pool, runner, side === BACK ? LAY : BACK, known);
			if (JSON.stringify(own) !== JSON.stringify(shown)) across++;
		}
	}
	return across;
}

function fill(made: ExchangeScene, numbers: SeededNumbers, { bets, step }: { bets: number; step: number }): void {
	const runners = made.engine.market(MARKET)?.runners ?? 0;
	const fair = 100 * runners;
	const large = step === 1 ? 300_000 : 6_000;
	for (let bet = 0; bet < bets; bet++) {
		const near = fair + 10 * (numbers.below(21) - 10);
		const price = Math.max(102, near - (near % (near < 300 ? 2 : near < 400 ? 5 : near < 600 ? 10 : 20))) / 100;
		const [player, runner] = [numbers.from([11, 12, 13]), numbers.below(runners)];
		const stake = step * (1 + numbers.below(numbers.chance(20) ? large : 3_000));
		if (numbers.chance(50)) made.back(player, runner, price, stake);
		else made.lay(player, runner, price, stake);
	}
}

describe('what is shown', () => {
	it('is the book and what all the others offer together, each price once', () => {
		const made = scene();
		made.back(11, 1, 3, 600);
		made.back(12, 2, 6, 300);
		made.lay(13, 0, 2.1, 50);
		made.lay(13, 0, 2, 70);
		expect(shownIn(made.engine, 0, BACK)).toEqual([
			{ price: 210, size: 50 },
			// 600 at 3 and 300 at 6 pay 1,800 each, as 900 at 2 does
			{ price: 200, size: 970 },
		]);
		expect(shownIn(made.engine, 0, LAY)).toEqual([]);
		expect(shownIn(made.engine, 1, LAY)).toEqual([{ price: 300, size: 600 }]);
	});

	it('is the book alone while a runner is missing', () => {
		const made = scene();
		made.back(11, 1, 3, 600);
		made.lay(13, 0, 2.1, 50);
		expect(shownIn(made.engine, 0, BACK)).toEqual([{ price: 210, size: 50 }]);
	});

	it('goes no further than what is known of the others', () => {
		const made = scene(2);
		for (const price of [3, 3.5, 6]) made.back(11, 1, price, 1_000);
		const prices = (known: number) => shownIn(made.engine, 0, BACK, { known }).map(({ price }) => price);
		expect(prices(10)).toEqual([150, 140, 120]);
		expect(prices(3)).toEqual([150, 140]);
	});

	it('is what an order at its price is matched with (random markets)', () => {
		let across = 0;
		for (let seed = 1; seed <= SEEDS; seed++) {
			const numbers = new SeededNumbers(seed);
			const made = scene(2 + numbers.below(3));
			fill(made, numbers, { bets: 20, step: 1 });
			across += expectAsShown(made, numbers);
		}
		expect(across).toBeGreaterThan(SEEDS);
	});

	it('is of whole coins in a currency without parts', () => {
		const numbers = new SeededNumbers(7);
		const made = scene(3, 'PLAY-JPY');
		fill(made, numbers, { bets: 30, step: stakeStepOf('PLAY-JPY') });
		expect(expectAsShown(made, numbers, 'PLAY-JPY')).toBeGreaterThan(0);
	});
});

/** By outcome what the house makes: its own runner first, then each leg; exactly, in hundredths. */
function ofHouse(side: SideCode, matches: readonly { price: number; stake: number }[]): number[] {
	const staked = matches.reduce((sum, { stake }) => sum + 100 * stake, 0);
	return matches.map(({ price, stake }) => (side === BACK ? staked - price * stake : price * stake - staked));
}

/** The price by trying each of the ladder: the best of the taker that leaves the house no loss of stakes that are not rounded. */
function slowPrice(prices: readonly number[], side: SideCode): number | null {
	const product = prices.reduce((all, price) => all * BigInt(price), 1n);
	const share = prices.reduce((sum, price) => sum + (product * 100n) / BigInt(price), 0n);
	// The house has paid for a payout of 1 what 1/q + Σ 1/p comes to, and is to have received 1 at least; or the reverse.
	const surplus = (price: number) => product * 100n + (share - product) * BigInt(price);
	const fitting = LADDER.filter((price) => (side === BACK ? surplus(price) >= 0n : surplus(price) <= 0n));
	return (side === BACK ? fitting.at(-1) : fitting[0]) ?? null;
}

describe('a fill across', () => {
	it('has the best price and the largest stake that leave the house no loss (brute force)', () => {
		let [priced, filled] = [0, 0];
		const numbers = new SeededNumbers(11);
		for (let at = 0; at < OFFERS; at++) {
			const side = numbers.chance(50) ? BACK : LAY;
			const count = 1 + numbers.below(4);
			const near = numbers.chance(50) ? 100 * (count + 1) : 150;
			const legs = Array.from({ length: count }, () => ({
				price: LADDERS.CLASSIC.nearest(near + numbers.below(near)).below ?? 0,
				size: 1 + numbers.below(150),
			}));
			const prices = legs.map(({ price }) => price);
			const price = priceAcross(LADDERS.CLASSIC, prices, side);
			expect(price, `${side} ${prices.join(' ')}`).toBe(slowPrice(prices, side));
			if (price === null) continue;
			priced++;
			const wanted = 1 + numbers.below(180);
			let slow: { stake: number; legs: number[] } | null = null;
			for (let stake = 1; stake <= wanted; stake++) {
				const stakes = legs.map((leg) => (stake * price) / leg.price).map(side === BACK ? Math.floor : Math.ceil);
				const matches = [{ price, stake }, ...legs.map((leg, of) => ({ price: leg.price, stake: stakes[of] ?? 0 }))];
				const isPossible = legs.every(({ size }, of) => (stakes[of] ?? 0) > 0 && (stakes[of] ?? 0) <= size);
				if (isPossible && Math.min(...ofHouse(side, matches)) >= 0) slow = { stake, legs: stakes };
			}
			expect(fillAcross(wanted, { side, price, legs, step: 1 }), JSON.stringify({ side, price, legs, wanted })).toEqual(
				slow,
			);
			if (slow) filled++;
		}
		expect(Math.min(priced, filled)).toBeGreaterThan(OFFERS / 10);
	});

	it('is found for a large bet where it is for a small one, though few stakes come out even', () => {
		// 1/60 + 1/340 + 1/1.02 is 1, and the payouts agree at each thousandth coin alone
		const legs = [
			{ price: 6_000, size: 1_000_000 },
			{ price: 34_000, size: 1_000_000 },
		];
		const offer = { side: BACK, price: 102, legs, step: 1 } as const;
		expect([1_000, 1_100, 1_999].map((wanted) => fillAcross(wanted, offer))).toEqual(
			Array.from({ length: 3 }, () => ({ stake: 1_000, legs: [17, 3] })),
		);
		expect(fillAcross(999, offer)).toBeNull();
	});
});

describe('a suspended runner', () => {
	const suspend = (made: ExchangeScene, runner: number) =>
		made.apply({ kind: 'suspend-runner', atMs: 0, marketId: MARKET, runner });

	it('has none of its resting bets matched by a bet on another runner', () => {
		const made = scene();
		made.back(11, 1, 3, 66);
		made.back(12, 2, 6, 33);
		expect(suspend(made, 1)).toMatchObject({ ok: true });
		expect(made.back(13, 0, 2, 99)).toMatchObject({ matched: 0, remaining: 99 });
		expect(made.fills()).toEqual([]);
	});

	it('is matched across again once it is resumed', () => {
		const made = scene();
		made.back(11, 1, 3, 66);
		made.back(12, 2, 6, 33);
		suspend(made, 2);
		made.apply({ kind: 'resume-runner', atMs: 0, marketId: MARKET, runner: 2 });
		expect(made.back(13, 0, 2, 99)).toMatchObject({ matched: 99 });
	});
});
