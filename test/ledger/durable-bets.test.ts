import { describe, expect, it } from 'vitest';
import type { BetRow } from '#server/exchange/order/batch-rows.ts';
import { LiveBets } from '#server/exchange/order/live-bets.ts';
import type { QuotedMarket } from '#server/exchange/order/standing-quotes.ts';
import { DurableBets } from '#server/exchange/views/durable-bets.ts';
import { POOLS } from '#values/pools.ts';

const WALLETS = 7;
const MARKETS = 5;
/** Of 32 bits and above, as neighbours and far apart. */
const IDS = Array.from({ length: 3_000 }, (_, at) => (at % 3 === 0 ? 5_000_000_000 + at * 977 : at + 1));

/** Whole numbers below a limit, the same in every run. */
function numbersFrom(seed: number): (limit: number) => number {
	let state = seed;
	return (limit) => {
		state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
		return Math.floor((state / 2 ** 32) * limit);
	};
}

function betOf(betId: number, below: (limit: number) => number): BetRow {
	const bet: BetRow = {
		betId,
		walletId: [1, 1_000, 2 ** 40][below(3)] ?? below(WALLETS) + 2_000,
		marketId: 1 + below(MARKETS),
		pool: POOLS[below(POOLS.length)] ?? 'PLAY',
		runner: [0, 1, 65_535][below(3)] ?? 0,
		side: below(2) as 0 | 1,
		price: 101 + below(99_900),
		stake: [1, 2_147_483_647][below(4)] ?? 1 + below(1_000_000),
		persist: below(2) === 0,
		fillOrKill: below(2) === 0,
		terms: null,
		onClose: null,
		takesStart: below(9) === 0,
		quote: below(3) === 0,
		placedAtMs: 1_700_000_000_000 + below(1_000_000),
		matchedAtMs: below(2) === 0 ? null : 1_700_000_000_123.5,
		matched: below(1_000),
		matchedValue: below(2) === 0 ? 0 : 2_147_483_647 * 100_000,
		remaining: below(1_000),
		cancelled: below(10),
		lapsed: below(10),
		voided: below(10),
		result: null,
		profitExact: null,
		parts: 1,
		fills: null,
		delay: null,
		endedAtMs: null,
		queuedAfter: null,
	};
	return { ...bet, ...detailsOf(below) };
}

const detailsOf = (below: (limit: number) => number): Partial<BetRow> =>
	[
		{ terms: { postOnly: 'REFUSE' as const, expiresAtMs: 9, selfMatch: null } },
		{ onClose: { limit: 300, liability: 50 } },
		{ delay: { dueAtMs: 7, version: 2, minFill: 0 } },
		{ fills: [{ stake: 5, price: 210 }] },
		{ queuedAfter: 12 },
		{ references: { orderRef: 'mine', strategyRef: null } },
		{ result: 'VOID' as const, profitExact: 0 },
		{ parts: 2 },
	][below(24)] ?? {};

describe('durable bets', () => {
	it('are what objects in a map would be, while bets come, change and go', () => {
		const below = numbersFrom(5);
		const durable = new DurableBets();
		const model = new Map<number, BetRow>();
		const compare = () => {
			expect(durable.size).toBe(model.size);
			for (const walletId of new Set([...model.values()].map((bet) => bet.walletId))) {
				const own = [...model.values()].filter((bet) => bet.walletId === walletId).reverse();
				expect([...durable.ofWallet(walletId)]).toEqual(own);
				const rests = own.map(({ betId, marketId, remaining }) => ({ betId, marketId, remaining }));
				expect([...durable.restsOf(walletId)]).toEqual(rests);
				for (const one of [1, 2, 99])
					expect(durable.ofWalletIn(walletId, one)).toEqual(own.filter(({ marketId }) => marketId === one));
			}
			const inTwo = [...model.values()].filter(({ marketId }) => marketId === 1 || marketId === 3);
			const entered = [1, 3].flatMap((market) => inTwo.filter(({ marketId }) => marketId === market));
			expect([...durable.eachIn([1, 3, 1])]).toEqual(entered);
			expect(durable.inMarkets([1, 3, 1])).toEqual(inTwo.sort((one, other) => one.betId - other.betId));
			for (const betId of IDS) expect(durable.get(betId)).toEqual(model.get(betId) ?? null);
		};
		// It grows to thousands of bets over several pages, is nearly empty, and grows again.
		for (const [steps, goes] of [
			[4_000, 0.1],
			[12_000, 0.9],
			[4_000, 0.3],
		] as const) {
			for (let step = 0; step < steps; step++) {
				const betId = IDS[below(IDS.length)] ?? 1;
				const known = model.get(betId);
				if (known && below(1_000) < goes * 1_000) {
					model.delete(betId);
					durable.remove(betId);
				} else if (known || below(1_000) >= goes * 1_000) {
					const { walletId, marketId } = known ?? {};
					const bet = { ...betOf(betId, below), ...(known ? { walletId, marketId } : {}) } as BetRow;
					model.set(betId, bet);
					durable.set(bet);
				}
			}
			compare();
		}
		for (let round = 0; round < 2; round++) {
			for (const betId of IDS) {
				model.delete(betId);
				durable.remove(betId);
			}
			compare();
			for (const betId of IDS) {
				const bet = betOf(betId, below);
				model.set(betId, bet);
				durable.set(bet);
			}
			compare();
		}
	});

	it('are listed by id, in markets whose bets came in that order, and after one of them was reopened', () => {
		const below = numbersFrom(3);
		const durable = new DurableBets();
		const bets = [1, 2, 3, 4, 5, 6].map((betId) => ({ ...betOf(betId, below), marketId: betId < 5 ? 1 : 2 }));
		for (const bet of bets) durable.set(bet);
		expect(durable.inMarkets([1])).toEqual(bets.slice(0, 4));
		expect(durable.inMarkets([1, 2])).toEqual(bets);
		expect(durable.inMarkets([2, 1])).toEqual(bets);
		const [, second] = bets;
		if (!second) throw new Error('there are six bets');
		durable.remove(2);
		expect(durable.inMarkets([1])).toEqual(bets.filter(({ betId }) => [1, 3, 4].includes(betId)));
		durable.set(second);
		expect(durable.inMarkets([1])).toEqual(bets.slice(0, 4));
	});

	it('are taken one after another as each then stands, while others change, end and come', () => {
		const below = numbersFrom(9);
		const durable = new DurableBets();
		const bets = [1, 2, 3, 4, 5].map((betId): BetRow => ({ ...betOf(betId, below), marketId: 1, matched: 0 }));
		for (const bet of bets) durable.set(bet);
		const taken: BetRow[] = [];
		for (const bet of durable.eachIn([1])) {
			taken.push(bet);
			if (bet.betId !== 2) continue;
			durable.remove(2);
			durable.remove(4);
			durable.set({ ...(bets[4] as BetRow), matched: 7 });
			durable.set({ ...(bets[0] as BetRow), betId: 6 });
		}
		expect(taken.map(({ betId, matched }) => [betId, matched])).toEqual([
			[1, 0],
			[2, 0],
			[3, 0],
			[5, 7],
		]);
	});

	it('stop what would not be the same amount afterwards', () => {
		const bet = betOf(1, numbersFrom(1));
		for (const wrong of [{ stake: 2_147_483_648 }, { remaining: 0.5 }, { runner: 65_536 }])
			expect(() => new DurableBets().set({ ...bet, ...wrong })).toThrow('rule of its own');
	});
});

/** Sums by wallet and market. */
function quotesByMarket(found: readonly QuotedMarket[]): Map<string, number> {
	const sums = new Map<string, number>();
	for (const { walletId, marketId, quotes } of found) {
		const key = `${walletId}.${marketId}`;
		sums.set(key, (sums.get(key) ?? 0) + quotes);
	}
	return sums;
}

describe('live bets', () => {
	it('are the bets as the last command left them, whatever is durable', () => {
		const below = numbersFrom(11);
		const durable = new DurableBets();
		const live = new LiveBets(durable);
		/** Of the engine's bets, those that the open batch touched. */
		const model = new Map<number, BetRow>();
		let touched = new Set<BetRow>();
		const onTheirWay: BetRow[][] = [];
		const plain = (betId: number) => ({
			...betOf(betId, below),
			walletId: 1 + below(3),
			marketId: 1 + below(3),
			remaining: below(3),
			quote: below(2) === 0,
			endedAtMs: null,
		});
		for (let step = 0; step < 20_000; step++) {
			const betId = 1 + below(60);
			const known = model.get(betId);
			const act = below(12);
			if (act === 0) {
				onTheirWay.push([...touched].map((row) => ({ ...row })));
				for (const { betId: id, endedAtMs } of touched) if (endedAtMs !== null) model.delete(id);
				touched = new Set();
				live.sealed();
			} else if (act === 1) {
				// The first of those on their way; others may be behind it.
				const first = onTheirWay.shift();
				if (!first) continue;
				for (const row of first)
					if (row.endedAtMs === null) durable.set(row);
					else durable.remove(row.betId);
				live.durable();
			} else if (!known || known.endedAtMs !== null) {
				if (known && act > 6) continue;
				// A bet that ended in this batch and is open again is a row of its own.
				if (known) touched.delete(known);
				const row = plain(betId);
				if (known) Object.assign(row, { walletId: known.walletId, marketId: known.marketId });
				model.set(betId, row);
				live.add(row);
				touched.add(row);
			} else {
				const row = live.forChange(betId);
				expect(row).toEqual(known);
				if (!row) continue;
				row.remaining = below(3);
				if (act > 9) live.end(row, step);
				model.set(betId, row);
				touched.add(row);
			}
			const asked = 1 + below(60);
			expect(live.get(asked)).toEqual(model.get(asked));
			expect(live.marketOf(asked)).toBe(model.get(asked)?.marketId);
			expect(live.size).toBe(model.size);
			if (step % 10 > 0) continue;
			const wallet = 1 + below(3);
			const open = [...model.values()].filter(({ endedAtMs }) => endedAtMs === null);
			expect(live.countOf(wallet)).toBe(open.filter(({ walletId }) => walletId === wallet).length);
			const standing = open.filter(({ quote, remaining }) => quote && remaining > 0);
			expect(quotesByMarket(live.quotedMarkets())).toEqual(
				quotesByMarket(standing.map(({ walletId, marketId }) => ({ walletId, marketId, quotes: 1 }))),
			);
			const rests = [...model.values()].filter(
				({ walletId, marketId, remaining }) => remaining > 0 && walletId !== 2 && marketId !== 3,
			);
			const found = live.walletsWithRests(
				(walletId) => walletId !== 2,
				(marketId) => marketId !== 3,
			);
			expect(found).toEqual(new Set(rests.map(({ walletId }) => walletId)));
		}
	});
});
