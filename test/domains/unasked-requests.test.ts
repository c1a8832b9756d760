/** Requests that a browser sends without the player's asking, and answers that nothing may keep: by the contract's word. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Call } from '#contract/call.ts';
import { CALLS, type CallName } from '#contract/registry.ts';
import { rawRequest } from '../support/raw-request.ts';
import type { Player, TestServer } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';

let server: TestServer;
beforeAll(async () => {
	server = await sharedServer();
});

const calls = Object.entries(CALLS) as [CallName, Call][];
const gets = calls.filter(([, { method }]) => method === 'GET');
const changing = gets.filter(([, { changesState }]) => changesState);
const reading = gets.filter(([, { changesState }]) => !changesState);

const ask = (method: string, path: string, more: readonly string[] = []) =>
	rawRequest(server.url, [`${method} /${path} HTTP/1.1`, 'Host: localhost', ...more]);
const codeOf = (body: string): string | undefined => (JSON.parse(body) as { error?: { code: string } }).error?.code;

const players = async (): Promise<number> =>
	(await server.database.db.query<{ n: number }>('select count(*) as n from player')).rows[0]?.n ?? 0;

describe('a GET that changes state', () => {
	it('has a path that does not begin with a word for reading', () => {
		const read = /(^|\/)(get\w+|closest|cashoutquote|treesport\w+|(open)?rounds?|seeds|exportdata)$/i;
		expect(changing.map(([, { path }]) => path).filter((path) => read.test(path))).toEqual([]);
		expect(reading.map(([, { path }]) => path).filter((path) => !read.test(path))).toEqual([]);
		expect(changing.map(([name]) => name)).toEqual(expect.arrayContaining(['loginAsDemoUser', 'refreshToken']));
	});

	it.each(changing)('has no HEAD: %s', async (_, { path }) => {
		const before = await players();
		for (const more of [[], ['Accept: text/html'], ['X-Enc: 1']]) {
			const { status, headers } = await ask('HEAD', path, more);
			expect([status, headers['allow']]).toEqual([405, 'GET']);
		}
		expect(await players()).toBe(before);
	});

	it.each(
		changing.flatMap(([name, { path }]) =>
			[
				'Sec-Fetch-Site: cross-site',
				'Sec-Purpose: prefetch',
				'Sec-Purpose: prefetch;prerender',
				'Purpose: prefetch',
				'X-Moz: prefetch',
			].map((header): [string, string, string] => [name, header, path]),
		),
	)('is refused: %s with %s', async (_, header, path) => {
		const before = await players();
		const { status, body } = await ask('GET', path, [header]);
		expect([status, codeOf(body)]).toEqual([403, 'FORBIDDEN']);
		expect(await players()).toBe(before);
	});

	it('ends no login when it is requested by HEAD or from another site', async () => {
		const { refreshToken } = await server.demoPlayer();
		const path = `Account/RefreshToken?refreshToken=${refreshToken}`;
		await ask('HEAD', path);
		await ask('GET', path, ['Sec-Fetch-Site: cross-site']);
		const { database } = server;
		const sql = 'select generation from login where login_id = $1';
		const { rows } = await database.db.query<{ generation: number }>(sql, [refreshToken.split('.')[0]]);
		expect(rows[0]?.generation).toBe(1);
	});

	it.each(['Sec-Fetch-Site: same-origin', 'Sec-Fetch-Site: same-site', 'Sec-Fetch-Site: none', 'X-Other: 1'])(
		'is answered with %s',
		async (header) => {
			expect((await ask('GET', 'Account/LoginAsDemoUser', [header])).status).toBe(200);
		},
	);
});

describe('a GET that reads', () => {
	it.each(reading)('is answered from another site and when prefetched: %s', async (_, { path }) => {
		const { status } = await ask('GET', path, ['Sec-Fetch-Site: cross-site', 'Sec-Purpose: prefetch']);
		// 422: a table is closed until the public log has its chain.
		expect([200, 400, 401, 404, 422]).toContain(status);
	});

	it('has a HEAD', async () => {
		expect((await ask('HEAD', 'api/setting/GetSettingExpiry')).status).toBe(200);
	});
});

/** Lists of fixtures have a tag: a browser keeps them, and asks each time whether they still hold. */
const TAGGED = new Set(['treeSportWithEvent', 'closest']);

describe('an answer of a call', () => {
	let player: Player;
	beforeAll(async () => {
		player = await server.demoPlayer();
	});

	it.each(calls)('is never used unasked, whether it succeeds or is refused: %s', async (name, { method, path }) => {
		// One that logs out ends its login alone.
		const { token } = name === 'logout' ? await server.demoPlayer() : player;
		for (const more of [[], [`Authorization: Bearer ${token}`]]) {
			const { headers } = await ask(method, path, [...more, 'Content-Type: application/json', 'Content-Length: 0']);
			expect(headers['cache-control']).toBe(TAGGED.has(name) ? 'private, no-cache' : 'no-store');
		}
	});

	it('of an operator or the hub is never cached either', async () => {
		const { headers } = await ask('POST', 'operator/api/markets', ['Content-Length: 0']);
		expect(headers['cache-control']).toBe('no-store');
		const negotiated = await ask('POST', 'hub/negotiate?negotiateVersion=1', ['Content-Length: 0']);
		expect([negotiated.status, negotiated.headers['cache-control']]).toEqual([200, 'no-store']);
	});

	it('of the domain setting alone may be cached and revalidated', async () => {
		const { headers } = await ask('GET', 'domain-settings/localhost.json');
		expect(headers['cache-control']).toBe('no-cache');
	});
});
