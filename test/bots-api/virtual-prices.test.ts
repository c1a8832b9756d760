/** Virtual prices as bots see them, in a market that matches across runners. */
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { findFixture } from '#server/world/fixtures/find-fixture.ts';
import type { TestServer } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';
import { type Bot, limit, openBot, result, type Wire } from './bot.ts';
import { openTestMatch } from './numbered-match.ts';
import { StreamClient } from './stream-client.ts';

const HOUSE = 900_001;
const LIMITS = { minStake: 1, maxStake: 10_000_000 };

let server: TestServer;
/** As bots name it. */
let crossed: string;
let [bot, rival, third]: [Bot, Bot, Bot] = [] as never;
beforeAll(async () => {
	server = await sharedServer();
	[bot, rival, third] = [await openBot(server), await openBot(server), await openBot(server)];
	await openCrossed();
});

/** A match of three runners that a bot knows by a feed's ids. No feed opens a market that matches across them, so the exchange does. */
async function openCrossed(): Promise<void> {
	const { exchange, fixtures } = server.running;
	const pool = exchange.wallet(bot.userId)?.pool ?? 'PLAY';
	const fixture = await findFixture(fixtures, {
		sportId: 3,
		title: 'Home v Away',
		competition: 'Test Cup',
		startsAtMs: Date.now() + 3_600_000,
		status: 'UPCOMING',
		source: 'test',
		sourceRef: 'crossed',
		hasTv: false,
		scoreLine: null,
	});
	const listing = await fixtures.addMarket({
		fixtureId: fixture.id,
		name: 'Match Odds',
		type: 'MATCH_ODDS',
		bettingModel: 'EXCHANGE',
		runners: ['Home', 'Away', 'The Draw'].map((name, at) => ({ id: `1.1-${at + 1}`, name })),
		betDelaySeconds: 0,
		...LIMITS,
		maxProfit: 0,
		commissionBp: 0,
		numberOfWinners: 1,
		rules: 'Who wins.',
		sortOrder: 1,
	});
	await exchange.submit({ kind: 'open-wallet', walletId: HOUSE, pool });
	await exchange.submit({
		kind: 'open-market',
		marketId: listing.id,
		pools: [pool],
		runners: 3,
		numberOfWinners: 1,
		crossMatching: true,
		houses: [HOUSE],
		commissionBp: 0,
		...LIMITS,
		profitRatioRule: false,
		selfMatch: 'REFUSE',
		suspended: false,
	});
	crossed = `1.${listing.id}`;
}

const place = async (of: Bot, ...instructions: object[]): Promise<Wire> =>
	await result(server, of, 'placeOrders', { marketId: crossed, instructions });
async function booksOf(marketId: string, projection: object): Promise<Wire[]> {
	const priceProjection = { priceData: ['EX_BEST_OFFERS'], ...projection };
	const [book] = await result(server, bot, 'listMarketBook', { marketIds: [marketId], priceProjection });
	return book.runners.map(({ ex }: Wire) => [ex.availableToBack, ex.availableToLay]);
}

it('shows what all the other runners offer, in books and stream, and matches exactly that', async () => {
	const stream = await StreamClient.subscribed(server, bot, {
		op: 'marketSubscription',
		marketFilter: { marketIds: [crossed] },
		marketDataFilter: { fields: ['EX_BEST_OFFERS', 'EX_BEST_OFFERS_DISP'], ladderLevels: 3 },
	});
	onTestFinished(() => stream.close());
	await place(rival, limit(2, 'BACK', 3, 66));
	await place(third, limit(3, 'BACK', 6, 33), limit(1, 'LAY', 1.9, 20));
	// 66 at 3 and 33 at 6 pay 198 each, as 99 at 2 does.
	const virtual = [
		{ price: 2, size: 99 },
		{ price: 1.9, size: 20 },
	];
	expect(await booksOf(crossed, { virtualise: true })).toMatchObject([
		[virtual, []],
		[[], [{}]],
		[[], [{}]],
	]);
	expect(await booksOf(crossed, {})).toMatchObject([
		[[{ price: 1.9, size: 20 }], []],
		[[], [{}]],
		[[], [{}]],
	]);
	const told = await stream.line(({ mc = [] }) => mc.some(({ rc = [] }: Wire) => rc.some(({ bdatb }: Wire) => bdatb)));
	const runner = told.mc[0].rc.find(({ bdatb }: Wire) => bdatb);
	expect(runner.bdatb[0]).toEqual([0, 2, 99]);
	const { instructionReports } = await place(bot, limit(1, 'BACK', 2, 150));
	expect(instructionReports).toMatchObject([{ sizeMatched: 99, averagePriceMatched: 2 }]);
	expect(await booksOf(crossed, { virtualise: true })).toMatchObject([
		[[{ price: 1.9, size: 20 }], [{ price: 2, size: 51 }]],
		[[], []],
		[[], []],
	]);
});

it('shows the books themselves where a market does not match across runners', async () => {
	const match = await openTestMatch(server);
	const marketId = `1.${match.marketId}`;
	await result(server, rival, 'placeOrders', { marketId, instructions: [limit(2, 'BACK', 3, 50)] });
	const plain = await booksOf(marketId, {});
	expect(plain).toEqual([
		[[], []],
		[[], [{ price: 3, size: 50 }]],
	]);
	expect(await booksOf(marketId, { virtualise: true })).toEqual(plain);
});
