/**
 * The kernel reads what a bet will need before it has judged it. So a request may hold any numbers: it is judged as before,
 * and a refused one leaves no trace.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PlaceBet } from '#engine/command.ts';
import { ExchangeScene, MARKET } from './exchange-scene.ts';

/** A number that a client may send, or one that is right. */
const numberOr = (...right: readonly number[]) =>
	fc.oneof(
		{ weight: 4, arbitrary: fc.constantFrom(...right) },
		fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, -1, -0, 0.5, 2 ** 31, 2 ** 32, 2 ** 53, -(2 ** 31), 1e300),
		fc.double(),
		fc.integer(),
	);

const requests = fc.record({
	betId: fc.constantFrom(0, 1, 2, 100, 2 ** 31, 2 ** 40),
	walletId: numberOr(11, 12, 21),
	marketId: numberOr(MARKET, 2, 3),
	runner: numberOr(0, 1, 2),
	side: numberOr(0, 1) as fc.Arbitrary<0 | 1>,
	price: numberOr(198, 200, 202),
	stake: numberOr(100, 500, 20_000),
	persist: fc.boolean(),
});

/** Two pools with resting bets, a market of one pool that takes no bets, and one whose books are closed. */
function scene(): ExchangeScene {
	const made = new ExchangeScene();
	made.openMarket({ pools: ['PLAY', 'DEMO'], minStake: 100, maxStake: 100_000 });
	made.openMarket({ marketId: 2, suspended: true });
	made.openMarket({ marketId: 3 });
	made.players(10_000, [11, 12]);
	made.player(21, 10_000, 'DEMO');
	made.lay(11, 0, 2.0, 1000);
	made.back(12, 1, 2.0, 1000);
	made.lay(21, 2, 1.98, 500);
	made.settle(0, 3);
	return made;
}

describe('a bet of any numbers', () => {
	it('is judged, and leaves no trace where it is refused', () => {
		fc.assert(
			fc.property(fc.array(requests, { minLength: 1, maxLength: 12 }), (bets) => {
				const made = scene();
				for (const bet of bets) {
					const hash = made.engine.hash();
					const outcome = made.apply({ kind: 'place-bet', atMs: 0, ...bet } satisfies PlaceBet & { atMs: number });
					if (!outcome.ok) expect(made.engine.hash()).toBe(hash);
					made.apply({ kind: 'cancel-bet', atMs: 0, betId: bet.price, walletId: bet.stake });
				}
				expect(made.effects.rebuild().hash()).toBe(made.engine.hash());
			}),
			{ numRuns: 300 },
		);
	});
});
