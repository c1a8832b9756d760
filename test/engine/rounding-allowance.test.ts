/** What roundings may cost in a settlement by a walk, by pool, and the count of all pools that earlier releases wrote. */
import { expect, it } from 'vitest';
import { RoundingAllowance } from '#engine/rounding-allowance.ts';

const [RUPEES, YEN] = ['PLAY', 'PLAY-JPY'] as const;

it('counts a coin of its pool for each wallet, less what was lent', () => {
	const rounding = new RoundingAllowance();
	for (let wallets = 0; wallets < 3; wallets++) rounding.settle(YEN, 0);
	expect([rounding.covers(YEN, 400), rounding.covers(YEN, 500)]).toEqual([true, false]);
	rounding.settle(YEN, 300);
	expect(rounding.left).toEqual([{ pool: 'PLAY-JPY', coins: 1 }]);
	expect([100, 200].map((rest) => rounding.explains([[YEN, rest]]))).toEqual([true, false]);
	rounding.clear();
	expect([rounding.left, rounding.coins]).toEqual([[], 0]);
});

it('covers nothing of another currency', () => {
	const rounding = new RoundingAllowance();
	for (let wallets = 0; wallets < 500; wallets++) rounding.settle(RUPEES, 0);
	expect([rounding.covers(YEN, 100), rounding.covers(YEN, 200)]).toEqual([true, false]);
	expect(
		rounding.explains([
			[RUPEES, 0],
			[YEN, 100],
		]),
	).toBe(false);
});

it('lets all pools together use what was counted for all of them, after their own', () => {
	const rounding = new RoundingAllowance();
	rounding.left = [{ pool: null, coins: 2 }];
	rounding.settle(RUPEES, 0);
	rounding.settle(YEN, 200);
	expect(rounding.left).toEqual([
		{ pool: null, coins: 1 },
		{ pool: 'PLAY', coins: 1 },
	]);
	const explains = (rupees: number, yen: number) =>
		rounding.explains([
			[RUPEES, rupees],
			[YEN, yen],
		]);
	expect([explains(1, 100), explains(2, 0), explains(2, 100)]).toEqual([true, true, false]);
	const copy = new RoundingAllowance();
	copy.left = rounding.left;
	expect(copy.left).toEqual(rounding.left);
});
