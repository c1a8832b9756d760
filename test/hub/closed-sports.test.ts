/** Channels of a sport that is closed, or of a site that is suspended, are refused as calls are, and end when that changes. */
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestMatch, type TestMatch } from '../support/match.ts';
import type { Player, TestServer } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';
import { HubClient } from './hub-client.ts';

let server: TestServer;
let match: TestMatch;
let player: Player;
let client: HubClient;
beforeAll(async () => {
	server = await sharedServer();
	match = await openTestMatch(server);
});
beforeEach(async () => {
	player = await server.demoPlayer();
});
afterEach(async () => {
	await client.stop();
	await setDomain('cricket', 'true');
	await setDomain('siteSuspended', 'false');
});

const setDomain = (field: string, value: string) => server.act('brand-set', { host: 'localhost', field, value });
const channels = (): [string, string] => [`market:${match.marketId}`, `event:${match.eventId}`];
const allRefused = (code: 'SPORT_NOT_ALLOWED' | 'SITE_SUSPENDED') => ({
	success: false,
	unknown: [],
	refused: channels().map((channel) => ({ channel, code })),
});
/** Moves the market, and says whether the client hears of it. */
async function hearsTheMarket(): Promise<boolean> {
	const heard = client.received.length;
	await match.market.suspend();
	await match.market.resume();
	// The answer to a call comes behind what was told before it.
	await client.heartbeat(player.token);
	return client.received.slice(heard).some(({ code }) => code === 'MarketStatus');
}

describe('a sport the brand does not show', () => {
	it('has no channels, and the call refuses alike', async () => {
		await setDomain('cricket', 'false');
		client = await HubClient.connect(server.url, player.token);
		expect(await client.subscribe('sports', ...channels())).toEqual(allRefused('SPORT_NOT_ALLOWED'));
		const { code } = await server.call('getUserOdds', { marketId: match.marketId }, player.token);
		expect(code).toBe('SPORT_NOT_ALLOWED');
		expect(await hearsTheMarket()).toBe(false);
	});

	it('ends open channels with a message for each, and has them again when it is shown again', async () => {
		client = await HubClient.connect(server.url, player.token);
		expect((await client.subscribe(...channels())).success).toBe(true);
		expect(await hearsTheMarket()).toBe(true);
		await setDomain('cricket', 'false');
		for (const channel of channels()) {
			const ended = await client.message('SubscriptionEnded', (data) => data.channel === channel);
			expect(ended.code).toBe('SPORT_NOT_ALLOWED');
		}
		expect(await hearsTheMarket()).toBe(false);
		await setDomain('cricket', 'true');
		expect((await client.subscribe(...channels())).success).toBe(true);
		expect(await hearsTheMarket()).toBe(true);
	});
});

describe('a sport closed to one player', () => {
	it('ends the player’s channels with a message; others continue', async () => {
		client = await HubClient.connect(server.url, player.token);
		const other = await HubClient.connect(server.url, (await server.demoPlayer()).token);
		await client.subscribe(...channels());
		await other.subscribe(...channels());
		await server.act('player-sport', { ...(await named(player)), sport: 'cricket', allowed: false });
		expect(await client.message('SportsChanged')).toEqual({ closed: ['cricket'] });
		const ended = await client.message('SubscriptionEnded', ({ channel }) => channel === channels()[0]);
		expect(ended.code).toBe('SPORT_NOT_ALLOWED');
		expect(await hearsTheMarket()).toBe(false);
		await other.message('MarketStatus');
		expect(other.received.some(({ code }) => code === 'SubscriptionEnded')).toBe(false);
		expect(await client.subscribe(...channels())).toEqual(allRefused('SPORT_NOT_ALLOWED'));
		await other.stop();
	});

	it('ends the visitor’s channels when the player logs in on the same connection', async () => {
		await server.act('player-sport', { ...(await named(player)), sport: 'cricket', allowed: false });
		client = await HubClient.connect(server.url);
		expect((await client.subscribe(...channels())).success).toBe(true);
		await client.register(player.token);
		const ended = await client.message('SubscriptionEnded', ({ channel }) => channel === channels()[1]);
		expect(ended.code).toBe('SPORT_NOT_ALLOWED');
	});
});

describe('a suspended site', () => {
	it('has no channels, and open ones end', async () => {
		client = await HubClient.connect(server.url, player.token);
		await client.subscribe('sports', ...channels());
		await setDomain('siteSuspended', 'true');
		for (const wanted of ['sports', ...channels()]) {
			const ended = await client.message('SubscriptionEnded', ({ channel }) => channel === wanted);
			expect(ended.code).toBe('SITE_SUSPENDED');
		}
		expect(await client.subscribe(...channels())).toEqual(allRefused('SITE_SUSPENDED'));
		// What tells him that it is over still reaches him.
		await setDomain('siteSuspended', 'false');
		await expect.poll(() => client.received.filter(({ code }) => code === 'DomainSettingChanged').length).toBe(2);
		expect((await client.subscribe(...channels())).success).toBe(true);
	});
});

/** As operators name a player. */
async function named({ token }: Player): Promise<{ userName: string; host: string }> {
	const { userName } = await server.result('getUserInfo', {}, token);
	return { userName, host: 'localhost' };
}
