/** Groups of bets over calls: opened, closed by what is matched, reset, and over a restart. */
import { beforeAll, describe, expect, it } from 'vitest';
import { betOn, openTestMatch } from '../support/match.ts';
import type { TestServer } from '../support/server.ts';
import { restartShared, sharedServer } from '../support/shared-server.ts';

let server: TestServer;
beforeAll(async () => {
	server = await sharedServer();
});

describe('a group of bets', () => {
	it('setOrderGroup: success, it is closed by what is matched, stays closed over a restart, and is reset', async () => {
		const match = await openTestMatch(server);
		const [player, layer] = [await server.demoPlayer(), await server.demoPlayer()];
		const opened = await server.result('setOrderGroup', { name: 'quotes', most: 50 } as never, player.token);
		expect(opened).toEqual({ name: 'quotes', most: 50, matched: 0 });
		const place = async (price: number) =>
			await server.call('placeBetV2', betOn(match, { price, stake: 100, group: 'quotes' }), player.token);
		for (const price of [4, 4.5]) expect((await place(price)).code).toBeNull();
		await server.result('placeBetV2', betOn(match, { side: 'LAY', price: 4, stake: 40 }), layer.token);
		const groups = async () => (await server.result('getOrderGroups', {}, player.token)).groups;
		await expect.poll(groups).toMatchObject([{ matched: 40 }]);
		await server.result('placeBetV2', betOn(match, { side: 'LAY', price: 4, stake: 20 }), layer.token);
		await expect.poll(groups).toMatchObject([{ name: 'quotes', matched: 60, closedAt: expect.any(String) }]);
		const { openBets, exposure } = await server.result('getUserOpenBets', {}, player.token);
		expect(openBets.map(({ remainingStake }) => remainingStake)).toEqual([0]);
		expect(exposure).toBe(60);
		server = await restartShared();
		expect((await groups())[0]?.closedAt).toBeDefined();
		expect((await place(5)).code).toBe('ORDER_GROUP_CLOSED');
		await server.result('setOrderGroup', { name: 'quotes', most: 50 } as never, player.token);
		expect((await place(5)).code).toBeNull();
	});

	it.each([
		['a bet of a group that was not opened', 'placeBetV2', { group: 'others' }, 'UNKNOWN_ORDER_GROUP'],
		['a name that is none', 'placeBetV2', { group: '' }, 'VALIDATION_FAILED'],
	] as const)('refuses %s', async (_, call, changes, code) => {
		const match = await openTestMatch(server);
		const { token } = await server.demoPlayer();
		expect((await server.call(call, betOn(match, changes), token)).code).toBe(code);
	});

	it('setOrderGroup: refusal of more groups than a player may have', async () => {
		const { token } = await server.demoPlayer();
		for (let at = 0; at < 20; at++)
			await server.result('setOrderGroup', { name: `group ${at}`, most: 50 } as never, token);
		const one = { name: 'one more', most: 50 } as never;
		expect((await server.call('setOrderGroup', one, token)).code).toBe('TOO_MANY_ORDER_GROUPS');
	});

	it('getOrderGroups: success, by name, and each player’s own', async () => {
		const [one, other] = [await server.demoPlayer(), await server.demoPlayer()];
		for (const name of ['b', 'a']) await server.result('setOrderGroup', { name, most: 50 } as never, one.token);
		const { groups } = await server.result('getOrderGroups', {}, one.token);
		expect(groups.map(({ name }) => name)).toEqual(['a', 'b']);
		expect((await server.result('getOrderGroups', {}, other.token)).groups).toEqual([]);
	});

	it('getOrderGroups: refusal of a login that has ended', async () => {
		const { token } = await server.demoPlayer();
		await server.result('logout', {}, token);
		expect((await server.call('getOrderGroups', {}, token)).status).toBe(401);
	});

	it('setOrderGroup: not logged in', async () => {
		expect((await server.call('setOrderGroup', { name: 'quotes', most: 50 } as never)).status).toBe(401);
	});
	it('getOrderGroups: not logged in', async () => {
		expect((await server.call('getOrderGroups', {})).status).toBe(401);
	});
});
