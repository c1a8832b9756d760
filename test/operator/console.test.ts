/** The console's door: log-in, second factor, sessions, permissions; over real requests to its host. */
import { TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPERATOR_CALLS, type OperatorCallName } from '#contract/operators/registry.ts';
import { hashPassword } from '#server/players/passwords.ts';
import { STAFF_ROLES } from '#values/staff-permissions.ts';
import { betOn, openTestMatch } from '../support/match.ts';
import { TestServer } from '../support/server.ts';
import { ConsoleClient } from './console-client.ts';

const PASSWORD = 'Correct-horse-9';
const BY = { actor: 'test', address: null };
const CAMPAIGN = { id: 'welcome', title: 'Welcome', kind: 'WELCOME', amount: 100 };

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

describe('the console’s host', () => {
	it('answers no call of players, and no other host answers a call of the console', async () => {
		const client = await member('door', ['owner']);
		expect((await client.call('events', {})).status).toBe(200);
		const other = new ConsoleClient(server.url, 'localhost');
		other.cookies = client.cookies;
		expect((await other.call('events', {})).status).toBe(404);
		expect((await client.send('/api/services/app/Account/Authenticate', {})).status).toBe(404);
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
	/** An input of each call that its schema takes; what it names need not exist. */
	const INPUTS: Record<OperatorCallName, object> = {
		events: {},
		'event-markets': { eventId: '9' },
		'market-risk': { marketId: '9' },
		suspend: { marketId: '9' },
		'suspend-event': { eventId: '9' },
		'change-terms': { marketId: '9', betDelaySeconds: 5 },
		'open-fancy': { eventId: '9', name: 'Over 1', type: 'OVER_RUNS', from: 1, to: 20 },
		'price-fancy': { marketId: '9', seenVersion: 1, no: { line: 6, rate: 100 }, yes: { line: 7, rate: 100 } },
		'open-bookmaker': { eventId: '9', name: 'Bookmaker', runners: ['A', 'B'] },
		'price-bookmaker': { marketId: '9', seenVersion: 1, runner: 'A', back: 42, lay: 44 },
		'turn-in-play': { marketId: '9' },
		resume: { marketId: '9' },
		close: { marketId: '9' },
		'suspend-runner': { marketId: '9', runner: 'A' },
		'resume-runner': { marketId: '9', runner: 'A' },
		'remove-runner': { marketId: '9', runner: 'A', reduction: 5 },
		'return-runner': { marketId: '9', runner: 'A' },
		settle: { marketId: '9', winners: ['A'] },
		void: { marketId: '9' },
		reopen: { marketId: '9' },
		'void-bets': { marketId: '9', betId: '1' },
		'staff-list': {},
		'staff-add': { name: 'new', roles: ['support'] },
		'staff-remove': { staffId: '999' },
		'staff-roles': { staffId: '999', roles: ['support'], brands: null },
		'staff-role': { name: 'night shift', permissions: [] },
		'staff-factor-reset': { staffId: '999' },
		'staff-sessions': { staffId: '999' },
		'staff-session-end': { sessionId: '00000000-0000-4000-8000-000000000000' },
		preview: { act: 'settle', input: { marketId: '9', winners: ['A'] } },
		propose: { act: 'settle', input: { marketId: '9', winners: ['A'] }, reason: 'a test' },
		confirm: { proposalId: '999' },
		withdraw: { proposalId: '999' },
		proposals: {},
		today: {},
		'player-search': { query: 'nobody' },
		player: { playerId: '999' },
		'player-note': { playerId: '999', note: 'a note' },
		'player-freeze': { playerId: '999', reason: 'a test' },
		'player-exclude': { playerId: '999', months: 6, reason: 'a test' },
		'payment-queue': {},
		'payment-show': { kind: 'DEPOSIT', id: '999' },
		'payment-preview': { kind: 'DEPOSIT', id: '999', event: 'approve' },
		'payment-decide': { kind: 'DEPOSIT', id: '999', event: 'approve' },
		adjustment: { playerId: '999', amount: 5, reasonCode: 'TEST', reason: 'a test' },
		'brand-list': {},
		'brand-show': { host: 'royal.localhost' },
		'brand-set': { host: 'royal.localhost', field: 'description', value: 'A test.' },
		'brand-set-guarded': { host: 'royal.localhost', field: 'signUpCoins', value: '5' },
		'brand-roll-back': { host: 'royal.localhost', seq: 1, field: 'description' },
		'casino-games': {},
		'casino-rounds': {},
		'casino-providers': {},
		'round-close': { id: '999', reason: 'a test' },
		campaigns: { host: 'royal.localhost' },
		'campaign-dry-run': { host: 'royal.localhost', campaign: CAMPAIGN },
		'campaign-draw-up': { host: 'royal.localhost', campaign: CAMPAIGN },
		'campaign-stop': { host: 'royal.localhost', id: 'none' },
		'report-profit': { from: '2026-11-01', to: '2026-11-02', by: 'brand' },
		'trial-balance': { pool: 'PLAY' },
		journal: {},
	};
	const names = Object.keys(OPERATOR_CALLS) as OperatorCallName[];
	/** Calls that ask for the permission of the act they carry. */
	const CARRY = new Set<OperatorCallName>(['preview', 'propose']);

	it.each(Object.keys(STAFF_ROLES))('of a %s open the calls that declare them, and no others', async (role) => {
		const client = await member(`role ${role}`, [role]);
		const has = new Set<string>(STAFF_ROLES[role]);
		for (const name of names) {
			const call = OPERATOR_CALLS[name];
			const isAllowed = has.has(call.permission) && (!CARRY.has(name) || has.has('results.propose'));
			const wanted = !isAllowed ? 'FORBIDDEN' : call.confirm ? 'SAME_PERSON' : null;
			const code = await client.code(name, INPUTS[name]);
			if (wanted) expect(code, name).toBe(wanted);
			else expect(['FORBIDDEN', 'SAME_PERSON', 'NOT_LOGGED_IN'], name).not.toContain(code);
		}
	});

	it('open nothing that brands share to staff of single brands', async () => {
		const client = await member('of royal', ['owner'], ['royal.localhost']);
		for (const name of names) {
			if (OPERATOR_CALLS[name].about !== 'platform') continue;
			expect(await client.code(name, INPUTS[name]), name).toBe('FORBIDDEN');
		}
	});

	it('open nothing without a session, or with one that was ended', async () => {
		const client = await member('leaves', ['owner']);
		const stale = new ConsoleClient(server.url);
		stale.cookies = new Map(client.cookies);
		await client.result('log-out', {});
		for (const name of names) {
			expect(await client.code(name, INPUTS[name]), name).toBe('NOT_LOGGED_IN');
			expect(await stale.code(name, INPUTS[name]), name).toBe('LOGIN_EXPIRED');
		}
	});

	it('are gone with the member: every session ends at once', async () => {
		const owner = await member('boss', ['owner']);
		const client = await member('leaver', ['trader']);
		const staffId = String(server.running.staff.directory.byName('leaver')?.staffId);
		await owner.result('staff-remove', { staffId });
		expect(await client.code('events', {})).toBe('LOGIN_EXPIRED');
		expect(await client.code('log-in', { name: 'leaver', password: PASSWORD })).toBe('WRONG_CREDENTIALS');
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
		await client.result('adjustment', adjusted);
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
			await trader.result('suspend-event', { eventId: match.eventId });
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
		strict = await TestServer.start(undefined, { production: true });
	});
	afterAll(() => strict.dispose());

	/** The code of an app at a time; each step of 30 s has one of its own. */
	const codeOf = (secret: string, atMs: number): string => new TOTP({ secret }).generate({ timestamp: atMs });

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
		slow = await TestServer.start(undefined, { production: true, rateLimitFactor: 1 });
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
});
