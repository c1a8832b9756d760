/** How many bets a player may place in a second and have open, and how the open ones are paged. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { BetAdmission } from '#server/calls/bet-admission.ts';
import type { Brand } from '#server/world/brands/brands.ts';
import { betOn, freshRequestId, openTestMatch, type TestMatch } from '../support/match.ts';
import { type Player, TestServer } from '../support/server.ts';

let server: TestServer;
let match: TestMatch;
beforeAll(async () => {
	// One, so that the domain's own figure counts.
	server = await TestServer.start(undefined, { rateLimitFactor: 1 });
	match = await openTestMatch(server);
});
afterAll(() => server.dispose());

const set = (field: string, value: number) =>
	server.operator('brand-set', { host: 'localhost', field, value: String(value) });
const place = ({ token }: Player, price = 3) => server.call('placeBetV2', betOn(match, { price, stake: 10 }), token);
const openBets = ({ token }: Player, page: { maxResultCount?: string; skipCount?: string } = {}) =>
	server.result('getUserOpenBets', page, token);

beforeEach(async () => {
	await set('betsPerSecond', 1000);
	await set('maxOpenBets', 2000);
});

describe('open bets', () => {
	it('never exceed the domain’s limit, even with parallel requests', async () => {
		await set('maxOpenBets', 3);
		const player = await server.demoPlayer();
		const answers = await Promise.all(Array.from({ length: 20 }, () => place(player)));
		expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
		const refused = answers.filter(({ status }) => status !== 200);
		expect(new Set(refused.map(({ status, code }) => `${status} ${code}`))).toEqual(
			new Set(['422 TOO_MANY_OPEN_BETS']),
		);
		expect((await openBets(player)).totalCount).toBe(3);
	});

	it('count until they are settled or cancelled, and a replaced bet counts once', async () => {
		await set('maxOpenBets', 2);
		const [player, taker] = [await server.demoPlayer(), await server.demoPlayer()];
		const own = await openTestMatch(server);
		const bet = (price: number) => server.call('placeBetV2', betOn(own, { price, stake: 10 }), player.token);
		const { body } = await bet(3);
		await bet(4);
		const betId = body.result?.betId ?? '';
		expect((await bet(5)).code).toBe('TOO_MANY_OPEN_BETS');
		const replaced = await server.call(
			'replaceBet',
			{ betId, price: 3.5, clientRequestId: freshRequestId() },
			player.token,
		);
		expect(replaced.status).toBe(200);
		const newId = replaced.body.result?.betId ?? '';
		await server.result('cancelBet', { betId: newId, clientRequestId: freshRequestId() }, player.token);
		expect((await bet(2)).status).toBe(200);
		// Matched bets count as well, until they are paid.
		await server.result('placeBetV2', betOn(own, { price: 2, stake: 10, side: 'LAY' }), taker.token);
		expect((await bet(6)).code).toBe('TOO_MANY_OPEN_BETS');
		await own.settle(0);
		expect((await place(player)).status).toBe(200);
		expect((await place(player)).status).toBe(200);
		expect((await place(player)).code).toBe('TOO_MANY_OPEN_BETS');
	});

	it('are counted after a restart as before', async () => {
		const player = await server.demoPlayer();
		for (let bets = 0; bets < 2; bets++) await place(player);
		await set('maxOpenBets', 3);
		await server.stop();
		server = await TestServer.start(server.database, { rateLimitFactor: 1 });
		expect((await place(player)).status).toBe(200);
		expect((await place(player)).code).toBe('TOO_MANY_OPEN_BETS');
	});

	it('come in pages, newest first, with how many there are', async () => {
		const player = await server.demoPlayer();
		for (const price of [3, 4, 5, 6, 7]) await place(player, price);
		const pricesOf = async (page: { maxResultCount?: string; skipCount?: string }) => {
			const answer = await openBets(player, page);
			return [answer.totalCount, answer.openBets.map(({ price }) => price)];
		};
		expect(await pricesOf({})).toEqual([5, [7, 6, 5, 4, 3]]);
		expect(await pricesOf({ maxResultCount: '2' })).toEqual([5, [7, 6]]);
		expect(await pricesOf({ maxResultCount: '2', skipCount: '4' })).toEqual([5, [3]]);
		expect((await server.call('getUserOpenBets', { maxResultCount: '2001' }, player.token)).status).toBe(400);
	});
});

describe('bets in a second', () => {
	it('above the domain’s limit are refused with 429 and when to try again', async () => {
		await set('betsPerSecond', 1);
		const player = await server.demoPlayer();
		const answers = await Promise.all(
			Array.from({ length: 10 }, () =>
				fetch(`${server.url}/Bet/PlaceBetV2`, {
					method: 'POST',
					headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${player.token}` },
					body: JSON.stringify(betOn(match, { price: 3, stake: 10 })),
				}),
			),
		);
		const refused = answers.filter(({ status }) => status !== 200);
		expect(refused.length).toBeGreaterThan(0);
		expect(new Set(refused.map(({ status, headers }) => [status, headers.get('Retry-After')].join()))).toEqual(
			new Set(['429,1']),
		);
		expect((await openBets(player)).totalCount).toBe(10 - refused.length);
	});

	it('count bets on Crash together with bets on markets', async () => {
		await set('betsPerSecond', 1);
		const player = await server.demoPlayer();
		expect((await place(player)).code).toBeNull();
		const bet = { slot: 1 as const, stake: 100, autoCents: null };
		const codes = await Promise.all(
			Array.from({ length: 5 }, async () => {
				const { code } = await server.call(
					'placeCrashBet',
					{ ...bet, clientRequestId: freshRequestId() },
					player.token,
				);
				return code;
			}),
		);
		expect(codes).toContain('TOO_MANY_BETS');
	});

	it('are counted by player, and the allowance refills within a second', () => {
		let nowMs = 0;
		const setting = { betsPerSecond: 5, siteSuspended: false, maxOpenBets: 10 };
		const brand = { host: 'localhost', setting } as unknown as Brand;
		const admission = new BetAdmission(
			{
				brands: { byHost: () => null },
				funds: { terms: { admit: () => {} }, protection: { admitStake: () => {} }, realMoney: { admit: () => {} } },
				exchange: { now: () => 0 },
				sports: { limits: () => new Map() },
				brandLimits: { of: () => null },
			},
			1,
			() => nowMs,
		);
		const bet = (playerId: number) => {
			try {
				admission.take(
					playerId,
					{ brand },
					{ sport: 'cricket', market: null, stake: 100, risk: 100, win: 100, commissionBp: 0 },
				);
				return true;
			} catch {
				return false;
			}
		};
		const burst = (playerId: number) => Array.from({ length: 8 }, () => bet(playerId)).filter(Boolean).length;
		expect([burst(1), burst(2), burst(1)]).toEqual([5, 5, 0]);
		nowMs = 400;
		expect([burst(1), burst(1)]).toEqual([2, 0]);
		nowMs = 10_000;
		expect(burst(1)).toBe(5);
	});
});
