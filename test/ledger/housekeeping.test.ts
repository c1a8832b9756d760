/** What is let go of: fixtures that were over some time ago, and the house's quotes that nobody took; and what must stay. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { QuotedRunner } from '#server/feeds/market-maker.ts';
import { REMEMBERED_MS } from '#server/housekeeping.ts';
import { CRICKET, TENNIS } from '#values/sports.ts';
import { expectSound } from '../support/audit.ts';
import { feedParts } from '../support/feed-parts.ts';
import { betOn, openTestMatch, type TestMatch } from '../support/match.ts';
import { type Player, TestServer } from '../support/server.ts';

let server: TestServer;
let match: TestMatch;
let player: Player;
beforeAll(async () => {
	server = await TestServer.start();
	await feedParts(server);
});
afterAll(() => server.dispose());
beforeEach(async () => {
	match = await openTestMatch(server);
	player = await server.demoPlayer();
});

const around = (price: number): QuotedRunner => ({
	back: [{ price, size: 1_000_000 }],
	lay: [{ price: price + 10, size: 1_000_000 }],
});
/** The house quotes again and again; at the third price a player takes ₹100. */
async function quoteAndBet(): Promise<void> {
	for (const price of [200, 210, 220, 230, 240]) {
		await match.market.quote([around(price), around(price)]);
		if (price === 220) await server.result('placeBetV2', betOn(match, { price: 2.2 }), player.token);
	}
}
/** The house's bets in the market: those of which something was matched, and the others. */
async function houseBets(): Promise<{ matched: number; idle: number }> {
	const { rows } = await server.database.pool.query<{ matched: number; idle: number }>(
		`select count(*) filter (where matched + voided > 0)::int as matched,
		   count(*) filter (where matched + voided = 0)::int as idle from bet where wallet_id < 1000 and market_id = $1`,
		[match.marketId],
	);
	return rows[0] ?? { matched: 0, idle: 0 };
}
const tidy = (laterMs = 0) => server.running.housekeeping.tidy(Date.now() + laterMs);
const postings = async () =>
	(await server.database.pool.query<{ count: number }>('select count(*)::int as count from posting')).rows[0]?.count;
describe('quotes nobody took', () => {
	it('stay while their market is open', async () => {
		await quoteAndBet();
		const before = await houseBets();
		expect(before.idle).toBeGreaterThan(8);
		await tidy();
		expect(await houseBets()).toEqual(before);
		await match.market.settle(0);
	});

	it('go when it is paid; matched bets and postings stay, and the ledger holds, over a restart too', async () => {
		await quoteAndBet();
		await match.market.settle(0);
		const [{ matched }, posted] = [await houseBets(), await postings()];
		expect((await tidy()).quotes).toBeGreaterThan(8);
		expect(await houseBets()).toEqual({ matched, idle: 0 });
		expect(matched).toBeGreaterThan(0);
		expect(await postings()).toBe(posted);
		await expectSound(server.database.url);
		await server.stop();
		// It starts only when the state rebuilt from the tables has the digest of the last batch.
		server = await TestServer.start(server.database);
		await expectSound(server.database.url);
	});

	it('are not missed when the market is opened again and paid otherwise', async () => {
		await quoteAndBet();
		await match.market.settle(0);
		const won = await server.result('getUserInfo', {}, player.token);
		// 120 less 2 %.
		expect(won.balance).toBe(20_000 + 120 - 2.4);
		await tidy();
		await server.operator('reopen', { marketId: match.marketId });
		await server.operator('settle', { marketId: match.marketId, winners: ['Nepal'] });
		expect((await server.result('getUserInfo', {}, player.token)).balance).toBe(20_000 - 100);
		await expectSound(server.database.url);
	});
});

describe('a fixture that is over', () => {
	const LATER = REMEMBERED_MS + 1000;
	const isRemembered = () => server.running.fixtures.fixture(Number(match.eventId)) !== null;

	it('is remembered for six hours', async () => {
		await match.market.settle(0);
		await tidy(LATER - 60_000);
		expect(isRemembered()).toBe(true);
		expect((await tidy(LATER)).fixtures).toBeGreaterThan(0);
		expect(isRemembered()).toBe(false);
		expect(server.running.exchange.book(Number(match.marketId), 'DEMO')).toBeNull();
	});

	it('stays while one of its markets is open', async () => {
		await server.running.fixtures.setStatus(Number(match.eventId), 'FINISHED');
		await tidy(LATER);
		expect(isRemembered()).toBe(true);
		await match.market.settle(0);
	});

	it('is named in bets, profit and loss and the statement afterwards, and found by its sport', async () => {
		await quoteAndBet();
		await match.market.settle(0);
		await tidy(LATER);
		expect(isRemembered()).toBe(false);
		const named = { eventTitle: 'India v Nepal', marketName: 'Match Odds', sportId: CRICKET };
		for (const [sportId, found] of [
			[CRICKET, [named]],
			[TENNIS, []],
		] as const) {
			const bets = await server.result('getUserBetHistory', { sportId }, player.token);
			expect(bets.items).toMatchObject(found.map((names) => ({ ...names, runnerName: 'India' })));
			const paid = await server.result('getUserProfitLoss', { sportId }, player.token);
			expect(paid.items).toMatchObject(found);
		}
		const statement = await server.result('getTransactionHistory', {}, player.token);
		expect(statement.items.map(({ reference }) => reference)).toContain('India v Nepal · Match Odds');
		const answer = await server.call('getMarketsByEventId', { eventId: match.eventId }, player.token);
		expect(answer.code).toBe('UNKNOWN_FIXTURE');
	});

	it('comes back when an operator opens its market again', async () => {
		await quoteAndBet();
		await match.market.settle(0);
		await tidy(LATER);
		await server.operator('reopen', { marketId: match.marketId });
		expect(isRemembered()).toBe(true);
		const { openBets } = await server.result('getUserOpenBets', {}, player.token);
		expect(openBets).toMatchObject([{ eventTitle: 'India v Nepal', runnerName: 'India' }]);
		await tidy(LATER);
		expect(isRemembered()).toBe(true);
		await server.operator('settle', { marketId: match.marketId, winners: ['India'] });
		await expectSound(server.database.url);
	});

	it('is not played a second time under its name by a feed that finds it forgotten', async () => {
		await match.market.settle(0);
		const { source, sourceRef } = match.market.fixture;
		await tidy(LATER);
		expect((await server.running.fixtures.bySource(source, sourceRef))?.id).toBe(Number(match.eventId));
	});
});
