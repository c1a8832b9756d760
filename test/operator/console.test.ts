/** The console's door: log-in, second factor, sessions, permissions; over real requests to its host. */
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashPassword } from '#server/people/players/passwords.ts';
import { seedDemoStaff } from '#server/people/staff/open-staff.ts';
import { betOn, openTestMatch } from '../support/match.ts';
import { TestServer } from '../support/server.ts';
import { smallRelease } from '../support/small-release.ts';
import { ConsoleClient } from './console-client.ts';

const PASSWORD = 'Correct-horse-9';
const BY = { actor: 'test', address: null };

let server: TestServer;
beforeAll(async () => {
	server = await TestServer.start();
});
afterAll(() => server.dispose());

async function addMember(
	to: TestServer,
	name: string,
	roles: string[],
	brands: string[] | null = null,
): Promise<ConsoleClient> {
	const passwordHash = await hashPassword(PASSWORD);
	await to.running.staff.directory.add({ name, passwordHash, roles, brands }, BY);
	return new ConsoleClient(to.url);
}

/** A member who is logged in; in development no second factor is asked for. */
async function member(name: string, roles: string[], brands: string[] | null = null): Promise<ConsoleClient> {
	const client = await addMember(server, name, roles, brands);
	expect(await client.result('log-in', { name, password: PASSWORD })).toEqual({ stage: 'IN' });
	return client;
}

/** The code of an app at a time; each step of 30 s has one of its own. */
const codeOf = (secret: string, atMs: number): string => new TOTP({ secret }).generate({ timestamp: atMs });

describe('the console’s host', () => {
	it('answers no call of players, and no other host answers a call of the console', async () => {
		const client = await member('door', ['owner']);
		expect((await client.call('events', {})).status).toBe(200);
		const other = new ConsoleClient(server.url, 'localhost');
		other.cookies = client.cookies;
		expect((await other.call('events', {})).status).toBe(404);
		expect((await client.send('/api/services/app/Account/Authenticate', {})).status).toBe(404);
	});

	it('answers every address of a page with its page, those of brands among them', async () => {
		const host = `console.test:${new URL(server.url).port}`;
		for (const path of ['/', '/payments', '/brands/royal.localhost', '/players/1000']) {
			const asked = get(new URL(path, server.url), { headers: { host } });
			const [answer] = (await once(asked, 'response')) as [IncomingMessage];
			answer.resume();
			expect([path, answer.statusCode, answer.headers['content-type']]).toEqual([
				path,
				200,
				'text/html; charset=utf-8',
			]);
		}
	});

	it('refuses requests of other sites, and those without its header', async () => {
		const client = await member('csrf', ['owner']);
		expect((await client.call('events', {}, { 'sec-fetch-site': 'cross-site' })).body.error?.code).toBe('FORBIDDEN');
		expect((await client.call('events', {}, { 'x-console': null })).body.error?.code).toBe('FORBIDDEN');
	});

	it('sets cookies that no script reads and no other site sends', async () => {
		await addMember(server, 'cookie', ['owner']);
		const { headers } = await new ConsoleClient(server.url).call('log-in', { name: 'cookie', password: PASSWORD });
		expect(String(headers['set-cookie'])).toMatch(/HttpOnly; SameSite=Strict/);
	});
});

describe('permissions', () => {
	it('are gone with the member: every session and every stream ends at once', async () => {
		const owner = await member('boss', ['owner']);
		const client = await member('leaver', ['trader']);
		const elsewhere = new ConsoleClient(server.url);
		await elsewhere.result('log-in', { name: 'leaver', password: PASSWORD });
		const streams = await Promise.all([client, elsewhere, owner].map((one) => one.changes()));
		const [ofOwner] = streams.splice(2);
		const { staffId } = server.running.staff.directory.byName('leaver') ?? {};
		await owner.result('staff-remove', { staffId: String(staffId) });
		for (const one of [client, elsewhere]) expect(await one.code('events', {})).toBe('LOGIN_EXPIRED');
		await Promise.all(streams.map(({ ended }) => ended));
		await expect(client.changes()).rejects.toThrow('401');
		// The other members' streams go on.
		const { marketId } = await openTestMatch(server);
		await ofOwner?.until(({ markets }) => markets.includes(marketId));
		ofOwner?.close();
		expect(await client.code('log-in', { name: 'leaver', password: PASSWORD })).toBe('WRONG_CREDENTIALS');
	});

	it('are not opened by log-ins on their way when the member’s password is replaced', async () => {
		const { directory, sessions } = server.running.staff;
		await addMember(server, 'hacked', ['owner']);
		const { staffId = 0 } = directory.byName('hacked') ?? {};
		const next = await hashPassword('Another-horse-10');
		const clients = Array.from({ length: 6 }, () => new ConsoleClient(server.url));
		const logIns = Promise.all(clients.map((client) => client.code('log-in', { name: 'hacked', password: PASSWORD })));
		await directory.setPassword(staffId, next, BY);
		await sessions.endOf(staffId);
		const codes = new Set(await logIns);
		for (const client of clients) expect(await client.code('events', {})).toMatch(/NOT_LOGGED_IN|LOGIN_EXPIRED/);
		expect([...codes].filter((code) => !['', 'LOGIN_EXPIRED', 'WRONG_CREDENTIALS'].includes(code))).toEqual([]);
		expect(sessions.of(staffId)).toEqual([]);
	});

	it('of the demonstration’s staff are given once: a member who was removed stays removed over a start', async () => {
		const { staff } = server.running;
		await seedDemoStaff(staff, false);
		const { staffId = 0 } = staff.directory.byName('second owner') ?? {};
		await staff.directory.remove(staffId, BY);
		await seedDemoStaff(staff, false);
		expect(staff.directory.byName('second owner')).toBe(null);
		expect(staff.directory.byName('owner')?.roles).toEqual(['owner']);
	});

	it('that are missing are recorded like acts', async () => {
		const client = await member('curious', ['support']);
		const { marketId } = await openTestMatch(server);
		expect(await client.code('suspend', { marketId })).toBe('FORBIDDEN');
		const { rows } = await server.database.db.query(
			"select act, subject, outcome from journal where actor = 'curious' and act = 'suspend'",
		);
		expect(rows).toEqual([{ act: 'suspend', subject: `market ${marketId}`, outcome: 'FORBIDDEN' }]);
	});
});

describe('saved views', () => {
	const view = (name: string, address = '/reports?by=day') => ({ name, address });

	it('are each member’s own, replaced by name, kept over a log-out, and fifty at most', async () => {
		const [one, other] = [await member('keeper', ['auditor']), await member('other keeper', ['support'])];
		await one.result('save-view', view('Days'));
		await one.result('save-view', view(' Days ', '/reports?by=hour'));
		await one.result('save-view', view('brands', '/brands'));
		expect(await other.result('views', {})).toEqual([]);
		await one.result('log-out', {});
		expect(await one.code('views', {})).toBe('NOT_LOGGED_IN');
		await one.result('log-in', { name: 'keeper', password: PASSWORD });
		expect(await one.result('views', {})).toEqual([view('brands', '/brands'), view('Days', '/reports?by=hour')]);
		await other.result('remove-view', { name: 'Days' });
		await one.result('remove-view', { name: 'brands' });
		for (let count = 1; count < 50; count++) await one.result('save-view', view(`view ${count}`));
		expect(await one.code('save-view', view('one too many'))).toBe('VALIDATION_FAILED');
		expect(await one.code('save-view', view('Days'))).toBe('');
		expect(await one.result<unknown[]>('views', {})).toHaveLength(50);
	});

	it('lead to no other site', async () => {
		const client = await member('astray', ['auditor']);
		for (const address of ['//evil.example/x', 'https://evil.example', 'javascript:alert(1)', '/a\nb', ''])
			expect([address, await client.code('save-view', view('x', address))]).toEqual([address, 'VALIDATION_FAILED']);
	});
});

describe('the stream of changes', () => {
	it('names markets that moved, queues and proposals, and ends with the session', async () => {
		const client = await member('follower', ['owner']);
		const stream = await client.changes();
		const { marketId } = await openTestMatch(server);
		await client.result('suspend', { marketId });
		await stream.until(({ markets }) => markets.includes(marketId));
		await client.result('propose', { act: 'void', input: { marketId }, reason: 'rain' });
		await stream.until(({ proposals }) => proposals);
		const { userId } = await server.demoPlayer();
		const adjusted = { playerId: String(userId), amount: 5, reasonCode: 'GOODWILL', reason: 'a long wait' };
		await client.result('adjust', adjusted);
		await stream.until(({ queues }) => queues);
		await client.result('log-out', {});
		await stream.ended;
		await expect(client.changes()).rejects.toThrow('401');
	});

	it('is refused without the console’s header and to other hosts', async () => {
		const client = await member('elsewhere', ['owner']);
		const other = new ConsoleClient(server.url, 'localhost');
		other.cookies = client.cookies;
		await expect(other.changes()).rejects.toThrow('404');
	});
});

describe('suspending all markets of a match', () => {
	it('is obeyed by every bet from its acknowledgement on, among bets from all sides', async () => {
		const trader = await member('in a hurry', ['trader']);
		const match = await openTestMatch(server);
		const players = await Promise.all(Array.from({ length: 4 }, () => server.demoPlayer()));
		const countBets = async () => {
			const { rows } = await server.database.db.query<{ n: number }>(
				'select count(*)::int as n from bet where market_id = $1',
				[Number(match.marketId)],
			);
			return rows[0]?.n ?? 0;
		};
		for (let round = 0; round < 3; round++) {
			const over = new AbortController();
			let placed = 0;
			const refusals = new Set<string | null>();
			const streams = players.map(async ({ token }, at) => {
				while (!over.signal.aborted) {
					const side = (at + placed) % 2 === 0 ? ('BACK' as const) : ('LAY' as const);
					const { code } = await server.call('placeBetV2', betOn(match, { side, price: 2, stake: 10 }), token);
					if (code === null) placed++;
					else refusals.add(code);
				}
			});
			await expect.poll(() => placed, { interval: 5 }).toBeGreaterThan(20);
			await trader.result('panic', { eventId: match.eventId });
			const atAcknowledgement = await countBets();
			await expect.poll(() => refusals.has('MARKET_SUSPENDED'), { interval: 5 }).toBe(true);
			over.abort();
			await Promise.all(streams);
			expect(await countBets()).toBe(atAcknowledgement);
			await trader.result('resume', { marketId: match.marketId });
		}
	});
});

describe('the second factor', () => {
	let strict: TestServer;
	beforeAll(async () => {
		strict = await TestServer.start(undefined, { production: true, releaseRoot: smallRelease() });
	});
	afterAll(() => strict.dispose());

	async function enrolled(name: string): Promise<{ client: ConsoleClient; secret: string; recovery: string[] }> {
		const client = await addMember(strict, name, ['owner']);
		expect(await client.result('log-in', { name, password: PASSWORD })).toEqual({ stage: 'ENROL' });
		const { secret } = await client.result<{ secret: string }>('begin-enrolment', {});
		const { recoveryCodes: recovery } = await client.result<{ recoveryCodes: string[] }>('finish-enrolment', {
			code: codeOf(secret, Date.now() - 30_000),
		});
		return { client, secret, recovery };
	}

	it('is set up at the first log-in, and opens nothing before', async () => {
		const client = await addMember(strict, 'first', ['owner']);
		await client.result('log-in', { name: 'first', password: PASSWORD });
		expect(await client.code('events', {})).toBe('SECOND_FACTOR_REQUIRED');
		await client.result('begin-enrolment', {});
		expect(await client.code('finish-enrolment', { code: '000000' })).toBe('WRONG_CODE');
		expect(await client.code('events', {})).toBe('SECOND_FACTOR_REQUIRED');
	});

	it('gives the session a new token, and a code counts once', async () => {
		const { secret } = await enrolled('second');
		const client = new ConsoleClient(strict.url);
		expect(await client.result('log-in', { name: 'second', password: PASSWORD })).toEqual({ stage: 'CODE' });
		const before = new Map(client.cookies);
		const code = codeOf(secret, Date.now());
		expect(await client.result('show-code', { code })).toEqual({ stage: 'IN' });
		expect(await client.code('events', {})).toBe('');
		const fixed = new ConsoleClient(strict.url);
		fixed.cookies = before;
		expect(await fixed.code('events', {})).toBe('LOGIN_EXPIRED');

		const replay = new ConsoleClient(strict.url);
		await replay.result('log-in', { name: 'second', password: PASSWORD });
		expect(await replay.code('show-code', { code })).toBe('WRONG_CODE');
	});

	it('is shown once for parallel requests with one code', async () => {
		const { secret } = await enrolled('parallel');
		const clients = Array.from({ length: 4 }, () => new ConsoleClient(strict.url));
		for (const client of clients) await client.result('log-in', { name: 'parallel', password: PASSWORD });
		const code = codeOf(secret, Date.now());
		const codes = await Promise.all(clients.map((client) => client.code('show-code', { code })));
		expect(codes.sort()).toEqual(['', 'WRONG_CODE', 'WRONG_CODE', 'WRONG_CODE']);
	});

	it('can be a recovery code, each once', async () => {
		const { recovery } = await enrolled('lost phone');
		const [code = ''] = recovery;
		const client = new ConsoleClient(strict.url);
		await client.result('log-in', { name: 'lost phone', password: PASSWORD });
		expect(await client.result('show-code', { code })).toEqual({ stage: 'IN' });
		const again = new ConsoleClient(strict.url);
		await again.result('log-in', { name: 'lost phone', password: PASSWORD });
		expect(await again.code('show-code', { code })).toBe('WRONG_CODE');
	});

	it('stands behind a password that one of several sessions changes, which ends the others', async () => {
		const clients = [1, 2, 3].map(() => new ConsoleClient(strict.url));
		const { recovery } = await enrolled('changing');
		for (const [at, client] of clients.entries()) {
			await client.result('log-in', { name: 'changing', password: PASSWORD });
			await client.result('show-code', { code: recovery[at] });
		}
		const next = (at: number) => `Another-horse-${at}`;
		const codes = await Promise.all(
			clients.map((client, at) => client.code('change-password', { current: PASSWORD, next: next(at) })),
		);
		expect(codes.filter((code) => code === '')).toHaveLength(1);
		for (const [at, client] of clients.entries()) {
			const isIn = codes[at] === '';
			expect((await client.result<{ stage: string | null }>('me', {})).stage === 'IN').toBe(isIn);
			const again = await new ConsoleClient(strict.url).code('log-in', { name: 'changing', password: next(at) });
			expect(again).toBe(isIn ? '' : 'WRONG_CREDENTIALS');
		}
	});

	it('is remembered by a browser that asks for it, until the password changes', async () => {
		const { secret } = await enrolled('remembered');
		const client = new ConsoleClient(strict.url);
		await client.result('log-in', { name: 'remembered', password: PASSWORD });
		await client.result('show-code', { code: codeOf(secret, Date.now()), remember: true });
		expect(await client.result('log-in', { name: 'remembered', password: PASSWORD })).toEqual({ stage: 'IN' });
		const next = 'Another-horse-10';
		await client.result('change-password', { current: PASSWORD, next });
		expect(await client.result('log-in', { name: 'remembered', password: next })).toEqual({ stage: 'CODE' });
	});
});

describe('guessing', () => {
	let slow: TestServer;
	beforeAll(async () => {
		slow = await TestServer.start(undefined, { production: true, releaseRoot: smallRelease(), rateLimitFactor: 1 });
	});
	afterAll(() => slow.dispose());

	it('of a password is slowed down, and new sessions give no new tries of a code', async () => {
		await addMember(slow, 'target', ['owner']);
		const codes: string[] = [];
		for (let turn = 0; turn < 12; turn++) {
			codes.push(await new ConsoleClient(slow.url).code('log-in', { name: 'target', password: 'wrong' }));
		}
		expect(codes.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 'WRONG_CREDENTIALS'));
		expect(codes.at(-1)).toBe('THROTTLED');
	});

	it('of codes is counted by member, over sessions', async () => {
		const client = await addMember(slow, 'codes', ['owner']);
		await client.result('log-in', { name: 'codes', password: PASSWORD });
		await client.result('begin-enrolment', {});
		const tried: string[] = [];
		for (let turn = 0; turn < 6; turn++) tried.push(await client.code('finish-enrolment', { code: '000000' }));
		const other = new ConsoleClient(slow.url);
		await other.result('log-in', { name: 'codes', password: PASSWORD });
		await other.result('begin-enrolment', {});
		for (let turn = 0; turn < 6; turn++) tried.push(await other.code('finish-enrolment', { code: '000000' }));
		expect(tried.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 'WRONG_CODE'));
		expect(tried.at(-1)).toBe('THROTTLED');
	});

	it('of a password keeps no member out of a browser in which the member logged in before', async () => {
		const owner = await addMember(slow, 'besieged', ['owner']);
		await owner.result('log-in', { name: 'besieged', password: PASSWORD });
		const { secret } = await owner.result<{ secret: string }>('begin-enrolment', {});
		await owner.result('finish-enrolment', { code: codeOf(secret, Date.now()) });
		const elsewhere = new ConsoleClient(slow.url);
		for (let turn = 0; turn < 12; turn++) await elsewhere.code('log-in', { name: 'besieged', password: 'wrong' });
		expect(await elsewhere.code('log-in', { name: 'besieged', password: PASSWORD })).toBe('THROTTLED');
		await owner.result('log-out', {});
		expect(await owner.result('log-in', { name: 'besieged', password: PASSWORD })).toEqual({ stage: 'CODE' });
		// A browser that has shown the password alone is a stranger's.
		const half = new ConsoleClient(slow.url);
		half.cookies = new Map([...owner.cookies].filter(([name]) => !name.includes('known-staff')));
		expect(await half.code('log-in', { name: 'besieged', password: PASSWORD })).toBe('THROTTLED');
	});
});
