/** What the staff do about a player from the player's page: end log-ins, tag, note, limit, close sports. */
import { beforeAll, describe, expect, it } from 'vitest';
import { limit as limitOrder, logIn as logInBot, openBot, rpc } from '../bots-api/bot.ts';
import { openTestMatch } from '../bots-api/numbered-match.ts';
import { betOn } from '../support/match.ts';
import type { Player, TestServer } from '../support/server.ts';
import { restartShared, sharedServer } from '../support/shared-server.ts';
import { PASSWORD, signUp } from '../support/sign-up.ts';
import { ConsoleClient } from './console-client.ts';

let server: TestServer;
let support: ConsoleClient;
let risk: ConsoleClient;

async function staff(name: string, role: string): Promise<ConsoleClient> {
	const about = { name, passwordHash: 'none', roles: [role], brands: null };
	const { staffId } = await server.running.staff.directory.add(about, { actor: 'test', address: null });
	const client = new ConsoleClient(server.url);
	const visit = { address: '127.0.0.1', userAgent: 'a test' };
	client.cookies.set('console-session', await server.running.staff.sessions.begin(staffId, visit, true));
	return client;
}

beforeAll(async () => {
	server = await sharedServer();
	support = await staff('asha of access', 'support');
	risk = await staff('ravi of access', 'risk');
});

interface OpenLogin {
	loginId: string;
	kind: string;
	address: string | null;
	openedAt: string | null;
}

const of = ({ userId }: Pick<Player, 'userId'>) => ({ playerId: String(userId) });
const openLogins = (player: Player) => support.result<OpenLogin[]>('player-logins', of(player));
const logIn = async (userName: string) =>
	(await server.result('authenticate', { userNameOrEmailAddress: userName, password: PASSWORD })).accessToken;
const codeOf = async (token: string) => (await server.call('getUserInfo', {}, token)).code;
const found = async (query: string) =>
	(await support.result<{ userName: string; by: string }[]>('player-search', { query })).map(
		({ userName, by }) => `${userName} by ${by}`,
	);

describe('the log-ins of a player', () => {
	it('are listed with where and when they began, also after a restart, and one ends without the others', async () => {
		const player = await signUp(server);
		const second = await logIn(player.userName);
		const [newest, first] = await openLogins(player);
		expect([newest, first]).toMatchObject([
			{ kind: 'SITE', address: '127.0.0.1' },
			{ kind: 'SITE', address: '127.0.0.1' },
		]);
		server = await restartShared();
		support = await staff('bala of access', 'support');
		risk = await staff('rani of access', 'risk');
		expect(await openLogins(player)).toEqual([newest, first]);
		const end = { ...of(player), loginId: newest?.loginId, reason: 'a lost phone' };
		expect(await risk.code('player-logins-end', end)).toBe('FORBIDDEN');
		expect(await support.result('player-logins-end', end)).toEqual({ ended: 1 });
		expect([await codeOf(second), await codeOf(player.token)]).toEqual(['LOGIN_EXPIRED', null]);
		// Once more, and with a login of another player: nothing is left to end.
		expect(await support.result('player-logins-end', end)).toEqual({ ended: 0 });
		const other = await signUp(server);
		const [theirs] = await openLogins(other);
		const wrong = { ...of(player), loginId: theirs?.loginId, reason: 'a wrong one' };
		expect(await support.result('player-logins-end', wrong)).toEqual({ ended: 0 });
		expect(await codeOf(other.token)).toBeNull();
	});

	it('all end together with those of bots; the player may log in again', async () => {
		const player = await signUp(server);
		await logIn(player.userName);
		const asked = { name: 'bot', mayTrade: false, addresses: [], callsPerSecond: 5, password: PASSWORD };
		const { appKey } = await server.result('createApiKey', asked, player.token);
		await logInBot(server, player.userName, appKey);
		expect((await openLogins(player)).map(({ kind }) => kind).sort()).toEqual(['BOT', 'SITE', 'SITE']);
		const end = { ...of(player), loginId: null, reason: 'a stolen password' };
		expect(await support.result('player-logins-end', end)).toEqual({ ended: 3 });
		expect(await openLogins(player)).toEqual([]);
		expect(await codeOf(player.token)).toBe('LOGIN_EXPIRED');
		expect(await codeOf(await logIn(player.userName))).toBeNull();
	});
});

describe('tags and notes', () => {
	it('find a player: a tag as a whole in any case, a note by its words', async () => {
		const player = await signUp(server);
		const tag = { ...of(player), tag: 'VIP guest', on: true };
		expect(await support.result('player-tag', tag)).toEqual({ tags: ['vip guest'] });
		expect(await support.result('player-tag', tag)).toEqual({ tags: ['vip guest'] });
		await support.result('player-note', { ...of(player), note: 'Called about a broken umbrella.' });
		expect(await found('#Vip Guest')).toEqual([`${player.userName} by tag`]);
		expect(await found('#vip')).toEqual([]);
		expect(await found('note:umbrella called')).toEqual([`${player.userName} by note`]);
		expect(await found('note:umbrellas')).toEqual([]);
		const page = await support.result<{ tags: string[] }>('player', of(player));
		expect(page.tags).toEqual(['vip guest']);
		expect(await support.result('player-tag', { ...tag, on: false })).toEqual({ tags: [] });
		expect(await found('#vip guest')).toEqual([]);
	});

	it('are of letters and digits, and of players that exist', async () => {
		const player = await signUp(server);
		for (const tag of ['', '<b>', 'x'.repeat(31), '#vip'])
			expect(await support.code('player-tag', { ...of(player), tag, on: true })).toBe('VALIDATION_FAILED');
		expect(await support.code('player-tag', { playerId: '999999', tag: 'vip', on: true })).toBe('UNKNOWN_USER');
	});
});

describe('limits and sports', () => {
	it('are set from the player’s page, hold at once, and the journal has them before and after', async () => {
		const player = await signUp(server);
		const limits = { ...of(player), maxStake: 100 };
		expect(await support.code('player-limits', limits)).toBe('FORBIDDEN');
		expect(await risk.result('player-limits', limits)).toMatchObject({ maxStake: 100, maxProfit: 0 });
		expect(server.running.exchange.wallet(player.userId)?.limits).toMatchObject({ maxStake: 10_000 });
		await risk.result('player-sport', { ...of(player), sport: 'tennis', allowed: false });
		expect((await server.result('getUserInfo', {}, player.token)).tennis).toBe(false);
		expect(await risk.code('player-limits', { ...limits, userName: player.userName })).toBe('VALIDATION_FAILED');
		const { rows } = await server.database.db.query(
			`select before, after from journal where act = 'player-sport' and subject = $1`,
			[`player ${player.userId}`],
		);
		expect(rows).toMatchObject([{ before: { closedSports: [] }, after: { closedSports: ['tennis'] } }]);
	});

	it('of a bet in a sport hold for site, triggers and bots from the next bet on, in that sport alone, also after a restart', async () => {
		const player = await openBot(server);
		const of = { playerId: String(player.userId) };
		const limits = { ...of, sport: 'cricket', maxStake: 100, maxProfit: 150 };
		expect(await support.code('player-sport-limits', limits)).toBe('FORBIDDEN');
		const [cricket, tennis] = [await openTestMatch(server), await openTestMatch(server, { sportId: 2 })];
		const codeOfBet = async (match: typeof cricket, changes: Record<string, unknown>) =>
			(await server.call('placeBetV2', betOn(match, changes), player.siteToken)).code;
		expect(await codeOfBet(cricket, { stake: 101 })).toBeNull();
		expect(await risk.result('player-sport-limits', limits)).toMatchObject({
			sportLimits: [{ sport: 'cricket', maxStake: 100, maxProfit: 150 }],
		});
		const expectLimited = async () => {
			const refused = await server.call('placeBetV2', betOn(cricket, { stake: 101 }), player.siteToken);
			expect([refused.code, refused.body.error?.details]).toEqual(['STAKE_TOO_LARGE', { most: 100 }]);
			expect(await codeOfBet(cricket, { stake: 100, price: 2.52 })).toBe('PROFIT_TOO_LARGE');
			expect(await codeOfBet(tennis, { stake: 101 })).toBeNull();
		};
		await expectLimited();
		expect(await codeOfBet(cricket, { stake: 100, price: 2.5 })).toBeNull();
		const trigger = { ...betOn(cricket, { stake: 101 }), moves: 'FALLS', at: 1.5 };
		expect((await server.raw('placeTrigger', trigger, player.siteToken)).code).toBe('STAKE_TOO_LARGE');
		const instructions = [limitOrder(1, 'BACK', 2, 101)];
		const placed = await rpc(server, player, 'placeOrders', { marketId: `1.${cricket.marketId}`, instructions });
		expect(JSON.stringify(placed)).toContain('INVALID_BET_SIZE');
		server = await restartShared();
		[support, risk] = [await staff('binu of access', 'support'), await staff('roma of access', 'risk')];
		await expectLimited();
		const page = await risk.result<{ sportLimits: object[] }>('player', of);
		expect(page.sportLimits).toEqual([{ sport: 'cricket', maxStake: 100, maxProfit: 150 }]);
		expect(await risk.result('player-sport-limits', { ...of, sport: 'cricket' })).toMatchObject({ sportLimits: [] });
		expect(await codeOfBet(cricket, { stake: 101 })).toBeNull();
	});
});
