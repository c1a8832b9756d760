/** SQL, HTML, other types, other alphabets and too much of everything, in every field of the account calls: refused with a code. */
import { beforeAll, describe, expect, it } from 'vitest';
import { CALLS, type CallName } from '#contract/registry.ts';
import { ERRORS } from '#values/error-catalogue.ts';
import type { TestServer } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';

let server: TestServer;
let token = '';
/** What other files left. */
let before: ReadonlySet<string>;
const registrations = async () =>
	(await server.database.db.query<{ name: string }>('select user_name as name from registration')).rows.map(
		({ name }) => name,
	);
beforeAll(async () => {
	server = await sharedServer();
	({ token } = await server.demoPlayer());
	before = new Set(await registrations());
});

const PASSWORD = 'kingfisher#7';
const who = { userName: 'somebody', mobile: '9876543210', domain: 'localhost' };

/** A call with everything in order, apart from being asked for nothing that exists. */
const INPUTS = {
	authenticate: { userNameOrEmailAddress: 'somebody', password: PASSWORD },
	register: { ...who, domain: undefined, password: PASSWORD, confirmPassword: PASSWORD, referralCode: '' },
	verificationUser: { ...who, otp: '123456' },
	resendVerificationCode: who,
	refreshToken: { refreshToken: 'x' },
	changePassword: { currentPassword: PASSWORD, newPassword: 'nightingale#8', confirmPassword: 'nightingale#8' },
	createAuthorizationCode: { clientId: 'x', redirectUri: 'https://x.example' },
	exchangeToken: {
		client_id: 'x',
		client_secret: 'x',
		redirect_uri: 'https://x.example',
		grant_type: 'authorization_code',
		code: 'x',
	},
} as const satisfies Partial<Record<CallName, object>>;

const HOSTILE: [string, unknown][] = [
	['SQL', `'; drop table player; --`],
	['HTML', '<img src=x onerror=alert(1)>'],
	['a NUL', 'x\u0000y'],
	['half a surrogate pair', '\ud800'],
	['a direction mark', 'ab\u202ecd'],
	['far too much', 'x'.repeat(20_000)],
	['a number', -1],
	['nothing', null],
	['a list', ['x']],
	['an object', { $ne: '' }],
];

const CASES = Object.entries(INPUTS).flatMap(([name, input]) =>
	Object.keys(input)
		.filter((field) => (input as Record<string, unknown>)[field] !== undefined)
		.flatMap((field) => HOSTILE.map(([what, value]) => [name as keyof typeof INPUTS, field, what, value] as const)),
);

describe('every field', () => {
	it.each(CASES)('%s.%s refuses %s', async (name, field, _, value) => {
		const input = { ...INPUTS[name], [field]: value };
		const { status, body, code } = await server.raw(name, input, CALLS[name].auth === 'player' ? token : null);
		const silent = name === 'resendVerificationCode' && field === 'domain';
		if (silent && status === 200) return;
		expect(status).toBeGreaterThanOrEqual(400);
		expect(status).toBeLessThan(500);
		expect(body).toMatchObject({ success: false, result: null });
		expect(Object.keys(ERRORS)).toContain(code);
	});

	it('and nothing has happened', async () => {
		expect((await registrations()).filter((name) => !before.has(name))).toEqual([]);
		expect((await server.call('getUserInfo', {}, token)).status).toBe(200);
	});
});
