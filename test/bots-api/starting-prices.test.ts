/** Starting prices as bots see them: orders on close, near and far prices, and what the auction made of them. */
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { type TestMatch } from '../support/match.ts';
import type { TestServer } from '../support/server.ts';
import { restartShared, sharedServer } from '../support/shared-server.ts';
import { type Bot, limit, openBot, result, type Wire } from './bot.ts';
import { openTestMatch } from './numbered-match.ts';
import { StreamClient } from './stream-client.ts';

let server: TestServer;
let [bot, rival, third]: [Bot, Bot, Bot] = [] as never;
beforeAll(async () => {
	server = await sharedServer();
	[bot, rival, third] = [await openBot(server), await openBot(server), await openBot(server)];
});

const open = () => openTestMatch(server, { startingPrice: true });
const place = async (of: Bot, match: TestMatch, ...instructions: object[]): Promise<Wire> =>
	await result(server, of, 'placeOrders', { marketId: `1.${match.marketId}`, instructions });
const onClose = (side: 'BACK' | 'LAY', liability: number, price?: number) =>
	price === undefined
		? { orderType: 'MARKET_ON_CLOSE', selectionId: 1, side, marketOnCloseOrder: { liability } }
		: { orderType: 'LIMIT_ON_CLOSE', selectionId: 1, side, limitOnCloseOrder: { liability, price } };
const bookOf = async (match: TestMatch): Promise<Wire> => {
	const priceProjection = { priceData: ['SP_AVAILABLE', 'SP_TRADED'] };
	return (await result(server, bot, 'listMarketBook', { marketIds: [`1.${match.marketId}`], priceProjection }))[0];
};
const ordersOf = async (of: Bot): Promise<Wire[]> => (await result(server, of, 'listCurrentOrders', {})).currentOrders;

it('places orders on close, shows what they would make, and sells them at the turn in-play', async () => {
	const match = await open();
	const marketId = `1.${match.marketId}`;
	const stream = await StreamClient.subscribed(server, bot, {
		op: 'marketSubscription',
		marketFilter: { marketIds: [marketId], bspMarket: true },
		marketDataFilter: { fields: ['SP_PROJECTED', 'SP_TRADED', 'EX_MARKET_DEF'] },
	});
	onTestFinished(() => stream.close());
	const back = await place(bot, match, onClose('BACK', 100));
	expect(back).toMatchObject({
		status: 'SUCCESS',
		instructionReports: [
			{ orderStatus: 'EXECUTABLE', sizeMatched: 0, instruction: { marketOnCloseOrder: { liability: 100 } } },
		],
	});
	await place(rival, match, onClose('LAY', 300, 500));
	await place(third, match, {
		...limit(1, 'LAY', 3, 50),
		limitOrder: { size: 50, price: 3, persistenceType: 'MARKET_ON_CLOSE' },
	});
	expect(await ordersOf(rival)).toMatchObject([
		{ orderType: 'LIMIT_ON_CLOSE', bspLiability: 300, priceSize: { price: 500, size: 0 }, status: 'EXECUTABLE' },
	]);
	expect(await ordersOf(third)).toMatchObject([{ orderType: 'LIMIT', persistenceType: 'MARKET_ON_CLOSE' }]);
	// 300.00 of liability stand against 100.00; the lay in the book could lose another 100.00.
	const sp = {
		farPrice: 4,
		nearPrice: 5,
		backStakeTaken: [{ price: 1.01, size: 100 }],
		layLiabilityTaken: [{ price: 500, size: 300 }],
	};
	expect(await bookOf(match)).toMatchObject({ bspReconciled: false, runners: [{ sp }, { sp: {} }] });
	const told = await stream.line(({ mc = [] }) =>
		mc.some(({ rc = [] }: Wire) => rc.some(({ spn }: Wire) => spn === 5)),
	);
	expect(told.mc[0].rc[0]).toMatchObject({ spn: 5 });
	await match.market.turnInPlay();
	expect(await bookOf(match)).toMatchObject({ bspReconciled: true, runners: [{ sp: { actualSP: 5 } }, { sp: {} }] });
	const [matched] = await ordersOf(bot);
	expect(matched).toMatchObject({
		orderType: 'MARKET_ON_CLOSE',
		averagePriceMatched: 5,
		sizeMatched: 100,
		sizeRemaining: 0,
	});
	const defined = await stream.line(({ mc = [] }) =>
		mc.some(({ marketDefinition }: Wire) => marketDefinition?.bspReconciled),
	);
	expect(defined.mc[0].marketDefinition).toMatchObject({ bspMarket: true, runners: [{ bsp: 5 }, {}] });
	await match.settle(0);
	const cleared = await result(server, bot, 'listClearedOrders', { betStatus: 'SETTLED', marketIds: [marketId] });
	expect(cleared.clearedOrders).toMatchObject([{ orderType: 'MARKET_ON_CLOSE', priceMatched: 5, profit: 400 }]);
});

it('lets an order change its mind about the start, and refuses what no auction takes', async () => {
	const match = await open();
	const marketId = `1.${match.marketId}`;
	const [report] = (await place(bot, match, limit(1, 'BACK', 3, 100))).instructionReports;
	const update = (newPersistenceType: string) =>
		result(server, bot, 'updateOrders', { marketId, instructions: [{ betId: report.betId, newPersistenceType }] });
	expect(await update('MARKET_ON_CLOSE')).toMatchObject({ status: 'SUCCESS' });
	expect(await ordersOf(bot)).toContainEqual(
		expect.objectContaining({ betId: report.betId, persistenceType: 'MARKET_ON_CLOSE' }),
	);
	// A rest that finds no other side lapses.
	await match.market.turnInPlay();
	expect(await ordersOf(bot)).not.toContainEqual(expect.objectContaining({ betId: report.betId }));
	const refused = async (of: TestMatch, order: object) =>
		(await place(rival, of, order)).instructionReports[0].errorCode;
	expect(await refused(match, onClose('BACK', 100))).toBe('INVALID_ORDER_TYPE');
	const plain = await openTestMatch(server);
	expect(await refused(plain, onClose('BACK', 100))).toBe('INVALID_ORDER_TYPE');
	expect(await refused(await open(), onClose('LAY', 5))).toBe('INVALID_BET_SIZE');
	const filter = { bspOnly: true, marketIds: [marketId, `1.${plain.marketId}`] };
	const catalogue = await result(server, bot, 'listMarketCatalogue', { filter, maxResults: 10 });
	expect(catalogue.map((each: Wire) => each.marketId)).toEqual([marketId]);
});

it('counts no order in the near price that does not take it any more', async () => {
	const match = await open();
	const marketId = `1.${match.marketId}`;
	await place(bot, match, onClose('BACK', 100));
	await place(rival, match, onClose('LAY', 300, 500));
	const rest = limit(1, 'LAY', 3, 50, { persistenceType: 'MARKET_ON_CLOSE' });
	const [report] = (await place(third, match, rest)).instructionReports;
	const nearPrice = async () => (await bookOf(match)).runners[0].sp.nearPrice;
	expect(await nearPrice()).toBe(5);
	const update = async (newPersistenceType: string) =>
		await result(server, third, 'updateOrders', {
			marketId,
			instructions: [{ betId: report.betId, newPersistenceType }],
		});
	await update('LAPSE');
	expect(await nearPrice()).toBe(4);
	await update('MARKET_ON_CLOSE');
	expect(await nearPrice()).toBe(5);
});

it('judges an order that is to take the starting price later by the largest win there', async () => {
	const match = await open();
	const marketId = `1.${match.marketId}`;
	const asked = await openBot(server);
	const persistenceOf = async (side: 'BACK' | 'LAY', price: number, size: number) => {
		const [report] = (await place(asked, match, limit(side === 'BACK' ? 1 : 2, side, price, size))).instructionReports;
		return async (newPersistenceType: string) => {
			const instructions = [{ betId: report.betId, newPersistenceType }];
			const updated = await result(server, asked, 'updateOrders', { marketId, instructions });
			return updated.instructionReports[0].errorCode ?? null;
		};
	};
	const profit = (maxProfit: number) =>
		server.act('player-sport-limits', { playerId: String(asked.userId), sport: 'cricket', maxProfit });
	// 100 win 99,900 at the highest price, and a liability of 200 wins 20,000 at the lowest.
	const [back, lay] = [await persistenceOf('BACK', 3, 100), await persistenceOf('LAY', 3, 100)];
	await profit(19_999);
	expect([await back('MARKET_ON_CLOSE'), await lay('MARKET_ON_CLOSE')]).toEqual([
		'INVALID_BET_SIZE',
		'INVALID_BET_SIZE',
	]);
	expect([await back('PERSIST'), await lay('PERSIST')]).toEqual([null, null]);
	await profit(20_000);
	expect([await back('MARKET_ON_CLOSE'), await lay('MARKET_ON_CLOSE')]).toEqual(['INVALID_BET_SIZE', null]);
	// At another price the rest could lose 205, and win 20,500 at the start.
	const taking = (await ordersOf(asked)).find(({ persistenceType }) => persistenceType === 'MARKET_ON_CLOSE');
	const instructions = [{ betId: taking?.betId, newPrice: 3.05 }];
	const moved = await result(server, asked, 'replaceOrders', { marketId, instructions });
	expect(moved.instructionReports[0].errorCode).toBe('INVALID_BET_SIZE');
});

it('keeps orders on close over a restart, and sells them then', async () => {
	const match = await open();
	await place(bot, match, onClose('BACK', 100, 2));
	await place(rival, match, onClose('LAY', 300));
	server = await restartShared();
	expect(await ordersOf(bot)).toContainEqual(
		expect.objectContaining({ orderType: 'LIMIT_ON_CLOSE', bspLiability: 100 }),
	);
	const { exchange } = server.running;
	await exchange.submit({ kind: 'turn-in-play', marketId: Number(match.marketId) });
	expect(await ordersOf(bot)).toContainEqual(expect.objectContaining({ averagePriceMatched: 4, sizeMatched: 100 }));
	server = await restartShared();
	expect(await bookOf(match)).toMatchObject({ bspReconciled: true, runners: [{ sp: { actualSP: 4 } }, {}] });
});
