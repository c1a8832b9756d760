/**
 * Two engines behind one gateway, each with pools, a database and a token key of its own: real money, and play money with
 * the demo players of all brands.
 *
 * @module-tag thorough
 */
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { CALLS, type CallName } from '#contract/registry.ts';
import type { ErrorCode } from '#values/error-catalogue.ts';
import { findNatsServer } from '../../tools/nats-server.ts';
import { adjust } from '../support/adjustment.ts';
import { expectSound } from '../support/audit.ts';
import { freshDatabase } from '../support/database.ts';
import { betOn, openTestMatch, type TestMatch } from '../support/match.ts';
import { plainRequest } from '../support/plain-request.ts';
import { inEnvelope, TestServer, TOKEN_KEY } from '../support/server.ts';
import { PASSWORD } from '../support/sign-up.ts';
import { type GatewayProcess, startGatewayProcess } from './gateway-process.ts';
import { HubClient } from './hub-client.ts';
import { startNatsServer } from './nats-server.ts';

const program = findNatsServer();
const REAL_KEY = 'another key for tests, for real money only';
const REAL_HOST = 'real.localhost';
const PLAY_HOST = 'localhost';
const LOOK_EVERY_MS = 10;
/** Both engines number their players from here. */
const FIRST_PLAYER = 1000;
const RULES = { licence: 'LIC-1', countries: ['GB'], identity: 'OPERATOR', location: 'PROXY' };

interface Asked {
	host?: string;
	token?: string;
}

describe.skipIf(program === null)('engines by pool', () => {
	let nats: Awaited<ReturnType<typeof startNatsServer>>;
	let play: TestServer;
	let real: TestServer;
	let gateway: GatewayProcess;
	let matches: { play: TestMatch; real: TestMatch };

	const startReal = (...database: Parameters<typeof TestServer.start>) =>
		TestServer.start(database[0], { pools: ['REAL'], tokenKey: REAL_KEY, natsUrl: nats.url, ...database[1] });

	/** As a proxy passes it on, which knows the host and the country. */
	const headersOf = (host: string, token = '') => ({
		'X-Forwarded-For': '203.0.113.7',
		'X-Forwarded-Host': host,
		'X-Country': 'GB',
		...(token ? { Authorization: `Bearer ${token}` } : {}),
	});

	async function ask<Result = Record<string, unknown>>(
		name: CallName,
		input: object,
		{ host = PLAY_HOST, token }: Asked = {},
	): Promise<{ result: Result; code: ErrorCode | null }> {
		const { method, path, from } = CALLS[name];
		const query = from === 'query' ? `?${new URLSearchParams(input as Record<string, string>)}` : '';
		const { status, text } = await plainRequest(`${gateway.url}/${path}${query}`, {
			method,
			headers: { ...headersOf(host, token), 'Content-Type': 'application/json' },
			...(from === 'query' ? {} : { body: JSON.stringify(input) }),
		});
		const { body, code } = inEnvelope<Result>(status, text);
		return { result: body.result as Result, code };
	}

	async function health(): Promise<{ status: string; engines: Record<string, string> }> {
		return (await (await fetch(`${gateway.url}/ready`)).json()) as Awaited<ReturnType<typeof health>>;
	}

	async function listen(host: string, token: string): Promise<HubClient> {
		const client = await HubClient.connect(gateway.url, token, { headers: headersOf(host) });
		onTestFinished(() => client.stop());
		return client;
	}

	const demo = async (host: string) =>
		(await ask<{ accessToken: string; refreshToken: string }>('loginAsDemoUser', {}, { host })).result;
	const logIn = async (name: string, host: string) =>
		(
			await ask<{ accessToken: string; refreshToken: string }>(
				'authenticate',
				{ userNameOrEmailAddress: name, password: PASSWORD },
				{ host },
			)
		).result;

	beforeAll(async () => {
		nats = await startNatsServer(program as string);
		play = await TestServer.start(undefined, { pools: ['DEMO', 'PLAY'], natsUrl: nats.url });
		real = await startReal();
		gateway = await startGatewayProcess({
			natsUrl: nats.url,
			nodeId: 'east',
			environment: {
				ENGINES: `DEMO,PLAY:${TOKEN_KEY};REAL:${REAL_KEY}`,
				TRUSTED_PROXIES: '127.0.0.1,::1',
				CALL_DEADLINE_MS: '2500',
			},
		});
		await real.running.brands.add(REAL_HOST);
		const brand = await real.running.brands.makeReal(REAL_HOST);
		await real.running.brands.change(REAL_HOST, [{ field: 'realMoney', value: JSON.stringify(RULES) }]);
		await real.running.brands.change(REAL_HOST, [{ field: 'visitorsMayLook', value: 'true' }]);
		await real.running.players.createPlayer({ userName: 'real-player', password: PASSWORD, brand });
		await play.running.players.createPlayer({ userName: 'play-player', password: PASSWORD, brand: play.brand });
		await real.act('verify-identity', { userName: 'real-player', host: REAL_HOST, age: 18 });
		await adjust(real, { userId: FIRST_PLAYER }, 500);
		await adjust(play, { userId: FIRST_PLAYER }, 70);
		matches = {
			play: await openTestMatch(play, { title: 'Played v For Play' }),
			real: await openTestMatch(real, { title: 'Played v For Real' }),
		};
		while (!play.running.brands.byHost(REAL_HOST)?.setting.visitorsMayLook) await delay(LOOK_EVERY_MS);
		while (Object.values((await health()).engines).some((state) => state !== 'ok')) await delay(LOOK_EVERY_MS);
	});
	afterAll(async () => {
		await gateway.stop();
		await Promise.all([play.stop(), real.stop()]);
		await Promise.all([play, real].map(({ database }) => expectSound(database.db)));
		await Promise.all([play, real].map(({ database }) => database.drop()));
		await nats.stop();
	});

	it('answer each player and each visitor where the pool is, although players have the same numbers', async () => {
		const [ofPlay, ofReal] = [await logIn('play-player', PLAY_HOST), await logIn('real-player', REAL_HOST)];
		const ofDemo = await demo(REAL_HOST);
		const about = async (token: string, host: string) => (await ask('getUserInfo', {}, { host, token })).result;
		expect(await about(ofPlay.accessToken, PLAY_HOST)).toMatchObject({ userId: '1000', pool: 'PLAY', balance: 70 });
		expect(await about(ofReal.accessToken, REAL_HOST)).toMatchObject({ userId: '1000', pool: 'REAL', balance: 500 });
		expect(await about(ofDemo.accessToken, REAL_HOST)).toMatchObject({ pool: 'DEMO', balance: 20_000 });
		// The tokens that travel in fields name their engine, too, and a token opens no other brand.
		const { code, result } = await ask('refreshToken', { refreshToken: ofDemo.refreshToken }, { host: REAL_HOST });
		expect([code, result?.['expireInSeconds']]).toEqual([null, 1800]);
		const left = await ask('getAccessTokenValidateTime', { accessToken: ofReal.accessToken }, { host: REAL_HOST });
		expect(left.result['secondsLeft']).toBeGreaterThan(1000);
		expect((await ask('getUserInfo', {}, { host: PLAY_HOST, token: ofReal.accessToken })).code).toBe('LOGIN_EXPIRED');
		expect((await ask('refreshToken', { refreshToken: 'of.no.engine' }, { host: REAL_HOST })).code).toBe(
			'LOGIN_EXPIRED',
		);
	});

	it('show the matches of their own pool, under ids that no other engine uses', async () => {
		const titles = async (asked: Asked) => {
			const { result } = await ask<{ title: string }[]>('closest', {}, asked);
			return result.map(({ title }) => title);
		};
		const { accessToken: token } = await demo(REAL_HOST);
		expect(await titles({ host: REAL_HOST })).toEqual(['Played v For Real']);
		expect(await titles({ host: REAL_HOST, token })).toEqual(['Played v For Play']);
		expect(await titles({ host: PLAY_HOST })).toEqual(['Played v For Play']);
		// A page that stays open while its visitor becomes a demo player bets on nothing else.
		expect((await ask('placeBetV2', betOn(matches.real, {}), { host: REAL_HOST, token })).code).toBe('UNKNOWN_MARKET');
	});

	it('take bets of real money in the engine of REAL, and tell nobody else of them', async () => {
		const [one, other] = [await logIn('real-player', REAL_HOST), await logIn('play-player', PLAY_HOST)];
		const clients = [await listen(REAL_HOST, one.accessToken), await listen(PLAY_HOST, other.accessToken)] as const;
		await clients[0].subscribe(`market:${matches.real.marketId}`);
		await clients[1].subscribe(`market:${matches.play.marketId}`);
		const bet = betOn(matches.real, { price: 3, stake: 100 });
		expect((await ask('placeBetV2', bet, { host: REAL_HOST, token: one.accessToken })).code).toBeNull();
		await clients[0].message('UserBalance', ({ Exposure }) => Exposure === 100);
		await clients[0].message('MarketBook', ({ runners }) => runners[0]?.lay?.[0]?.size === 100);
		const played = betOn(matches.play, { price: 2, stake: 30 });
		expect((await ask('placeBetV2', played, { host: PLAY_HOST, token: other.accessToken })).code).toBeNull();
		await clients[1].message('UserBalance', ({ Exposure }) => Exposure === 30);
		const exposures = clients[1].received.flatMap(({ code, data }) =>
			code === 'UserBalance' ? [(data as { Exposure: number }).Exposure] : [],
		);
		expect(exposures).toEqual([0, 30]);
		expect(real.running.exchange.book(Number(matches.real.marketId), 'REAL')?.runners[0]?.lay).toHaveLength(1);
	});

	it('tell demo players of a change of their brand, which its own engine alone can make', async () => {
		const client = await listen(REAL_HOST, (await demo(REAL_HOST)).accessToken);
		await client.subscribe('sports');
		await real.act('brand-set', { host: REAL_HOST, field: 'cricket', value: 'false' });
		await client.message('DomainSettingChanged');
		await expect.poll(() => play.running.brands.byHost(REAL_HOST)?.setting.cricket).toBe(false);
		const asked = { host: REAL_HOST, field: 'cricket', value: 'true' };
		expect((await play.operator('brand-set', asked)).code).toBe('OTHER_POOL');
		await expect(play.running.brands.makeReal(PLAY_HOST)).rejects.toMatchObject({ code: 'OTHER_POOL' });
		await real.act('brand-set', asked);
		await expect.poll(() => play.running.brands.byHost(REAL_HOST)?.setting.cricket).toBe(true);
		const directly = await plainRequest(`${play.url}/${CALLS.closest.path}`, {
			headers: { Host: REAL_HOST },
		});
		expect(inEnvelope(directly.status, directly.text).code).toBe('OTHER_POOL');
		const brand = play.running.brands.byHost(REAL_HOST) ?? expect.unreachable();
		const wrong = { userName: 'astray', password: PASSWORD, brand };
		await expect(play.running.players.createPlayer(wrong)).rejects.toMatchObject({ code: 'OTHER_POOL' });
		const { rowCount } = await play.database.db.query("select from player where user_name = 'astray'");
		expect(rowCount).toBe(0);
		const wallet = { kind: 'open-wallet', walletId: 2000, pool: 'REAL' } as const;
		await expect(play.running.exchange.submit(wallet)).rejects.toMatchObject({ code: 'OTHER_POOL' });
	});

	it('serve on when one of them is gone, and players of the other wait until it is back', async () => {
		const { accessToken } = await logIn('real-player', REAL_HOST);
		const [ofReal, ofDemo] = [
			await listen(REAL_HOST, accessToken),
			await listen(PLAY_HOST, (await demo(PLAY_HOST)).accessToken),
		];
		for (const client of [ofReal, ofDemo]) {
			await client.subscribe('sports');
			await client.message('Heartbeat');
		}
		await real.stop();
		const refused = ask('placeBetV2', betOn(matches.real, {}), { host: REAL_HOST, token: accessToken });
		const { accessToken: token } = await demo(PLAY_HOST);
		expect((await ask('placeBetV2', betOn(matches.play, { stake: 10 }), { token })).code).toBeNull();
		expect((await refused).code).toBe('STARTING');
		ofReal.received.length = 0;
		ofDemo.received.length = 0;
		await ofDemo.message('Heartbeat');
		expect(ofReal.received.filter(({ code }) => code === 'Heartbeat')).toEqual([]);
		expect(await health()).toMatchObject({ status: 'ok', engines: { 'DEMO,PLAY': 'ok', REAL: 'no process answers' } });
		real = await startReal(real.database);
		expect(
			(await ask('placeBetV2', betOn(matches.real, { stake: 20 }), { host: REAL_HOST, token: accessToken })).code,
		).toBeNull();
		await ofReal.message('UserBalance', ({ Exposure }) => Exposure === 120);
	});

	it('refuse a second engine of a pool, and one with the same key, before anything is served', async () => {
		const database = await freshDatabase();
		onTestFinished(() => database.drop());
		const start = (pools: readonly ('DEMO' | 'PLAY' | 'REAL')[], tokenKey: string) =>
			TestServer.start(database, { pools, tokenKey, natsUrl: nats.url });
		await expect(start(['REAL'], 'a third key for tests, of a second engine')).rejects.toThrow(
			'Another engine on this NATS, with a database of its own, serves REAL: each pool has one.',
		);
		await real.stop();
		await expect(start(['REAL'], TOKEN_KEY)).rejects.toThrow(
			'The engine of DEMO,PLAY has the same TOKEN_KEY: each engine has its own.',
		);
		expect((await database.db.query('select epoch from lease')).rows).toEqual([{ epoch: 0 }]);
	});
});
