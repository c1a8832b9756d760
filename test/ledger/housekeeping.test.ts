/** Forgetting: fixtures that ended some time ago leave memory with their markets; the others stay. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { REMEMBERED_MS } from '#server/process/housekeeping.ts';
import { CRICKET, TENNIS } from '#values/sports.ts';
import { expectSound } from '../support/audit.ts';
import { feedParts } from '../support/feed-parts.ts';
import { betOn, openTestMatch, quotesAround, type TestMatch } from '../support/match.ts';
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

/** The house quotes again and again; at the third price a player takes ₹100. */
async function quoteAndBet(): Promise<void> {
	for (const price of [200, 210, 220, 230, 240]) {
		await match.market.quote([quotesAround(price), quotesAround(price)]);
		if (price === 220) await server.result('placeBetV2', betOn(match, { price: 2.2 }), player.token);
	}
}
const tidy = (laterMs = 0) => server.running.housekeeping.tidy(Date.now() + laterMs);

describe('a fixture that has ended', () => {
	const LATER = REMEMBERED_MS + 1000;
	const isRemembered = () => server.running.fixtures.fixture(Number(match.eventId)) !== null;

	it('is remembered for six hours', async () => {
		await match.settle(0);
		await tidy(LATER - 60_000);
		expect(isRemembered()).toBe(true);
		expect(tidy(LATER)).toEqual({ fixtures: 1 });
		expect(isRemembered()).toBe(false);
		expect(server.running.exchange.book(Number(match.marketId), 'DEMO')).toBeNull();
	});

	it('stays while one of its markets is open', async () => {
		await server.running.fixtures.setStatus(Number(match.eventId), 'FINISHED');
		await tidy(LATER);
		expect(isRemembered()).toBe(true);
		await match.settle(0);
	});

	it('is named in bets, profit and loss and the statement afterwards, and found by its sport', async () => {
		await quoteAndBet();
		await match.settle(0);
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

	it('leaves the exchange with its markets, which cannot be opened as if they were new', async () => {
		await quoteAndBet();
		await match.settle(0);
		await tidy(LATER - 60_000);
		const { exchange } = server.running;
		const marketId = Number(match.marketId);
		expect(exchange.market(marketId)?.status).toBe('SETTLED');
		await tidy(LATER);
		expect(exchange.market(marketId)).toBeNull();
		const known = await server.database.db.query('select terms from market_state where market_id = $1', [marketId]);
		const open = {
			kind: 'open-market',
			marketId,
			pools: ['DEMO'],
			runners: 2,
			numberOfWinners: 1,
			commissionBp: 0,
			minStake: 1,
			maxStake: 100,
			profitRatioRule: true,
			selfMatch: 'REFUSE',
			suspended: false,
		} as const;
		await expect(exchange.submit(open)).rejects.toMatchObject({ code: 'WRONG_MARKET_STATE' });
		const results = ['WIN', 'LOSE'] as const;
		await tidy(LATER);
		const again = exchange.submit({ kind: 'settle-market', marketId, results });
		await expect(again).rejects.toMatchObject({ code: 'WRONG_MARKET_STATE' });
		const after = await server.database.db.query('select terms from market_state where market_id = $1', [marketId]);
		expect(after.rows).toEqual(known.rows);
	});

	it('is not loaded by a start, and is reopened from the tables', async () => {
		await quoteAndBet();
		await match.settle(0);
		const [remembered, old] = [match, await openTestMatch(server, { endedAtMs: Date.now() - LATER })];
		await old.settle(0);
		const { db } = server.database;
		await db.query('update fixture set ended_at = $1 where id = $2', [Date.now() - LATER, Number(old.eventId)]);
		await server.stop();
		server = await TestServer.start(server.database);
		await feedParts(server);
		const { exchange } = server.running;
		expect(exchange.market(Number(remembered.marketId))?.status).toBe('SETTLED');
		expect(exchange.market(Number(old.marketId))).toBeNull();
		await server.act('reopen', { marketId: old.marketId });
		expect(exchange.market(Number(old.marketId))?.status).toBe('CLOSED');
		await tidy(LATER);
		await server.act('reopen', { marketId: match.marketId });
		await server.act('settle', { marketId: match.marketId, winners: ['Nepal'] });
		expect((await server.result('getUserInfo', {}, player.token)).balance).toBe(20_000 - 100);
		await expectSound(server.database.db);
	});

	it('comes back when an operator reopens its market', async () => {
		await quoteAndBet();
		await match.settle(0);
		await tidy(LATER);
		await server.act('reopen', { marketId: match.marketId });
		expect(isRemembered()).toBe(true);
		const { openBets } = await server.result('getUserOpenBets', {}, player.token);
		expect(openBets).toMatchObject([{ eventTitle: 'India v Nepal', runnerName: 'India' }]);
		await tidy(LATER);
		expect(isRemembered()).toBe(true);
		await server.act('settle', { marketId: match.marketId, winners: ['India'] });
		await expectSound(server.database.db);
	});

	it('is not played again by a feed that finds it out of memory', async () => {
		await match.settle(0);
		const { source, sourceRef } = match.market.fixture;
		await tidy(LATER);
		expect((await server.running.fixtures.bySource(source, sourceRef))?.id).toBe(Number(match.eventId));
	});
});
