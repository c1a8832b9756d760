/** The bets that level a position, by hand. Amounts paise, prices hundredths. */
import { describe, expect, it } from 'vitest';
import { planCashOut } from '#values/cash-out.ts';

const NOTHING = { back: [], lay: [] };

describe('a plan to cash out', () => {
	it('backs a runner whose win costs 300 against 100 won otherwise: 80 at 5.0, both come to 20 (example 10)', () => {
		const depth = { back: [{ price: 500, size: 100_000 }], lay: [] };
		expect(planCashOut([-30_000, 10_000], [depth, NOTHING], 1)).toEqual({
			hedges: [{ runner: 0, side: 0, stake: 8000, limit: 500, value: 8000 * 500 }],
			after: [2000, 2000],
		});
	});

	it('walks the depth, and is none where the book is too thin', () => {
		const deep = {
			back: [
				{ price: 500, size: 4000 },
				{ price: 400, size: 100_000 },
			],
			lay: [],
		};
		const plan = planCashOut([-30_000, 10_000], [deep, NOTHING], 1);
		// 40 at 5.0 make 200 of the 400, 50 at 4.0 the rest.
		expect(plan?.hedges).toEqual([{ runner: 0, side: 0, stake: 9000, limit: 400, value: 4000 * 500 + 5000 * 400 }]);
		expect(plan?.after).toEqual([1000, 1000]);
		const thin = { back: [{ price: 500, size: 4000 }], lay: [] };
		expect(planCashOut([-30_000, 10_000], [thin, NOTHING], 1)).toBeNull();
	});
});
