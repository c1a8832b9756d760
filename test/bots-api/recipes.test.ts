/** The recipes of docs/RECIPES.md: each is played by a bot against others, down to what it nets by each runner. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestMatch } from '../support/match.ts';
import type { TestServer } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';
import { type Bot, limit, openBot, result, rpc, type Wire } from './bot.ts';
import { openTestMatch } from './numbered-match.ts';

let server: TestServer;
let [bot, rival, third]: [Bot, Bot, Bot] = [] as never;
let match: TestMatch;
beforeAll(async () => {
	server = await sharedServer();
	[bot, rival, third] = [await openBot(server), await openBot(server), await openBot(server)];
});
beforeEach(async () => {
	match = await openTestMatch(server, { startingPrice: true });
});

const place = async (of: Bot, ...instructions: object[]): Promise<Wire> =>
	(await result(server, of, 'placeOrders', { marketId: `1.${match.marketId}`, instructions })).instructionReports;

/** What the bot nets if each runner wins. */
async function nets(): Promise<number[]> {
	const [profit] = await result(server, bot, 'listMarketProfitAndLoss', { marketIds: [`1.${match.marketId}`] });
	return profit.profitAndLosses.map(({ ifWin }: Wire) => ifWin);
}

const openOf = async (): Promise<Wire[]> => {
	const { currentOrders } = await result(server, bot, 'listCurrentOrders', { marketIds: [`1.${match.marketId}`] });
	return currentOrders.filter(({ sizeRemaining }: Wire) => sizeRemaining > 0);
};

/** The bot backs, and is matched. */
async function backed(price: number, size: number, selectionId = 1): Promise<void> {
	await place(rival, limit(selectionId, 'LAY', price, size));
	await place(bot, limit(selectionId, 'BACK', price, size));
}

/** Others match at a price. */
async function traded(price: number): Promise<void> {
	await place(rival, limit(1, 'LAY', price, 10));
	await place(third, limit(1, 'BACK', price, 10));
}

describe('recipes', () => {
	it('scratch: out at the price of the way in', async () => {
		await backed(3, 100);
		await place(bot, limit(1, 'LAY', 3, 100));
		await place(rival, limit(1, 'BACK', 3, 100));
		expect(await nets()).toEqual([0, 0]);
	});

	it('green up: the same profit by each runner', async () => {
		await backed(4, 100);
		await place(rival, limit(1, 'BACK', 3.2, 200));
		await place(bot, limit(1, 'LAY', 3.2, (100 * 4) / 3.2));
		expect(await nets()).toEqual([25, 25]);
	});

	it('trailing stop: follows the price down, and is out when it comes back', async () => {
		await backed(3, 100);
		await place(bot, limit(1, 'LAY', 4, 100, { trigger: { moves: 'RISES', trail: 3 } }));
		await traded(2.8);
		await place(rival, limit(1, 'BACK', 2.92, 200));
		expect(await nets()).toEqual([200, -100]);
		await traded(2.9);
		await expect.poll(nets).toEqual([8, 0]);
	});

	it('bracket: an aim and a stop from the first match on', async () => {
		await place(bot, limit(1, 'BACK', 3, 100, { plan: { kind: 'BRACKET', profitTicks: 5, stopTicks: 5 } }));
		await expect.poll(openOf).toHaveLength(1);
		await place(rival, limit(1, 'LAY', 3, 100));
		await expect.poll(async () => (await openOf())[0]?.priceSize).toEqual({ price: 2.9, size: 103.44 });
		await place(rival, limit(1, 'BACK', 2.9, 103.44));
		const [wins = 0, loses = 0] = await nets();
		expect([wins, loses]).toEqual([3.46, 3.44]);
		expect(await openOf()).toEqual([]);
	});

	it('bracket: out at its stop', async () => {
		await place(bot, limit(1, 'BACK', 3, 100, { plan: { kind: 'BRACKET', profitTicks: 5, stopTicks: 5 } }));
		await expect.poll(openOf).toHaveLength(1);
		await place(rival, limit(1, 'LAY', 3, 100));
		await expect.poll(async () => (await openOf())[0]?.side).toBe('LAY');
		await place(third, limit(1, 'BACK', 3.25, 200));
		await place(rival, limit(1, 'LAY', 3.25, 10));
		await expect.poll(async () => (await openOf())[0]?.side ?? null).toBeNull();
		const [wins = 0, loses = 0] = await nets();
		expect(Math.max(wins, loses)).toBeLessThan(-7);
		expect(Math.min(wins, loses)).toBeGreaterThan(-8);
	});

	it('dutching: stakes by the prices, and the same profit by two runners', async () => {
		await backed(4, 30);
		await backed(2, 60, 2);
		expect(await nets()).toEqual([30, 30]);
	});

	it('bookmaking: laid above a book of 100 %, and the same profit by each runner', async () => {
		await place(bot, limit(1, 'LAY', 1.9, 60), limit(2, 'LAY', 1.9, 60));
		await place(rival, limit(1, 'BACK', 1.9, 60), limit(2, 'BACK', 1.9, 60));
		expect(await nets()).toEqual([6, 6]);
	});

	it('tick offset: out a tick better than in', async () => {
		await place(bot, limit(1, 'BACK', 3, 100, { plan: { kind: 'BRACKET', profitTicks: 1, stopTicks: 100 } }));
		await expect.poll(openOf).toHaveLength(1);
		await place(rival, limit(1, 'LAY', 3, 100));
		await expect.poll(async () => (await openOf())[0]?.priceSize).toEqual({ price: 2.98, size: 100.67 });
		await place(rival, limit(1, 'BACK', 2.98, 100.67));
		await expect.poll(async () => (await nets()).map(Math.round)).toEqual([1, 1]);
	});

	it('stop at in-play: a stop that is carried into play', async () => {
		await backed(3, 100);
		const stop = { persistenceType: 'PERSIST', trigger: { moves: 'RISES', at: 3.5 } };
		await place(bot, limit(1, 'LAY', 4, 100, stop));
		await match.market.turnInPlay();
		await place(rival, limit(1, 'BACK', 3.6, 200));
		await traded(3.5);
		await expect.poll(nets).toEqual([-60, 0]);
	});

	it('hedge at the starting price: level without a further look', async () => {
		await backed(4, 50);
		const onClose = (side: 'BACK' | 'LAY', liability: number) => ({
			orderType: 'MARKET_ON_CLOSE',
			selectionId: 1,
			side,
			marketOnCloseOrder: { liability },
		});
		await place(bot, onClose('LAY', 150));
		await place(rival, onClose('BACK', 50));
		await match.market.turnInPlay();
		expect(await nets()).toEqual([0, 0]);
	});

	it('iceberg: others see a third of it', async () => {
		await place(bot, limit(1, 'BACK', 3, 30, { plan: { kind: 'ICEBERG', visible: 10 } }));
		const shown = async () => {
			const priceProjection = { priceData: ['EX_ALL_OFFERS'] };
			const [book] = await result(server, rival, 'listMarketBook', {
				marketIds: [`1.${match.marketId}`],
				priceProjection,
			});
			return book.runners[0].ex.availableToLay;
		};
		for (let part = 0; part < 3; part++) {
			await expect.poll(shown).toEqual([{ price: 3, size: 10 }]);
			await place(rival, limit(1, 'LAY', 3, 10));
		}
		expect(await nets()).toEqual([60, -30]);
	});

	it('a group: much that is matched at once cancels the rest, until it is reset', async () => {
		const group = { name: 'quotes', most: 50 };
		expect(await result(server, bot, 'setOrderGroup', group)).toEqual({ ...group, matched: 0 });
		const quote = (price: number) => {
			const order = limit(1, 'BACK', price, 40);
			return { ...order, limitOrder: { ...order.limitOrder, group: 'quotes' } };
		};
		await place(bot, quote(4), quote(4.1), quote(4.2));
		await place(rival, limit(1, 'LAY', 4.1, 60));
		await expect.poll(openOf).toEqual([]);
		const { groups } = await result(server, bot, 'listOrderGroups', {});
		expect(groups).toEqual([{ ...group, matched: 60, closedAt: expect.any(String) }]);
		expect((await place(bot, quote(5)))[0]).toMatchObject({ status: 'FAILURE', errorCode: 'BET_TAKEN_OR_LAPSED' });
		expect(await result(server, bot, 'setOrderGroup', group)).toEqual({ ...group, matched: 0 });
		expect((await place(bot, quote(5)))[0]).toMatchObject({ status: 'SUCCESS' });
	});

	it('a group is opened by its name and a limit above zero', async () => {
		for (const [wrong, message] of [
			[{ name: '', most: 50 }, 'DSC-0018'],
			[{ name: 'quotes', most: 0 }, 'ANGX-0002'],
			[{ name: 'quotes', most: 0.001 }, 'ANGX-0002'],
			[{ name: 'quotes' }, 'DSC-0018'],
		] as const)
			expect([wrong, (await rpc(server, bot, 'setOrderGroup', wrong)).error?.message]).toEqual([wrong, message]);
	});
});
