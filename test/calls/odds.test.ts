/** Books and limits. */
import { beforeAll, expect, it } from 'vitest';
import { betOn, freshRequestId, openTestMatch, type TestMatch } from '../support/match.ts';
import type { TestServer } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';
import { leaveShort } from '../support/short-position.ts';
import { signUp } from '../support/sign-up.ts';

let server: TestServer;
let match: TestMatch;
let token: string;
beforeAll(async () => {
	server = await sharedServer();
	match = await openTestMatch(server);
	token = (await server.demoPlayer()).token;
	for (const [side, price, stake] of [
		['BACK', 3, 10],
		['BACK', 3.05, 20],
		['BACK', 3.1, 30],
		['BACK', 3.15, 40],
		['LAY', 2.9, 50],
	] as const) {
		await server.result('placeBetV2', betOn(match, { side, price, stake }), token);
	}
});

it('getUserOddsV2: success, layers can take resting backs, best first and three levels deep', async () => {
	const [book] = await server.result('getUserOddsV2', { marketIds: match.marketId }, token);
	expect(book?.runners[0]).toMatchObject({
		runnerId: 'IND',
		back: [{ price: 2.9, size: 50 }],
		lay: [
			{ price: 3, size: 10 },
			{ price: 3.05, size: 20 },
			{ price: 3.1, size: 30 },
		],
	});
});

it('getUserOddsV2: success, deeper when asked', async () => {
	const [book] = await server.result('getUserOddsV2', { marketIds: match.marketId, depth: '10' }, token);
	expect(book?.runners[0]?.lay).toHaveLength(4);
});

it('getUserOddsV2: refusal of too many markets, too great a depth and an unknown market', async () => {
	const many = Array.from({ length: 51 }, (_, at) => at + 1).join(',');
	expect((await server.call('getUserOddsV2', { marketIds: many })).code).toBe('VALIDATION_FAILED');
	const deep = await server.call('getUserOddsV2', { marketIds: match.marketId, depth: '11' });
	expect(deep.code).toBe('VALIDATION_FAILED');
	expect((await server.call('getUserOddsV2', { marketIds: '424242' })).code).toBe('UNKNOWN_MARKET');
});

it('getUserOdds: success, the same book alone', async () => {
	const [book] = await server.result('getUserOddsV2', { marketIds: match.marketId }, token);
	expect(await server.result('getUserOdds', { marketId: match.marketId }, token)).toEqual(book);
});

it('getUserOdds: refusal of an unknown market', async () => {
	expect((await server.call('getUserOdds', { marketId: '424242' })).status).toBe(404);
});

it('getLadder: success, what was traded at each price, and the stake before own bets', async () => {
	const match = await openTestMatch(server);
	const [early, late, taker] = [await server.demoPlayer(), await server.demoPlayer(), await server.demoPlayer()];
	const lay = (price: number, stake: number, by: { token: string }) =>
		server.result('placeBetV2', betOn(match, { side: 'LAY', price, stake }), by.token);
	await lay(3, 100, early);
	const { betId: second } = await lay(3, 50, late);
	const { betId: alone } = await lay(2.9, 40, late);
	const { betId: last } = await lay(3, 30, early);
	const ladder = (token: string | null) => server.result('getLadder', { marketId: match.marketId }, token);
	expect((await ladder(late.token)).places).toEqual(
		expect.arrayContaining([
			{ betId: second, ahead: 100 },
			{ betId: alone, ahead: 0 },
		]),
	);
	await server.result('placeBetV2', betOn(match, { price: 3, stake: 120 }), taker.token);
	const { runners, places } = await ladder(early.token);
	expect(runners).toEqual([
		{ runnerId: match.runnerIds[0], traded: [{ price: 3, size: 120 }] },
		{ runnerId: match.runnerIds[1], traded: [] },
	]);
	// The first is matched as a whole; 30 of the second are left.
	expect(places).toEqual([{ betId: last, ahead: 30 }]);
	// A visitor has no bets, and sees the brand's own pool.
	expect(await server.result('getLadder', { marketId: match.marketId, runnerId: match.runnerIds[1] })).toEqual({
		runners: [{ runnerId: match.runnerIds[1], traded: [] }],
		places: [],
	});
});

it('getLadder: what the starting price would be, until it is found', async () => {
	const match = await openTestMatch(server, { startingPrice: true });
	const [backer, layer, resting] = [await server.demoPlayer(), await server.demoPlayer(), await server.demoPlayer()];
	const startOf = async () =>
		(await server.result('getLadder', { marketId: match.marketId }, backer.token)).runners[0]?.start;
	expect(await startOf()).toEqual({ near: null, far: null });
	const onClose = (side: 'BACK' | 'LAY', size: number, by: { token: string }) =>
		server.result(
			'placeOnClose',
			{ marketId: match.marketId, runnerId: match.runnerIds[0], side, size, clientRequestId: freshRequestId() },
			by.token,
		);
	await onClose('BACK', 100, backer);
	await onClose('LAY', 2000, layer);
	// 2,000 that can be lost stand against 100.
	expect(await startOf()).toEqual({ near: 21, far: 21 });
	await server.result(
		'placeBetV2',
		{ ...betOn(match, { side: 'BACK', price: 900, stake: 100 }), persistence: 'MARKET_ON_CLOSE' },
		resting.token,
	);
	expect(await startOf()).toEqual({ near: 11, far: 21 });
	await match.market.turnInPlay();
	expect(await startOf()).toBeUndefined();
});

it('getLadder: refusal of an unknown market and runner', async () => {
	expect((await server.call('getLadder', { marketId: '424242' })).code).toBe('UNKNOWN_MARKET');
	expect((await server.call('getLadder', { marketId: match.marketId, runnerId: 'nobody' })).code).toBe(
		'UNKNOWN_RUNNER',
	);
});

it('getUserLimits: success', async () => {
	const player = await server.demoPlayer();
	await server.result('placeBetV2', betOn(match, { price: 9, stake: 1500 }), player.token);
	expect(await server.result('getUserLimits', { marketId: match.marketId }, player.token)).toMatchObject({
		minStake: 10,
		maxStake: 500_000,
		availableToBet: 18_500,
		maxExposure: 20_000,
	});
});

it('getUserLimits: success, without what bets elsewhere lack', async () => {
	const player = await signUp(server);
	const { other } = await leaveShort(server, player);
	const limits = { availableToBet: 10_000, maxExposure: 10_000 };
	expect(await server.result('getUserLimits', { marketId: other.marketId }, player.token)).toMatchObject(limits);
	expect((await server.call('placeBetV2', betOn(other, { stake: 10_010 }), player.token)).code).toBe(
		'INSUFFICIENT_FUNDS',
	);
	await server.result('placeBetV2', betOn(other, { stake: 10_000 }), player.token);
});

it('getUserLimits: refusal of an unknown market', async () => {
	expect((await server.call('getUserLimits', { marketId: '424242' }, token)).code).toBe('UNKNOWN_MARKET');
});

it('getUserLimits: not logged in', async () => {
	expect((await server.call('getUserLimits', { marketId: match.marketId })).status).toBe(401);
});

const history = (marketId: string, runnerId: string, asking?: string) =>
	server.call('getPriceHistory', { marketId, runnerId }, asking ?? null);

it('getPriceHistory: success, matched prices of a runner in the player’s own pool', async () => {
	const match = await openTestMatch(server);
	const [one, other] = [await server.demoPlayer(), await server.demoPlayer()];
	await server.result('placeBetV2', betOn(match, { side: 'LAY', price: 3, stake: 100 }), one.token);
	await server.result('placeBetV2', betOn(match, { side: 'LAY', price: 3.5, stake: 50 }), one.token);
	await server.result('placeBetV2', betOn(match, { price: 3, stake: 60 }), other.token);
	await server.result('placeBetV2', betOn(match, { price: 3, stake: 40 }), other.token);
	const { body } = await history(match.marketId, match.runnerIds[0], one.token);
	const points = body.result?.runners[0]?.points ?? [];
	expect(points.reduce((sum, { volume }) => sum + volume, 0)).toBe(100);
	expect(points[0]).toMatchObject({ high: 3.5 });
	expect(points.at(-1)).toMatchObject({ low: 3 });
	// Asked for none in particular: all of the market's runners, in its order.
	const all = await server.result('getPriceHistory', { marketId: match.marketId }, one.token);
	expect(all.runners.map(({ runnerId }) => runnerId)).toEqual(match.runnerIds);
	expect(all.runners.map((runner) => runner.points.length > 0)).toEqual([true, false]);
	// A visitor sees the brand's pool, where nothing was traded.
	const ofVisitor = await history(match.marketId, match.runnerIds[0]);
	expect(ofVisitor.body.result?.runners).toEqual([{ runnerId: match.runnerIds[0], points: [] }]);
});

it('getPriceHistory: refusal of an unknown market and runner', async () => {
	expect((await history('424242', '1')).code).toBe('UNKNOWN_MARKET');
	expect((await history(match.marketId, 'nobody')).code).toBe('UNKNOWN_RUNNER');
});
