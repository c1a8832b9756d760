/** The figures a bet slip shows and the engine holds, against sums in BigInt. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addMatched, addUnmatched, emptyFigures, exposureMinor } from '#values/exposure.ts';
import { commissionMinor, liabilityExact, minorToHold, netMinor, profitExact } from '#values/liability.ts';
import { LADDER } from '#values/price-ladder.ts';

const price = fc.constantFrom(...LADDER);
const stake = fc.integer({ min: 1, max: 1_000_000_000 });
const side = fc.constantFrom(0 as const, 1 as const);

describe('a bet', () => {
	it('risks the stake on one side and stake × (price − 1) on the other', () => {
		// 10.00 @ 3.15: the backer wins 21.50 and risks 10.00, the layer the other way round.
		expect([profitExact(0, 315, 1000), liabilityExact(0, 315, 1000)]).toEqual([215_000, 100_000]);
		expect([profitExact(1, 315, 1000), liabilityExact(1, 315, 1000)]).toEqual([100_000, 215_000]);
	});

	it('never leaves the exact integers, whatever its stake and price', () => {
		fc.assert(
			fc.property(side, price, stake, (ofSide, at, amount) => {
				const won = ofSide === 0 ? BigInt(amount) * BigInt(at - 100) : BigInt(amount) * 100n;
				expect(BigInt(profitExact(ofSide, at, amount))).toBe(won);
			}),
		);
	});

	it('alone holds its liability, rounded up to a minor unit', () => {
		fc.assert(
			fc.property(side, price, stake, (ofSide, at, amount) => {
				const position = emptyFigures(2);
				addUnmatched(position, 0, ofSide, at, amount);
				const exact = BigInt(liabilityExact(ofSide, at, amount));
				expect(BigInt(exposureMinor(position))).toBe((exact + 99n) / 100n);
			}),
		);
	});

	it('holds the same when it is matched at its own price, and nothing when it is cancelled', () => {
		fc.assert(
			fc.property(side, price, stake, (ofSide, at, amount) => {
				const position = emptyFigures(3);
				addUnmatched(position, 1, ofSide, at, amount);
				const before = exposureMinor(position);
				addUnmatched(position, 1, ofSide, at, -amount);
				expect(exposureMinor(position)).toBe(0);
				addMatched(position, 1, ofSide, at * amount, amount);
				expect(exposureMinor(position)).toBe(before);
			}),
		);
	});
});

describe('roundings', () => {
	it('hold whole minor units that cover the exact amount', () => {
		expect([0, 1, 99, 100, 101, 250].map((exact) => minorToHold(exact))).toEqual([0, 1, 1, 1, 2, 3]);
	});

	it('of a net go to the nearest minor unit, an exact half down', () => {
		fc.assert(
			fc.property(fc.integer({ min: -(10 ** 12), max: 10 ** 12 }), (exact) => {
				const away = exact - netMinor(exact) * 100;
				expect(away).toBeGreaterThan(-50);
				expect(away).toBeLessThanOrEqual(50);
			}),
		);
	});

	it('of a commission go to the nearest minor unit, an exact half up, for nets of any size', () => {
		const largest = 45_000_000_000_000;
		fc.assert(
			fc.property(fc.integer({ min: 1, max: largest }), fc.integer({ min: 0, max: 10_000 }), (net, rate) => {
				expect(BigInt(commissionMinor(net, rate))).toBe((BigInt(net) * BigInt(rate) * 2n + 10_000n) / 20_000n);
			}),
		);
		expect([commissionMinor(-500, 500), commissionMinor(0, 500), commissionMinor(10, 500)]).toEqual([0, 0, 1]);
	});
});
