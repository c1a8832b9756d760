/** The starting price of random books, compared with a second way that tries every price. */
import { describe, expect, it } from 'vitest';
import { allot, type BackAtStart, type LayAtStart, startingPrice } from '#values/starting-price.ts';
import { SeededNumbers } from '../reference/random-commands.ts';
import { type ReferenceBid, saleOf } from '../reference/reference-auction.ts';

const back = (betId: number, stake: number, limit: number | null = null): BackAtStart => ({ betId, limit, stake });
const lay = (betId: number, liability: number, limit: number | null = null): LayAtStart => ({
	betId,
	limit,
	liability,
});

describe('the starting price', () => {
	it('is the price at which the liability of all lays backs all stakes', () => {
		// 100.00 against 284.00: 1 + 284 / 100.
		expect(startingPrice([back(1, 10_000)], [lay(2, 28_400)], 1)).toEqual({ price: 384, matched: 10_000 });
	});

	it('matches what it can where no price matches all', () => {
		// 0.50 backs 100.00 at 1.01 at most, of which 50.00 is laid.
		expect(startingPrice([back(1, 10_000)], [lay(2, 50)], 1)).toEqual({ price: 101, matched: 5_000 });
		expect(startingPrice([back(1, 10_000, 500)], [lay(2, 1_000, 400)], 1)).toBeNull();
		expect(startingPrice([back(1, 10_000)], [], 1)).toBeNull();
	});

	it('is the limit of a back that more is matched with', () => {
		// At 3.00 the lay takes 100.00; below, only 20.00 is backed.
		expect(startingPrice([back(1, 2_000), back(2, 8_000, 300)], [lay(3, 20_000)], 1)).toEqual({
			price: 300,
			matched: 10_000,
		});
	});

	it('gives to those first who take any price, then to the eagerest limit, then to the oldest', () => {
		const backs = [back(1, 50, 200), back(2, 50, 150), back(3, 50), back(4, 50, 150)];
		const lays = [lay(5, 65, 200)];
		expect(startingPrice(backs, lays, 1)).toEqual({ price: 150, matched: 130 });
		expect(allot({ price: 150, matched: 130 }, backs, lays, 1).backs).toEqual([
			{ betId: 3, stake: 50 },
			{ betId: 2, stake: 50 },
			{ betId: 4, stake: 30 },
		]);
	});
});

const LIMITS = [101, 102, 150, 198, 200, 250, 305, 310, 900, 1_000, 5_000, 100_000];

function randomBids(numbers: SeededNumbers): ReferenceBid[] {
	const size = () => 1 + numbers.below(numbers.from([20, 1_000, 100_000, 50_000_000]));
	return Array.from({ length: 1 + numbers.below(9) }, (_, at) => ({
		id: at + 1,
		side: numbers.chance(50) ? ('BACK' as const) : ('LAY' as const),
		limit: numbers.chance(40) ? null : numbers.from(LIMITS),
		size: size(),
	}));
}

/** @returns how many of the books had a price */
function compare(first: number, books: number): number {
	let priced = 0;
	for (let seed = first; seed < first + books; seed++) {
		const bids = randomBids(new SeededNumbers(seed));
		const backs = bids.filter(({ side }) => side === 'BACK').map(({ id, limit, size }) => back(id, size, limit));
		const lays = bids.filter(({ side }) => side === 'LAY').map(({ id, limit, size }) => lay(id, size, limit));
		const [found, sale] = [startingPrice(backs, lays, 1), saleOf(bids)];
		expect(found, `seed ${seed}`).toEqual(sale && { price: sale.price, matched: sale.matched });
		if (!found || !sale) continue;
		priced++;
		const allotted = allot(found, backs, lays, 1);
		const parts = new Map([...allotted.backs, ...allotted.lays].map(({ betId, stake }) => [betId, stake]));
		expect([...parts].sort(), `seed ${seed}`).toEqual([...sale.parts].sort());
		for (const side of [allotted.backs, allotted.lays])
			expect(side.reduce((sum, { stake }) => sum + stake, 0)).toBe(found.matched);
		for (const { betId, liability } of lays)
			expect((parts.get(betId) ?? 0) * (found.price - 100)).toBeLessThanOrEqual(liability * 100);
	}
	return priced;
}

describe('of random books', () => {
	it('is that of the second way', () => {
		expect(compare(1, 100)).toBeGreaterThan(50);
	});
	it('is that of the second way, for 100,000 books', { tags: 'thorough', timeout: 3_600_000 }, () => {
		expect(compare(1_000, 100_000)).toBeGreaterThan(50_000);
	});
});
