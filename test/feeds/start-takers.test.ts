/** The simulated takers of the starting price on a server: near and far prices before a start, and what the auction makes of them. */
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openMarketMakers } from '#server/world/markets/market-maker.ts';
import { openStartTakers, START_BACKERS, START_LAYERS, StartTakers } from '#server/world/markets/start-takers.ts';
import { randomFrom } from '#sports/random.ts';
import { GRANTED_POOLS } from '#values/pools.ts';
import { openTestMatch, quotesAround, type TestMatch } from '../support/match.ts';
import { TestServer } from '../support/server.ts';

/** So fast that each turn gives as much as one may. */
const SPEED = 1_000;

let server: TestServer;
let takers: StartTakers;
let [starting, without, later]: TestMatch[] = [];
beforeAll(async () => {
	server = await TestServer.start();
	const { exchange, fixtures } = server.running;
	await openMarketMakers(exchange);
	await openStartTakers(exchange);
	starting = await openTestMatch(server, { startingPrice: true, startsAtMs: Date.now() + 500 });
	without = await openTestMatch(server, { startsAtMs: Date.now() + 500 });
	later = await openTestMatch(server, { startingPrice: true, startsAtMs: Date.now() + 3_600_000 });
	for (const match of [starting, without, later]) await match.market.quote([quotesAround(300), quotesAround(150)]);
	const log = pino({ level: 'silent' });
	const pools = GRANTED_POOLS.filter((pool) => exchange.pools.includes(pool));
	takers = new StartTakers({ exchange, fixtures, pools, follows: () => true, speed: SPEED, draw: randomFrom(5), log });
});
afterAll(async () => {
	await takers.stop();
	await server.dispose();
});

const waiting = (match: TestMatch | undefined) =>
	server.running.exchange.betsIn([Number(match?.marketId)]).filter(({ onClose }) => onClose !== null);

it('bids on both sides shortly before a start, where there are starting prices, around the middle of the book', async () => {
	const { exchange } = server.running;
	const both = () =>
		new Set(waiting(starting).flatMap(({ pool, runner, side }) => (pool === 'DEMO' ? [`${runner} ${side}`] : [])));
	await expect.poll(() => both().size, { timeout: 20_000 }).toBe(4);
	await takers.stop();
	const wallets = [...Object.values(START_BACKERS), ...Object.values(START_LAYERS)];
	for (const { walletId, side } of waiting(starting)) {
		expect(wallets).toContain(walletId);
		expect(Object.values(side === 0 ? START_BACKERS : START_LAYERS)).toContain(walletId);
	}
	expect([waiting(without), waiting(later)]).toEqual([[], []]);
	await starting?.market.turnInPlay();
	const found = exchange.market(Number(starting?.marketId))?.startingPrices ?? [];
	const middles = [305, 155];
	const ofDemo = found.filter(({ pool }) => pool === 'DEMO');
	expect(ofDemo.map(({ runner }) => runner)).toEqual([0, 1]);
	for (const { runner, price, matched } of ofDemo) {
		const middle = middles[runner] as number;
		expect(price).toBeGreaterThan(middle * 0.8);
		expect(price).toBeLessThan(middle * 1.25);
		expect(matched).toBeGreaterThan(0);
	}
	await starting?.settle(0);
	for (const wallet of [START_BACKERS.DEMO, START_LAYERS.DEMO]) expect(exchange.wallet(wallet)?.exposure).toBe(0);
	const cash = [START_BACKERS.DEMO, START_LAYERS.DEMO].map((wallet) => exchange.wallet(wallet)?.cash ?? 0);
	// What one of them won, the other lost.
	expect(cash[0] ?? 0).not.toBe(1_000_000_000_000);
	expect((cash[0] ?? 0) + (cash[1] ?? 0)).toBe(2_000_000_000_000);
});
