/** Operators’ figures over brands of rupees and of yen: amounts of two currencies are never added. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ResultOf } from '#console/api/operate.ts';
import { HOME_POOLS, POOLS } from '#values/pools.ts';
import { expectSound } from '../support/audit.ts';
import { BrandDoor } from '../support/brand-door.ts';
import { betOn, openTestMatch, type TestMatch } from '../support/match.ts';
import { type Player, TestServer } from '../support/server.ts';

let server: TestServer;
let match: TestMatch;
const rupees: Player[] = [];
const yen: Player[] = [];
let grants = 880_000_000;
const YEN = 'yen.test';

async function rich(door: BrandDoor, amount: number): Promise<Player> {
	const player = await door.player();
	const { userName } = server.running.players.user(player.userId);
	await server.act('add-money', { userName, host: door.host, amount, grantId: ++grants });
	return player;
}

/** The first lays and the second backs. */
async function meet(
	door: BrandDoor,
	[layer, backer]: readonly Player[],
	{ price, stake }: { price: number; stake: number },
): Promise<void> {
	for (const [side, player] of [['LAY', layer] as const, ['BACK', backer] as const]) {
		const { body } = await door.raw('placeBetV2', betOn(match, { side, price, stake }), player?.token ?? null);
		expect(body.error).toBeNull();
	}
}

beforeAll(async () => {
	const pools = [...HOME_POOLS, ...POOLS.filter((pool) => pool.endsWith('-JPY'))];
	server = await TestServer.start(undefined, { pools });
	await server.act('brand-add', { host: YEN, currency: 'JPY' });
	const [home, foreign] = [new BrandDoor(server, 'localhost'), new BrandDoor(server, YEN)];
	for (const player of [await rich(home, 5_000), await rich(home, 5_000)]) rupees.push(player);
	for (const player of [await rich(foreign, 50_000), await rich(foreign, 50_000)]) yen.push(player);
	match = await openTestMatch(server);
	await meet(home, rupees, { price: 3, stake: 200 });
	await meet(foreign, yen, { price: 1.25, stake: 700 });
});
afterAll(async () => {
	await expectSound(server.database.db);
	await server.dispose();
});

const MATCHED = [
	{ currency: 'INR', amount: 200 },
	{ currency: 'JPY', amount: 700 },
];

it('says what was matched of an event and of a market in each', async () => {
	const events = await server.act<ResultOf<'events'>>('events', {});
	expect(events.find(({ eventId }) => eventId === match.eventId)?.matched).toEqual(MATCHED);
	const { markets } = await server.act<ResultOf<'event-markets'>>('event-markets', { eventId: match.eventId });
	expect(markets.map(({ matched }) => matched)).toEqual([MATCHED]);
});

it('says what came in the last minute, and the largest loss of a player, in each', async () => {
	const floor = await server.act<ResultOf<'floor'>>('floor', {});
	const row = floor.find(({ eventId }) => eventId === match.eventId);
	expect([row?.matchedLastMinute, row?.largest]).toEqual([
		MATCHED,
		[
			{ currency: 'INR', amount: -400 },
			{ currency: 'JPY', amount: -700 },
		],
	]);
});

it('lists the largest positions of each pool', async () => {
	const { largest, players } = await server.act<ResultOf<'market-risk'>>('market-risk', { marketId: match.marketId });
	expect(players).toBe(4);
	expect(largest.map(({ pool, worst }) => [pool, worst]).sort()).toEqual([
		['PLAY', -200],
		['PLAY', -400],
		['PLAY-JPY', -175],
		['PLAY-JPY', -700],
	]);
});

it('shows the commission of a result in whole yen', async () => {
	await server.act('close', { marketId: match.marketId });
	const shown = await server.act<ResultOf<'result-evidence'>>('result-evidence', { marketId: match.marketId });
	const india = shown.results.find(({ result }) => result.startsWith('India'));
	// 2 % of ₹400, and of ¥175 a half more than ¥3.
	expect(india?.house.toSorted((one, other) => (one.pool < other.pool ? -1 : 1))).toEqual([
		{ pool: 'PLAY', amount: 8 },
		{ pool: 'PLAY-JPY', amount: 4 },
	]);
});

it('says the stakes of matches that become void in each', async () => {
	const asked = { marketId: match.marketId, from: '2020-01-01T00:00:00Z' };
	expect(await server.act('void-bets', asked)).toEqual({ matches: 2, stake: MATCHED });
});
