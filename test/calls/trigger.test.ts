/** Triggers over calls and the hub: placed, followed, fired, cancelled, refused. */
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { HubClient } from '../hub/hub-client.ts';
import { betOn, freshRequestId, openTestMatch, type TestMatch } from '../support/match.ts';
import type { Player, TestServer } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';

let server: TestServer;
let match: TestMatch;
beforeAll(async () => {
	server = await sharedServer();
	match = await openTestMatch(server);
});

/** A back of ₹100 at 4.00 or better, when the price falls to 3.00. */
const triggerOn = (on: TestMatch, changes: object = {}) =>
	({ ...betOn(on, { price: 4 }), moves: 'FALLS', at: 3, ...changes }) as never;

/** Two players match ₹10 at a price. */
async function trade(on: TestMatch, price: number): Promise<void> {
	const [layer, backer] = [await server.demoPlayer(), await server.demoPlayer()];
	await server.result('placeBetV2', betOn(on, { side: 'LAY', price, stake: 10 }), layer.token);
	await server.result('placeBetV2', betOn(on, { price, stake: 10 }), backer.token);
}

async function listening({ token }: Player): Promise<HubClient> {
	const client = await HubClient.connect(server.url, token);
	onTestFinished(() => client.stop());
	return client;
}

describe('a trigger', () => {
	it('placeTrigger: success, its money is held, and its bet follows the price, without its player', async () => {
		const own = await openTestMatch(server);
		const player = await server.demoPlayer();
		const client = await listening(player);
		const placed = await server.result('placeTrigger', triggerOn(own), player.token);
		expect(placed).toMatchObject({ balance: 19_900, exposure: 100 });
		await trade(own, 3.05);
		await trade(own, 3);
		const update = await client.message('TriggerUpdate', ({ status }) => status === 'PLACED');
		expect(update).toMatchObject({ triggerId: placed.triggerId, at: 3, marketId: own.marketId, runnerName: 'India' });
		const { openBets, exposure } = await server.result('getUserOpenBets', {}, player.token);
		expect(openBets).toMatchObject([{ betId: update.betId, price: 4, remainingStake: 100 }]);
		expect(exposure).toBe(100);
	});

	it('placeTrigger: success, a trailing one follows the price, and players see how far', async () => {
		const own = await openTestMatch(server);
		const player = await server.demoPlayer();
		const client = await listening(player);
		await server.result('placeTrigger', triggerOn(own, { at: undefined, trail: 3 }), player.token);
		await trade(own, 3.5);
		await client.message('TriggerUpdate', ({ best }) => best === 3.5);
		expect((await server.result('getTriggers', {}, player.token)).triggers).toMatchObject([
			{ best: 3.5, at: 3.35, trail: 3, status: 'WAITING' },
		]);
	});

	it('placeTrigger: success, a repeated request gets the same trigger', async () => {
		const { token } = await server.demoPlayer();
		const asked = triggerOn(match);
		const first = await server.result('placeTrigger', asked, token);
		expect(await server.result('placeTrigger', asked, token)).toEqual(first);
		expect((await server.result('getTriggers', {}, token)).triggers).toHaveLength(1);
	});

	it.each([
		['neither a price nor a trail', { at: undefined }, 'VALIDATION_FAILED'],
		['both', { trail: 2 }, 'VALIDATION_FAILED'],
		['a price between two ticks', { at: 3.01 }, 'PRICE_NOT_ON_LADDER'],
		['more than the balance', { stake: 20_001 }, 'INSUFFICIENT_FUNDS'],
		['a runner of no market', { runnerId: 'NOBODY' }, 'UNKNOWN_RUNNER'],
	])('placeTrigger: refusal of %s, and nothing changes', async (_, changes, code) => {
		const { token } = await server.demoPlayer();
		expect((await server.call('placeTrigger', triggerOn(match, changes), token)).code).toBe(code);
		expect((await server.result('getUserOpenBets', {}, token)).balance).toBe(20_000);
	});

	it('cancelTrigger: success, what it held is free', async () => {
		const { token } = await server.demoPlayer();
		const { triggerId } = await server.result('placeTrigger', triggerOn(match), token);
		const clientRequestId = freshRequestId();
		expect(await server.result('cancelTrigger', { triggerId, clientRequestId }, token)).toMatchObject({ exposure: 0 });
		expect((await server.result('getTriggers', {}, token)).triggers).toEqual([]);
	});

	it('cancelTrigger: refusal of another player’s, and of one that is gone', async () => {
		const [owner, other] = [await server.demoPlayer(), await server.demoPlayer()];
		const { triggerId } = await server.result('placeTrigger', triggerOn(match), owner.token);
		const cancel = async ({ token }: Player) =>
			(await server.call('cancelTrigger', { triggerId, clientRequestId: freshRequestId() }, token)).code;
		expect(await cancel(other)).toBe('UNKNOWN_ORDER');
		expect(await cancel(owner)).toBe(null);
		expect(await cancel(owner)).toBe('ORDER_NOT_ACTIVE');
	});

	it('cancelAll: success, triggers go with the bets', async () => {
		const { token } = await server.demoPlayer();
		await server.result('placeTrigger', triggerOn(match), token);
		expect(await server.result('cancelAll', { clientRequestId: freshRequestId() }, token)).toMatchObject({
			exposure: 0,
		});
		expect((await server.result('getTriggers', {}, token)).triggers).toEqual([]);
	});

	it('getTriggers: success, oldest first, and each player’s own', async () => {
		const [one, other] = [await server.demoPlayer(), await server.demoPlayer()];
		for (const at of [3, 2]) await server.result('placeTrigger', triggerOn(match, { at }), one.token);
		const { triggers } = await server.result('getTriggers', {}, one.token);
		expect(triggers.map(({ at }) => at)).toEqual([3, 2]);
		expect((await server.result('getTriggers', {}, other.token)).triggers).toEqual([]);
	});

	it('getTriggers: refusal of a login that has ended', async () => {
		const { token } = await server.demoPlayer();
		await server.result('logout', {}, token);
		expect((await server.call('getTriggers', {}, token)).status).toBe(401);
	});
});

describe('without a login', () => {
	it('placeTrigger: not logged in', async () => {
		expect((await server.call('placeTrigger', triggerOn(match))).status).toBe(401);
	});
	it('cancelTrigger: not logged in', async () => {
		const cancel = { triggerId: '1', clientRequestId: freshRequestId() };
		expect((await server.call('cancelTrigger', cancel)).status).toBe(401);
	});
	it('getTriggers: not logged in', async () => {
		expect((await server.call('getTriggers', {})).status).toBe(401);
	});
});

describe('a plan', () => {
	const planOn = (on: TestMatch, plan: object, changes: object = {}) =>
		({ ...betOn(on, { price: 4 }), plan, ...changes }) as never;
	const ICEBERG = { kind: 'ICEBERG', visible: 40 };

	it('placePlan: success, only a part is shown, and the next one follows when it is matched', async () => {
		const own = await openTestMatch(server);
		const [player, layer] = [await server.demoPlayer(), await server.demoPlayer()];
		const client = await listening(player);
		const placed = await server.result('placePlan', planOn(own, ICEBERG), player.token);
		expect(placed).toMatchObject({ balance: 19_900, exposure: 100 });
		const first = await client.message('TriggerUpdate', ({ betId }) => betId !== undefined);
		expect(first).toMatchObject({
			triggerId: placed.triggerId,
			watches: 'NONE',
			stake: 60,
			plan: { ...ICEBERG, stake: 100 },
		});
		const shown = server.running.exchange.book(Number(own.marketId), 'DEMO')?.runners[0];
		expect(shown).toMatchObject({ lay: [{ price: 400, size: 4_000 }] });
		const lay = betOn(own, { side: 'LAY', price: 4, stake: 40 });
		await server.result('placeBetV2', lay, layer.token);
		const next = await client.message('TriggerUpdate', ({ betId }) => betId !== undefined && betId !== first.betId);
		expect(next).toMatchObject({ stake: 20, status: 'WAITING' });
		const { openBets, exposure } = await server.result('getUserOpenBets', {}, player.token);
		expect(openBets.map(({ remainingStake }) => remainingStake).sort()).toEqual([0, 40]);
		expect(exposure).toBe(100);
	});

	it('placePlan: success, a bracket closes what is matched, and cancelling it cancels both bets', async () => {
		const own = await openTestMatch(server);
		const [player, layer] = [await server.demoPlayer(), await server.demoPlayer()];
		const bracket = { kind: 'BRACKET', profitTicks: 2, stopTicks: 2 };
		const { triggerId } = await server.result('placePlan', planOn(own, bracket), player.token);
		const open = async () => (await server.result('getUserOpenBets', {}, player.token)).openBets;
		await expect.poll(open).toHaveLength(1);
		await server.result('placeBetV2', betOn(own, { side: 'LAY', price: 4, stake: 60 }), layer.token);
		const sides = async () =>
			(await open()).filter(({ remainingStake }) => remainingStake > 0).map(({ side, price }) => [side, price]);
		await expect.poll(sides).toContainEqual(['LAY', 3.9]);
		await server.result('cancelTrigger', { triggerId, clientRequestId: freshRequestId() }, player.token);
		expect(await sides()).toEqual([]);
		expect((await server.result('getUserOpenBets', {}, player.token)).exposure).toBe(60);
	});

	it('placePlan: success, a repeated request gets the same plan', async () => {
		const own = await openTestMatch(server);
		const { token } = await server.demoPlayer();
		const asked = planOn(own, { kind: 'PEG' });
		const first = await server.result('placePlan', asked, token);
		expect(await server.result('placePlan', asked, token)).toEqual(first);
		expect((await server.result('getTriggers', {}, token)).triggers).toHaveLength(1);
	});

	it.each([
		['a part that is the whole', { ...ICEBERG, visible: 100 }, {}, 'INVALID_SIZE'],
		['no ticks to its stop', { kind: 'BRACKET', profitTicks: 2, stopTicks: 0 }, {}, 'VALIDATION_FAILED'],
		['a rule that there is not', { kind: 'TWAP' }, {}, 'VALIDATION_FAILED'],
		['the opposite best price itself', { kind: 'PEG', follows: 'OPPOSITE' }, {}, 'VALIDATION_FAILED'],
		['an aim beyond the ladder', { kind: 'BRACKET', profitTicks: 900, stopTicks: 2 }, {}, 'PRICE_NOT_ON_LADDER'],
		['terms of another bet', ICEBERG, { postOnly: 'REFUSE' }, 'VALIDATION_FAILED'],
		['filling at once', ICEBERG, { timeInForce: 'FILL_OR_KILL' }, 'VALIDATION_FAILED'],
	])('placePlan: refusal of %s, and nothing changes', async (_, plan, changes, code) => {
		const { token } = await server.demoPlayer();
		expect((await server.call('placePlan', planOn(match, plan, changes), token)).code).toBe(code);
		expect((await server.result('getUserOpenBets', {}, token)).exposure).toBe(0);
	});

	it.each([
		['is frozen', ({ userId }: Player) => server.act('player-freeze', { playerId: String(userId), reason: 'a test' })],
		['takes a break', ({ token }: Player) => server.result('takeTimeOut', { hours: 24 }, token)],
	])('of a player who %s ends, and so do a stop and a bet: nothing of them is placed or matched', async (_, bar) => {
		const own = await openTestMatch(server);
		const [player, layer] = [await server.demoPlayer(), await server.demoPlayer()];
		await server.result('placeTrigger', triggerOn(own), player.token);
		await server.result('placePlan', planOn(own, ICEBERG), player.token);
		await server.result('placeBetV2', betOn(own, { price: 5 }), player.token);
		expect(server.money(player)).toEqual([19_700, 300]);
		await bar(player);
		await expect.poll(() => server.money(player)).toEqual([20_000, 0]);
		await trade(own, 3);
		await server.result('placeBetV2', betOn(own, { side: 'LAY', price: 5 }), layer.token);
		const { exchange } = server.running;
		expect([exchange.openBets(player.userId), exchange.triggers(player.userId)]).toEqual([[], []]);
		expect(server.money(player)).toEqual([20_000, 0]);
	});

	it('placePlan: not logged in', async () => {
		expect((await server.call('placePlan', planOn(match, ICEBERG))).status).toBe(401);
	});
});
