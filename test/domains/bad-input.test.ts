/** Hostile input, in every field of every call: it is refused with a code or it is only text, and nothing breaks. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Call } from '#contract/call.ts';
import { KEY_CALLS, SHARED_CALLS } from '#contract/operators/registry.ts';
import { CALLS, type CallName } from '#contract/registry.ts';
import { backlayDialect } from '#server/money/casino/providers/dialects/backlay.ts';
import { rgsDialect } from '#server/money/casino/providers/dialects/rgs.ts';
import { rsaDialect } from '#server/money/casino/providers/dialects/rsa.ts';
import { ERRORS, type ErrorCode } from '#values/error-catalogue.ts';
import { fieldsOf, goodInputOf } from '../support/call-inputs.ts';
import { betOn, openTestMatch, type TestMatch } from '../support/match.ts';
import { type PlainRequest, plainRequest } from '../support/plain-request.ts';
import { answered, bearer, inEnvelope, type TestServer } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';

let server: TestServer;
let match: TestMatch;
let token: string;
beforeAll(async () => {
	server = await sharedServer();
	match = await openTestMatch(server);
	({ token } = await server.demoPlayer());
});

async function postText(path: string, body: string | Buffer): Promise<{ status: number; code: ErrorCode | null }> {
	const { status, code } = await answered(await server.post(path, body, bearer(token)));
	return { status, code };
}

/** The bet's JSON with something put into it. */
const betText = (change: (text: string) => string): string => change(JSON.stringify(betOn(match)));

describe('a body', () => {
	it.each([
		['a key twice', () => betText((text) => text.replace('{', '{"stake":1,'))],
		['a key twice, written differently', () => betText((text) => text.replace('{', '{"st\\u0061ke":1,'))],
		['a key twice, with space before the colon', () => betText((text) => text.replace('{', '{"stake" \n\t: 1,'))],
		['a key twice, deeper down', () => '{"stakes":[{"title":"1","value":1,"value":2}]}'],
		['an empty key twice', () => '{"":1,"":2}'],
		['no end', () => betText((text) => text.slice(0, -1))],
		['two values', () => betText((text) => text + text)],
		['a list', () => '[]'],
		['nothing but null', () => 'null'],
		['a comment', () => betText((text) => `/* */${text}`)],
		['no character', () => betText((text) => text.replace('IND', 'I\\u0000ND'))],
		['half a character', () => betText((text) => text.replace('IND', '\\ud83d'))],
		['nests without end', () => `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`],
		['nests lists without end', () => `{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`],
	])('with %s is malformed', async (_, body) => {
		expect(await postText('Bet/PlaceBetV2', body())).toEqual({ status: 400, code: 'MALFORMED_JSON' });
	});

	it('of bytes that are not UTF-8 is malformed', async () => {
		const bytes = Buffer.concat([
			Buffer.from('{"userNameOrEmailAddress":"'),
			Buffer.from([0xff, 0xfe]),
			Buffer.from('"}'),
		]);
		expect(await postText('Account/Authenticate', bytes)).toEqual({ status: 400, code: 'MALFORMED_JSON' });
	});

	it('with the same key in two objects is valid', async () => {
		const stakes = [
			{ title: '{"a":1,"a":2}', value: 1 },
			{ title: '\\"value\\":', value: 2 },
		];
		expect(await postText('UserStake/Add', JSON.stringify({ stakes }))).toMatchObject({ status: 400 });
		const short = stakes.map(({ value }) => ({ title: `"${value}":`, value }));
		expect(await postText('UserStake/Add', JSON.stringify({ stakes: short }))).toEqual({ status: 200, code: null });
	});

	it.each(['__proto__', 'constructor', 'prototype', 'toString'])('with the key %s changes nothing', async (key) => {
		const text = betText((bet) => bet.replace('{', `{"${key}":{"stake":1,"isDemo":true},`));
		expect(await postText('Bet/PlaceBetV2', text)).toEqual({ status: 400, code: 'VALIDATION_FAILED' });
		expect(({} as { isDemo?: boolean }).isDemo).toBeUndefined();
	});

	it.each([
		['too large', 'application/json', `{"a":"${'x'.repeat(70_000)}"}`, 'BODY_TOO_LARGE'],
		['a form', 'application/x-www-form-urlencoded', 'stake=100', 'UNSUPPORTED_MEDIA_TYPE'],
		['a text', 'text/plain', '{}', 'UNSUPPORTED_MEDIA_TYPE'],
	])('that is %s is refused', async (_, type, body, code) => {
		const headers = { 'Content-Type': type, Authorization: `Bearer ${token}` };
		const answer = await server.send('/Bet/PlaceBetV2', { method: 'POST', headers, body });
		expect([answer.status, answer.code]).toEqual([400, code]);
	});
});

describe('an empty body', () => {
	it.each([undefined, 'application/json', 'application/x-www-form-urlencoded', 'text/plain'])(
		'of the type %s counts as no body: a call without fields succeeds',
		async (type) => {
			const { token: own } = await server.demoPlayer();
			const headers = { Authorization: `Bearer ${own}`, ...(type ? { 'Content-Type': type } : {}) };
			expect(await server.send('/Account/Logout', { method: 'POST', headers })).toMatchObject({
				status: 200,
				code: null,
			});
		},
	);

	it('names each required field in the specification’s words', async () => {
		const headers = { 'Content-Type': 'application/json' };
		const { status, body } = await server.send('/Account/Authenticate', { method: 'POST', headers });
		expect([status, body.error?.validationErrors]).toEqual([
			400,
			[
				{ member: 'userNameOrEmailAddress', message: 'userNameOrEmailAddress is a required field' },
				{ member: 'password', message: 'password is a required field' },
			],
		]);
	});

	it('of another type is refused by field, not by the words of a library', async () => {
		const { body } = await server.raw('authenticate', { userNameOrEmailAddress: 7, password: null });
		expect(body.error?.validationErrors.map(({ message }) => message)).toEqual([
			'userNameOrEmailAddress is not valid.',
			'password is not valid.',
		]);
	});
});

describe('a path', () => {
	it.each(['/%', '/domain-settings/%zz.json', '/%c0%ae%c0%ae/etc/passwd', '/domain-settings/%2e%2e%2f%2e%2e%2fx.json'])(
		'that does not exist is refused in the envelope: %s',
		async (path) => {
			const answer = await server.send(path, {});
			expect(answer.status).toBe(404);
			expect(['NOT_FOUND', 'UNKNOWN_DOMAIN']).toContain(answer.code);
		},
	);
});

describe('a query', () => {
	it.each([
		['a field twice', 'sportName=cricket&sportName=tennis'],
		['no character', 'sportName=cri%00cket'],
		['a list', 'sportName[]=cricket'],
	])('with %s is refused', async (_, query) => {
		const answer = await server.send(`/event/GetBySportName?${query}`, {});
		expect([answer.status, answer.code]).toEqual([400, 'VALIDATION_FAILED']);
	});
});

/** Things said to a database, a page, a shell, a file system and a formatter. */
const NASTY: readonly string[] = [
	"' or '1'='1",
	"'; drop table player; --",
	'1); delete from wallet; --',
	'<script>alert(1)</script>',
	'"><img src=x onerror=alert(1)>',
	'{{7*7}}${7*7}',
	'../../../../etc/passwd',
	'$(reboot)',
	'%s%n%x',
	'\u202Egnp.exe',
	'x'.repeat(5000),
	'',
	' ',
	'null',
	'NaN',
	'-1',
	'9'.repeat(400),
	'1e999',
];
/** Values of another kind than any field has. */
const STRANGE: readonly unknown[] = [null, true, -1, 0.001, 9e15, [], {}, [[]], { $gt: '' }];

const goodInput = (name: CallName): Record<string, unknown> => goodInputOf(name, match);

/** Logging out ends the login the test lives by; a demo login makes a player and takes no field. */
const LEFT_OUT: ReadonlySet<CallName> = new Set(['logout']);
const TRIED = (Object.keys(CALLS) as CallName[]).filter(
	(name) => !LEFT_OUT.has(name) && fieldsOf(CALLS[name]).length > 0,
);

/** Each way a text comes in, with a field of it holding what PostgreSQL cannot store. */
const UNSTORABLE_TEXTS = ['x\0y', 'x\ud800y'];
const encoded = (fields: object): string => Buffer.from(JSON.stringify(fields)).toString('base64url');
const WAYS_IN: [way: string, send: (text: string) => { path: string; request?: PlainRequest }[]][] = [
	...TRIED.flatMap((name): typeof WAYS_IN => {
		const { path, method, from } = CALLS[name] as Call;
		const headers = () => ({ ...bearer(token), 'Content-Type': 'application/json' });
		const inputs = (text: string) => fieldsOf(CALLS[name]).map((field) => ({ ...goodInput(name), [field]: text }));
		const inBody = (body: object, more = {}) => ({
			path: `/${path}`,
			request: { method, body: JSON.stringify(body), headers: { ...headers(), ...more } },
		});
		const inQuery = (query: string, more = {}) => ({
			path: `/${path}?${query}`,
			request: { method, headers: { ...bearer(token), ...more } },
		});
		const mode = { 'X-Enc': '1' };
		if (from === 'query')
			return [
				// A query cannot hold half a surrogate pair: it is percent-encoded UTF-8.
				[
					`${name}, in the query`,
					(text) => (text.isWellFormed() ? inputs(text).map((input) => inQuery(queryOf(input))) : []),
				],
				[`${name}, in an encoded query`, (text) => inputs(text).map((input) => inQuery(`d=${encoded(input)}`, mode))],
			];
		return [
			[`${name}, in the body`, (text) => inputs(text).map((input) => inBody(input))],
			[`${name}, in an encoded body`, (text) => inputs(text).map((input) => inBody({ d: encoded(input) }, mode))],
		];
	}),
	...Object.entries({ ...SHARED_CALLS, ...KEY_CALLS }).map(([name, { input }]): (typeof WAYS_IN)[number] => [
		`the operators' ${name}`,
		(text) =>
			Object.keys(input.entries).map((field) => ({
				path: `/operator/api/${name}`,
				request: { method: 'POST', body: JSON.stringify({ [field]: text }), headers: server.operatorHeaders },
			})),
	]),
	[
		'a setting written as JSON',
		(text) => {
			const value = JSON.stringify([{ title: text, text: 'free coins' }]);
			const body = JSON.stringify({ host: 'localhost', field: 'bonuses', value });
			return [{ path: '/operator/api/brand-set', request: { method: 'POST', body, headers: server.operatorHeaders } }];
		},
	],
];
/** An answer in the mode of its request, in plain JSON. */
function decoded(text: string): string {
	const { d } = JSON.parse(text) as { d?: string };
	return d === undefined ? text : Buffer.from(d, 'base64url').toString();
}
const queryOf = (input: Record<string, unknown>): string =>
	new URLSearchParams(input as Record<string, string>).toString();

describe('a text that PostgreSQL cannot store', () => {
	async function expectRefused(send: (typeof WAYS_IN)[number][1]): Promise<void> {
		for (const { path, request = {} } of UNSTORABLE_TEXTS.flatMap(send)) {
			const { status, text } = await plainRequest(`${server.url}${path}`, request);
			const { code } = inEnvelope(status, decoded(text));
			expect([status, path]).toEqual([400, path]);
			expect(['VALIDATION_FAILED', 'MALFORMED_JSON', 'BAD_ENCODING'], path).toContain(code);
		}
	}
	/** One door takes the encoding off every call; of each way one call shows it. */
	const isMain = ([way]: (typeof WAYS_IN)[number]) =>
		!way.includes('encoded') || /^(placeBetV2|getUserOdds),/.test(way);

	it.each(WAYS_IN.filter(isMain))('is refused as invalid input: %s', (_, send) => expectRefused(send));

	it.each(WAYS_IN.filter((way) => !isMain(way)))(
		'is refused as invalid input by any other call, too: %s',
		{ tags: 'thorough' },
		(_, send) => expectRefused(send),
	);

	it('is refused in a form as well, whose text no parser of JSON has checked', async () => {
		const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
		const form = { method: 'POST', headers, body: 'code=x%00y' };
		const { status, body } = await server.send(`/${CALLS.exchangeToken.path}`, form);
		const refused = [{ member: 'code', message: 'This text cannot be read.' }];
		expect([status, body.error?.validationErrors]).toEqual([400, refused]);
	});

	it.each([
		['Backlay', backlayDialect, 'balance', (text: string) => ({ sessionToken: text })],
		['RGS', rgsDialect, 'wallet/balance', (text: string) => ({ sessionID: text })],
		['RSA', rsaDialect, 'user/balance', (text: string) => ({ request_uuid: 'r-1', token: text })],
	] as const)('is no request of a provider that speaks %s', (_, dialect, call, bodyOf) => {
		const read = (text: string) =>
			dialect.read({ method: 'POST', path: '/', call, headers: {}, body: Buffer.from(JSON.stringify(bodyOf(text))) });
		expect(read('a session')).not.toBeNull();
		for (const text of UNSTORABLE_TEXTS) expect(read(text)).toBeNull();
	});
});

describe('SQL, markup and nonsense in every field', () => {
	it.each([
		'placeBetV2',
		'replaceBet',
		'cancelBet',
		'cancelAll',
		'cashOut',
		'setCashOutTarget',
		'getPriceHistory',
	] as const)('of %s stands beside valid fields', async (name) => {
		expect((await server.raw(name, goodInput(name) as never, token)).code).not.toBe('VALIDATION_FAILED');
	});

	it('of placeTrigger keeps a version that is too large for any market, and the exchange goes on', async () => {
		const asked = { ...goodInput('placeTrigger'), marketVersion: Number.MAX_SAFE_INTEGER };
		expect((await server.raw('placeTrigger', asked, token)).code).toBeNull();
		expect((await server.raw('placeBetV2', goodInput('placeBetV2'), token)).code).toBeNull();
	});

	/** Tries a field of a call with a value, and looks at what is answered. */
	async function tryValue(name: CallName, field: string, value: unknown): Promise<void> {
		const { status, code, body } = await server.raw(name, { ...goodInput(name), [field]: value }, token);
		const what = `${field} = ${JSON.stringify(value).slice(0, 60)}`;
		expect(status, what).toBeLessThan(500);
		expect(typeof body.success, what).toBe('boolean');
		if (!body.success) expect(Object.keys(ERRORS), what).toContain(code);
		// Nothing of the database or the code is told.
		expect(JSON.stringify(body), what).not.toMatch(/syntax error|relation "|node_modules|\.ts:\d/);
	}
	const valuesFor = (call: Call): readonly unknown[] => (call.from === 'query' ? NASTY : [...NASTY, ...STRANGE]);

	// Each value meets every kind of field, though not each field of each call.
	it.each(TRIED)('of %s do nothing, an eighth of the values in each field', async (name) => {
		const values = valuesFor(CALLS[name]);
		for (const [at, field] of fieldsOf(CALLS[name]).entries()) {
			const first = (TRIED.indexOf(name) + at) % 8;
			for (const value of values.filter((_, index) => index % 8 === first)) await tryValue(name, field, value);
		}
	});

	it.each(TRIED)('of %s do nothing, each value in each field', { tags: 'thorough' }, async (name) => {
		for (const field of fieldsOf(CALLS[name]))
			for (const value of valuesFor(CALLS[name])) await tryValue(name, field, value);
	});

	it('changes no table, no player and no minor unit', async () => {
		const { rows } = await server.database.db.query<{ tables: number }>(
			`select count(*) as tables from information_schema.tables where table_name in ('player', 'wallet', 'brand', 'bet')`,
		);
		expect(rows[0]?.tables).toBe(4);
		const { balance, exposure } = await server.result('getUserInfo', {}, token);
		// The stakes of bets are held, and nothing else is gone.
		expect(balance + exposure).toBe(20_000);
	});

	it('is stored as text where text is allowed, and is returned unchanged', async () => {
		const stakes = [{ title: "';-- 1<2", value: 1 }];
		expect(await server.result('addUserStake', { stakes }, token)).toEqual({ stakes });
	});
});
