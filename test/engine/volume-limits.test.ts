/** Bets that lapse once others have matched a volume of their runner. */
import { describe, expect, it } from 'vitest';
import type { Outcome } from '#engine/outcome.ts';
import { VolumeLimits } from '#engine/volume-limits.ts';
import { SeededNumbers } from '../reference/random-commands.ts';
import { ExchangeScene, MARKET } from './exchange-scene.ts';

const ASHA = 11;
const [BALA, CARLA] = [12, 13];
const until = (untilMatched: number) => ({
	persist: true,
	terms: { postOnly: null, expiresAtMs: null, selfMatch: null, untilMatched },
});
const codeOf = (outcome: Outcome) => (outcome.ok ? null : outcome.code);
const look = (made: ExchangeScene) => made.apply({ kind: 'look-at-triggers', atMs: 0, withoutBest: [] });
const lapsesOf = (made: ExchangeScene) => made.effects.lapses.map(({ betId, stake, reason }) => [betId, stake, reason]);

function scene(terms: Parameters<ExchangeScene['openMarket']>[0] = {}): ExchangeScene {
	const made = new ExchangeScene();
	made.openMarket({ minStake: 100, ...terms });
	made.players(1_000_000, [ASHA, BALA, CARLA]);
	return made;
}

/** Two others match a stake on a runner, at a price that Asha's bet does not meet. */
function trade(made: ExchangeScene, stake: number, runner = 0): void {
	made.lay(BALA, runner, 2.0, stake);
	made.back(CARLA, runner, 2.0, stake);
}

describe('a bet that is good until others have matched so much', () => {
	it('lapses when they have, and not before, with what is held for it', () => {
		const made = scene();
		made.back(ASHA, 0, 4.0, 500, until(1_000));
		trade(made, 999);
		expect(codeOf(look(made))).toBe('NOTHING_TO_UPDATE');
		expect(made.exposure(ASHA)).toBe(500);
		trade(made, 100);
		expect(codeOf(look(made))).toBeNull();
		expect(lapsesOf(made)).toEqual([[1, 500, 'VOLUME_REACHED']]);
		expect(made.exposure(ASHA)).toBe(0);
		expect(made.engine.watchesBooks()).toBe(false);
	});

	it('counts what the auction of a starting price matches', () => {
		const made = scene({ startingPrice: true });
		made.back(ASHA, 0, 4.0, 500, until(2_000));
		made.back(BALA, 0, 3.0, 2_000, { takesStart: true });
		made.lay(CARLA, 0, 2.0, 2_000, { takesStart: true });
		made.turnInPlay();
		expect(made.fills()).toEqual([[3, 2, 2.0, 2_000]]);
		look(made);
		expect(lapsesOf(made)).toEqual([[1, 500, 'VOLUME_REACHED']]);
	});

	it('counts neither what is matched of itself, nor what was matched before, nor other runners', () => {
		const made = scene();
		trade(made, 5_000);
		made.lay(BALA, 0, 4.0, 300);
		// 300 of it are matched as it arrives, and 400 later.
		made.back(ASHA, 0, 4.0, 2_000, until(1_000));
		made.lay(BALA, 0, 4.0, 400);
		trade(made, 5_000, 1);
		trade(made, 900);
		expect(codeOf(look(made))).toBe('NOTHING_TO_UPDATE');
		trade(made, 100);
		look(made);
		expect(lapsesOf(made)).toEqual([[4, 1_300, 'VOLUME_REACHED']]);
		expect(made.effects.bets.get(4)).toMatchObject({ matched: 700, lapsed: 1_300, remaining: 0 });
	});

	it('lapses within its delay, and in a suspended market', () => {
		const made = scene({ betDelayMs: 2_000 });
		made.back(ASHA, 0, 4.0, 500, until(1_000));
		trade(made, 1_000);
		made.suspend();
		look(made);
		made.resume();
		made.lay(BALA, 0, 2.0, 1_000, { persist: true });
		made.turnInPlay();
		made.back(ASHA, 0, 5.0, 600, until(1_000));
		const taking = made.back(CARLA, 0, 2.0, 1_000) as Outcome & { ok: true };
		made.apply({ kind: 'admit-bet', atMs: 2_000, betId: taking.betId as number });
		look(made);
		expect(lapsesOf(made)).toEqual([
			[1, 500, 'VOLUME_REACHED'],
			[5, 600, 'VOLUME_REACHED'],
		]);
	});

	it('waits for what is left at another price, and a bet that a restart brings back waits as well', () => {
		const made = scene();
		made.back(ASHA, 0, 4.0, 500, until(1_000));
		trade(made, 700);
		made.apply({ kind: 'replace-bet', atMs: 0, betId: 1, newBetId: 4, walletId: ASHA, price: 500 });
		expect(made.effects.bets.get(4)?.terms?.untilMatched).toBe(300);
		const restored = made.effects.rebuild();
		expect(restored.hash()).toBe(made.engine.hash());
		made.lay(BALA, 0, 2.0, 299);
		made.back(CARLA, 0, 2.0, 299);
		expect(codeOf(look(made))).toBe('NOTHING_TO_UPDATE');
		trade(made, 100);
		look(made);
		expect(lapsesOf(made)).toEqual([[4, 500, 'VOLUME_REACHED']]);
	});

	it('is part of the digest: another volume is another state', () => {
		const hashes = [1_000, 1_001].map((untilMatched) => {
			const made = scene();
			made.back(ASHA, 0, 4.0, 500, until(untilMatched));
			return made.engine.hash();
		});
		expect(hashes[0]).not.toBe(hashes[1]);
	});

	it('lapses before triggers look at the best prices that it leaves', () => {
		const made = scene();
		made.lay(BALA, 0, 2.5, 300);
		made.back(ASHA, 0, 3.0, 500, until(1_000));
		made.back(CARLA, 0, 4.0, 500);
		const rises = { watches: 'BEST', moves: 'RISES', at: 400, trail: null, marketVersion: null } as const;
		const bet = {
			walletId: BALA,
			marketId: MARKET,
			runner: 0,
			side: 1,
			price: 450,
			stake: 100,
			persist: true,
		} as const;
		made.apply({ kind: 'place-trigger', atMs: 0, triggerId: 4, ...bet, ...rises });
		look(made);
		expect(made.engine.hasTriggersToFire()).toBe(false);
		trade(made, 1_000);
		look(made);
		expect(made.engine.hasTriggersToFire()).toBe(true);
	});

	it('counts a match of its own no more once it is void', () => {
		const made = scene();
		made.lay(BALA, 0, 4.0, 400);
		made.back(ASHA, 0, 4.0, 1_000, until(1_000));
		trade(made, 600);
		expect(codeOf(look(made))).toBe('NOTHING_TO_UPDATE');
		const match = { batch: 1, rowNumber: 1, takerBetId: 2, makerBetId: 1, stake: 400, price: 400 };
		expect(codeOf(made.apply({ kind: 'void-matches', atMs: 0, marketId: MARKET, matches: [match] }))).toBeNull();
		expect(codeOf(look(made))).toBeNull();
		expect(lapsesOf(made)).toEqual([[2, 600, 'VOLUME_REACHED']]);
	});

	describe('in a market across whose runners bets are matched', () => {
		const HOUSE = 1;
		const across = (): ExchangeScene => {
			const made = scene({ crossMatching: true, houses: [HOUSE] });
			made.player(HOUSE, 0);
			return made;
		};

		it('does not count what the bet before it was matched with', () => {
			const made = across();
			trade(made, 5_000, 1);
			made.back(ASHA, 0, 4.0, 500, until(1_000));
			expect(codeOf(look(made))).toBe('NOTHING_TO_UPDATE');
			trade(made, 1_000);
			look(made);
			expect(lapsesOf(made)).toEqual([[3, 500, 'VOLUME_REACHED']]);
		});

		it('waits with what rests of it where a part is matched across them, after a restart, too', () => {
			const made = across();
			made.back(BALA, 1, 3.0, 660, { persist: true });
			made.back(CARLA, 2, 6.0, 330, { persist: true });
			expect(made.back(ASHA, 0, 2.0, 1_490, until(1_000))).toMatchObject({ matched: 990, remaining: 500 });
			expect(made.effects.rebuild().hash()).toBe(made.engine.hash());
			const tradeBelow = (stake: number) => {
				made.lay(BALA, 0, 1.9, stake);
				made.back(CARLA, 0, 1.9, stake);
			};
			tradeBelow(999);
			expect(codeOf(look(made))).toBe('NOTHING_TO_UPDATE');
			tradeBelow(100);
			look(made);
			expect(lapsesOf(made)).toEqual([[3, 500, 'VOLUME_REACHED']]);
		});
	});

	it.each([
		['a fill-or-kill bet', {}, { fillOrKill: true }],
		['a market of the house', { model: 'BOOKMAKER' as const, houses: [BALA] }, {}],
	])('is refused in %s', (_, market, bet) => {
		const made = scene(market);
		expect(codeOf(made.back(ASHA, 0, 3.0, 500, { ...until(1_000), ...bet }))).toBe('TERMS_NOT_POSSIBLE');
	});

	it.each([-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY])('is refused with a volume of %d', (volume) => {
		const made = scene();
		const hash = made.engine.hash();
		expect(codeOf(made.back(ASHA, 0, 3.0, 500, until(volume)))).toBe('INVALID_SIZE');
		expect(made.engine.hash()).toBe(hash);
	});

	it('is one of at most 1,000 of its runner, which lapse together, the oldest first', () => {
		const made = scene();
		for (let count = 0; count < 1_000; count++) made.back(ASHA, 0, 4.0, 100, until(1_000 - count));
		expect(codeOf(made.back(ASHA, 0, 4.0, 100, until(1_000)))).toBe('TERMS_NOT_POSSIBLE');
		trade(made, 1_000);
		look(made);
		expect(made.effects.lapses.map(({ betId }) => betId)).toEqual(Array.from({ length: 1_000 }, (_, at) => at + 1));
		expect(codeOf(made.back(ASHA, 0, 4.0, 100, until(1_000)))).toBeNull();
	});
});

it('bets that are matched whole are none of the most that a runner may have', () => {
	const made = scene();
	for (let count = 0; count < 1_000; count++) made.back(ASHA, 0, 4.0, 100, until(1_000_000));
	made.lay(BALA, 0, 4.0, 100_000);
	expect(codeOf(made.back(CARLA, 0, 4.0, 100, until(1_000)))).toBeNull();
	expect(made.effects.rebuild().hash()).toBe(made.engine.hash());
	trade(made, 1_000);
	look(made);
	expect(lapsesOf(made)).toEqual([[1_002, 100, 'VOLUME_REACHED']]);
});

it('the bets that are due are those that a plain list finds, whatever is matched, voided and forgotten', () => {
	const numbers = new SeededNumbers(11);
	const limits = new VolumeLimits();
	const listed = new Map<number, { at: number; matched: number }>();
	const matchedOf = (betId: number) => listed.get(betId)?.matched ?? 0;
	let volume = 0;
	let found = 0;
	for (let betId = 1; betId < 6_000; betId++) {
		const [kind, [some = 0]] = [numbers.below(10), [...listed.keys()].slice(numbers.below(listed.size + 1))];
		const bet = listed.get(some);
		if (kind < 4) {
			const [at, matched] = [volume + numbers.below(3_000), numbers.below(100)];
			listed.set(betId, { at, matched });
			limits.add(betId, { book: 1, at }, matched);
		} else if (kind < 6) {
			limits.forget(some);
			listed.delete(some);
		} else if (bet && kind < 8) {
			const stake = numbers.below(200);
			volume += stake;
			bet.matched += stake;
		} else if (bet && kind < 9) {
			bet.matched -= numbers.below(bet.matched + 1);
			limits.enterAgain(some, bet.matched);
		} else {
			volume += numbers.below(200);
			const due = [...listed].filter(([, { at, matched }]) => volume - matched >= at).map(([id]) => id);
			expect(limits.next(1) <= volume || due.length === 0).toBe(true);
			expect(limits.takeDue(1, volume, matchedOf).sort((a, b) => a - b)).toEqual(due.sort((a, b) => a - b));
			found += due.length;
			for (const id of due) {
				limits.forget(id);
				listed.delete(id);
			}
		}
	}
	expect(found).toBeGreaterThan(100);
});
