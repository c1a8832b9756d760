/**
 * * The crowd on a server with a simulated fixture: its trades, their cost to the ledger, and its matches with players.
 *
 * @module-tag thorough
 */
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { PlayedFixture } from '#server/world/feeds/simulated/played-fixture.ts';
import { CROWD_WALLETS, Crowd, openCrowd, ordersAMinute } from '#server/world/markets/crowd.ts';
import { MARKET_MAKER_WALLETS } from '#server/world/markets/market-maker.ts';
import { SIMULATED_SPORTS } from '#sports/all-sports.ts';
import { randomFrom } from '#sports/random.ts';
import { tennis } from '#sports/tennis/tennis-play.ts';
import { GRANTED_POOLS } from '#values/pools.ts';
import { decimalFromPrice, LADDERS } from '#values/price-ladder.ts';
import { feedParts } from '../support/feed-parts.ts';
import { freshRequestId } from '../support/match.ts';
import { TestServer } from '../support/server.ts';

/** The most that a turn of the crowd gives. */
const BUSY = { inPlay: 100_000, atTheStart: 100_000 };

/** Of the sports that are played as matches; rounds and races are over sooner. */
const MINUTES_OF_PLAY: Record<string, number> = { football: 90, tennis: 60, cricket: 120, kabaddi: 40 };
const TEN_LAKH_RUPEES = 100_000_000;

let server: TestServer;
let fixture: PlayedFixture;
let crowd: Crowd;
let playing: Promise<boolean>;
const stopping = new AbortController();
beforeAll(async () => {
	server = await TestServer.start();
	const parts = await feedParts(server);
	const { exchange, fixtures } = parts;
	await openCrowd(exchange);
	fixture = new PlayedFixture(parts, tennis, 3, 0, Date.now());
	await fixture.open({ steps: 20 });
	playing = fixture.run(stopping.signal, () => undefined);
	const log = pino({ level: 'silent' });
	crowd = new Crowd({
		exchange,
		fixtures,
		pools: GRANTED_POOLS,
		rateOf: () => BUSY,
		speed: 1,
		draw: randomFrom(7),
		log,
	});
});
afterAll(async () => {
	await crowd.stop();
	stopping.abort();
	await playing;
	await server.dispose();
});

const main = () => server.running.fixtures.markets(fixture.fixtureId)[0]?.id ?? 0;
const matched = () => server.running.exchange.book(main(), 'DEMO')?.totalMatched ?? 0;
const written = async () =>
	(
		await server.database.db.query<{ bets: number; matches: number; postings: number }>(
			`select (select count(*)::int from bet) as bets, (select count(*)::int from bet_match) as matches,
			   (select count(*)::int from posting) as postings`,
		)
	).rows[0];

describe('the crowd', () => {
	it('trades in both pools, with nothing written of it and no wallet moved', async () => {
		const { exchange } = server.running;
		const submitted = vi.spyOn(exchange, 'submit');
		const matchedBefore = matched();
		const before = await written();
		await expect.poll(matched, { timeout: 20_000 }).toBeGreaterThan(1_000_000);
		await expect.poll(() => exchange.book(main(), 'PLAY')?.totalMatched ?? 0).toBeGreaterThan(0);
		const lastTraded = () => exchange.book(main(), 'DEMO')?.runners.map(({ lastPriceTraded }) => lastPriceTraded) ?? [];
		await expect.poll(lastTraded).not.toContain(null);
		expect(await written()).toEqual(before);
		for (const walletId of [CROWD_WALLETS.DEMO, MARKET_MAKER_WALLETS.DEMO]) {
			expect(exchange.wallet(walletId)).toMatchObject({ cash: 1_000_000_000_000, exposure: 0 });
		}

		// At each sport's own rate, a match with what an order matched here passes ten lakh rupees.
		const orders = submitted.mock.calls.filter(
			([request]) => request.kind === 'take-quotes' && request.walletId === CROWD_WALLETS.DEMO,
		).length;
		submitted.mockRestore();
		const matchedAnOrder = (matched() - matchedBefore) / orders;
		for (const { key, orders: rate } of SIMULATED_SPORTS) {
			const minutes = MINUTES_OF_PLAY[key];
			if (minutes) expect(matchedAnOrder * rate.inPlay * minutes, key).toBeGreaterThan(TEN_LAKH_RUPEES);
		}
	});

	it('meets a player who asks a little more than the quotes, and that bet is held for like any', {
		tags: 'thorough',
	}, async () => {
		const player = await server.demoPlayer();
		const runner = server.running.exchange.book(main(), 'DEMO')?.runners[0];
		// Between the quotes, where there is a price; otherwise behind one of them.
		const [best, worst] = [runner?.back[0]?.price ?? 0, runner?.lay[0]?.price ?? 0];
		const price = decimalFromPrice(LADDERS.CLASSIC.nearest((best + worst) / 2).above ?? worst);
		const bet = { marketId: String(main()), runnerId: '1', side: 'BACK' as const, price, stake: 100 };
		await server.result('placeBetV2', { ...bet, clientRequestId: freshRequestId() }, player.token);
		const open = async () => (await server.result('getUserOpenBets', {}, player.token)).openBets[0];
		await expect.poll(async () => (await open())?.matchedStake, { timeout: 25_000 }).toBe(100);
		await expect.poll(async () => (await written())?.matches).toBeGreaterThan(0);
	});
});

describe('the rate of orders', () => {
	it('grows towards the start and is the one in play from then on', () => {
		const rate = { inPlay: 60, atTheStart: 20 };
		const hours = (left: number) => ordersAMinute({ status: 'UPCOMING', startsAtMs: left * 3_600_000 }, rate, 0, 1);
		expect([hours(72), hours(10), hours(1), hours(0.1)]).toEqual([0.15, 1, 10, 20]);
		expect(ordersAMinute({ status: 'IN_PLAY', startsAtMs: 0 }, rate, 1, 1)).toBe(60);
	});
});
