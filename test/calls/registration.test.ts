/** From the sign-up form to the first login: registrations and their one-time codes. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CALLS } from '#contract/registry.ts';
import { CodeBudget } from '#server/people/players/code-budget.ts';
import { freshDatabase } from '../support/database.ts';
import { TestServer } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';

const PASSWORD = 'kingfisher#7';
const MINUTE_MS = 60_000;

let server: TestServer;
beforeAll(async () => {
	server = await sharedServer();
});

let count = 0;
/** A sign-up that no test has made yet. */
function form(changes: Record<string, unknown> = {}) {
	count += 1;
	const mobile = `98${String(count).padStart(8, '0')}`;
	return { userName: `player${count}`, password: PASSWORD, confirmPassword: PASSWORD, mobile, ...changes };
}
type Form = ReturnType<typeof form>;

const who = ({ userName, mobile }: Pick<Form, 'userName' | 'mobile'>) => ({ userName, mobile, domain: 'localhost' });

/** The codes sent to a mobile, oldest first, read as an operator reads them. */
async function codesTo(mobile: string): Promise<string[]> {
	const { rows } = await server.database.db.query<{ text: string }>(
		'select text from outbox where mobile = $1 order by at',
		[`+91${mobile.slice(-10)}`],
	);
	return rows.map(({ text }) => /\d{6}/.exec(text)?.[0] ?? '');
}

async function registered(changes: Record<string, unknown> = {}): Promise<Form & { otp: string }> {
	const filled = form(changes);
	await server.result('register', filled);
	return { ...filled, otp: (await codesTo(filled.mobile)).at(-1) ?? '' };
}

const verify = (filled: Form, otp: string | number) => server.call('verificationUser', { ...who(filled), otp });
/** A code that is not the right one. */
const another = (otp: string): string => String(((Number(otp) + 1 - 100_000) % 900_000) + 100_000);

/** Of Unicode's Default_Ignorable_Code_Point: joiner, selectors, fillers (one after NFKC), a vowel, a separator, a tag. */
const INVISIBLE = [
	...'\u034F\u115F\u1160\u17B4\u180B\u180E\u200B\u200C\u200D\u3164\uFE0F\uFEFF\uFFA0\u{E0041}\u{E0100}',
];

describe('register', () => {
	it('register: success, sends a code and creates no player yet', async () => {
		const filled = form({ referralCode: '' });
		const { body } = await server.call('register', filled);
		expect(body.result).toEqual({ domain: 'localhost' });
		expect(await codesTo(filled.mobile)).toHaveLength(1);
		const login = { userNameOrEmailAddress: filled.userName, password: PASSWORD };
		expect((await server.call('authenticate', login)).code).toBe('WRONG_CREDENTIALS');
	});

	it.each([
		['an empty name', { userName: '' }, 'userName', 'username is a required field'],
		['a name with markup', { userName: '<b>bob</b>' }, 'userName', 'username is not valid.'],
		['a name of marks alone', { userName: '\u0301\u0301\u0301' }, 'userName', 'username is not valid.'],
		['a name of signs alone', { userName: '._-' }, 'userName', 'username is not valid.'],
		...INVISIBLE.map((sign): [string, object, string, string] => [
			`a name with U+${sign.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')} in it`,
			{ userName: `as${sign}ha` },
			'userName',
			'username is not valid.',
		]),
		['no password', { password: '', confirmPassword: '' }, 'password', 'password is a required field'],
		[
			'a short password',
			{ password: 'a1#bcde', confirmPassword: 'a1#bcde' },
			'password',
			'Password is too short - should be 8 chars minimum.',
		],
		...['12345678#', 'abcdefgh#', 'abcdefg12'].map((password): [string, object, string, string] => [
			`the password ${password}`,
			{ password, confirmPassword: password },
			'password',
			'Must Contain 8 Characters, One Uppercase, One Lowercase, One Number and one special case Character',
		]),
		['two passwords', { confirmPassword: 'kingfisher#8' }, 'confirmPassword', 'Passwords must match'],
		['a mobile of nine digits', { mobile: '987654321' }, 'mobile', 'mobile number is not valid'],
		['a mobile that begins with 5', { mobile: '5876543210' }, 'mobile', 'mobile number is not valid'],
	] as [string, object, string, string][])('register: refusal of %s', async (_, changes, member, message) => {
		const { status, body } = await server.raw('register', form(changes as Record<string, unknown>));
		expect(status).toBe(400);
		expect(body.error?.validationErrors).toEqual([{ member, message }]);
	});

	it.each(['P@ssw0rd1!', 'Welcome@123', 'aaaaaaa1#a'])(
		'register: refusal of the common password %s',
		async (password) => {
			const { code } = await server.call('register', form({ password, confirmPassword: password }));
			expect(code).toBe('PASSWORD_TOO_COMMON');
		},
	);

	it('register: refusal of a taken name in another case or width', async () => {
		const filled = await registered({ userName: 'Ｌatika' });
		expect((await verify({ ...filled, userName: 'latika' }, filled.otp)).status).toBe(200);
		for (const userName of ['LATIKA', 'latika', 'Ｌatika']) {
			expect((await server.call('register', form({ userName }))).code).toBe('NAME_TAKEN');
		}
	});

	it('reserves no name: the first registration whose code is given gets it', async () => {
		const stranger = await registered();
		const filled = await registered({ userName: stranger.userName.toUpperCase() });
		// A code is good for the registration of its own mobile alone.
		expect((await verify({ ...filled, mobile: stranger.mobile }, filled.otp)).code).toBe('WRONG_CODE');
		expect((await verify(filled, filled.otp)).body.result?.user.userName).toBe(filled.userName);
		expect((await verify(stranger, stranger.otp)).code).toBe('NAME_TAKEN');
	});

	it('creates one player when the codes of one name are given at the same time', async () => {
		const first = await registered();
		const all = [first, await registered({ userName: first.userName }), await registered({ userName: first.userName })];
		const answers = await Promise.all(all.map((filled) => verify(filled, filled.otp)));
		expect(answers.map(({ code }) => code).toSorted()).toEqual(['NAME_TAKEN', 'NAME_TAKEN', null]);
	});

	it('is repeated only with the same password, so that no code is sent for another registration', async () => {
		const filled = await registered();
		const stranger = { ...filled, password: 'hijacker#99', confirmPassword: 'hijacker#99' };
		const { otp: _, ...strangers } = stranger;
		expect((await server.call('register', strangers)).code).toBe('NAME_TAKEN');
		const { otp: __, ...again } = filled;
		expect((await server.call('register', again)).status).toBe(200);
		const codes = await codesTo(filled.mobile);
		expect(codes).toHaveLength(2);
		expect((await verify(filled, codes[1] ?? '')).status).toBe(200);
	});

	it('stores neither the password nor the code', async () => {
		const filled = await registered();
		const { rows } = await server.database.db.query('select * from registration where user_name = $1', [
			filled.userName,
		]);
		const row = JSON.stringify(rows[0]);
		expect(row).not.toContain(PASSWORD);
		expect(row).not.toContain(filled.otp);
	});
});

describe('verification', () => {
	it('verificationUser: success, logs the new player in, in whatever form the mobile is written', async () => {
		const filled = await registered();
		const { status, body } = await verify({ ...filled, mobile: `+91${filled.mobile}` }, Number(filled.otp));
		expect(status).toBe(200);
		expect(body.result?.user).toMatchObject({
			userName: filled.userName,
			isDemo: false,
			pool: 'PLAY',
			balance: 20_000,
		});
		expect((await server.call('getUserInfo', {}, body.result?.accessToken ?? '')).status).toBe(200);
		const login = { userNameOrEmailAddress: filled.userName, password: PASSWORD };
		expect((await server.call('authenticate', login)).status).toBe(200);
	});

	it('verificationUser: refusal of a used code, which opens no second login', async () => {
		const filled = await registered();
		expect((await verify(filled, filled.otp)).status).toBe(200);
		expect((await verify(filled, filled.otp)).code).toBe('WRONG_CODE');
	});

	it('verificationUser: refusal of every wrong value with the same message', async () => {
		const filled = await registered();
		const answers = [
			await verify(filled, another(filled.otp)),
			await verify({ ...filled, userName: 'nobody-at-all' }, filled.otp),
			await verify({ ...filled, mobile: '9111111111' }, filled.otp),
			await server.callElsewhere('verificationUser', { ...who(filled), otp: filled.otp }),
		];
		for (const { status, body } of answers) {
			expect(status).toBe(422);
			expect(body).toEqual(answers[0]?.body);
		}
		expect((await verify(filled, filled.otp)).status).toBe(200);
	});

	it.each(['', 'abcdef', '12345'])('verificationUser: refusal of the code %j', async (otp) => {
		const { body } = await verify(form(), otp);
		expect(body.error?.validationErrors).toEqual([{ member: 'otp', message: 'Please Enter Otp code' }]);
	});

	it('allows five attempts and not a sixth, even in parallel', async () => {
		const filled = await registered();
		const wrong = await Promise.all(Array.from({ length: 5 }, () => verify(filled, another(filled.otp))));
		expect(wrong.map(({ code }) => code)).toEqual(Array.from({ length: 5 }, () => 'WRONG_CODE'));
		expect((await verify(filled, filled.otp)).code).toBe('WRONG_CODE');
	});

	it('counts the tries of the device that registered by themselves, so that strangers cannot use them up', async () => {
		const filled = form();
		const post = async (name: 'register' | 'verificationUser', input: object, cookie = '') => {
			const { path, method } = CALLS[name];
			const headers = { 'Content-Type': 'application/json', Cookie: cookie };
			return await fetch(`${server.url}/${path}`, { method, headers, body: JSON.stringify(input) });
		};
		const cookie = (await post('register', filled)).headers.getSetCookie()[0]?.split(';')[0] ?? '';
		const [otp = ''] = await codesTo(filled.mobile);
		for (let tries = 0; tries < 8; tries++) expect((await verify(filled, another(otp))).code).toBe('WRONG_CODE');
		expect((await verify(filled, otp)).code).toBe('WRONG_CODE');
		const [name] = cookie.split('=');
		expect((await post('verificationUser', { ...who(filled), otp }, `${name}=forged`)).status).toBe(422);
		expect((await post('verificationUser', { ...who(filled), otp }, cookie)).status).toBe(200);
	});

	it('creates one player when the same code is given many times in parallel', async () => {
		const filled = await registered();
		const answers = await Promise.all(Array.from({ length: 4 }, () => verify(filled, filled.otp)));
		expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
	});

	it('refuses a code after ten minutes', async () => {
		const filled = await registered();
		await server.database.db.query('update registration set code_ends_at = code_ends_at - $2 where user_name = $1', [
			filled.userName,
			10 * MINUTE_MS,
		]);
		expect((await verify(filled, filled.otp)).code).toBe('WRONG_CODE');
	});
});

describe('a new code', () => {
	it('resendVerificationCode: success, the new code is valid and the old one is not', async () => {
		const filled = await registered();
		expect((await server.call('resendVerificationCode', who(filled))).body.result).toBeNull();
		const [first, second] = await codesTo(filled.mobile);
		if (first !== second) expect((await verify(filled, first ?? '')).code).toBe('WRONG_CODE');
		expect((await verify(filled, second ?? '')).status).toBe(200);
	});

	it('does not reveal whether such a registration exists', async () => {
		const filled = await registered();
		const known = await server.call('resendVerificationCode', who(filled));
		const unknown = await server.call('resendVerificationCode', who(form()));
		expect(unknown).toEqual(known);
	});

	it('resendVerificationCode: refusal of a sixth within the hour, for known and unknown registrations, after a restart, too', async () => {
		for (const filled of [await registered(), form()]) {
			const resend = () => server.call('resendVerificationCode', who(filled));
			const answers = await Promise.all(Array.from({ length: 20 }, resend));
			expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
			const { code, body } = await resend();
			expect(code).toBe('THROTTLED');
			const { retryAfterSeconds } = (body.error?.details ?? {}) as { retryAfterSeconds: number };
			expect(retryAfterSeconds).toBeGreaterThan(3_500);
			expect(retryAfterSeconds).toBeLessThanOrEqual(3_600);
			// A process that has just started knows it, too.
			const fresh = new CodeBudget(server.database.db, Date.now);
			const account = `localhost|${filled.userName}|+91${filled.mobile}`;
			await expect(fresh.take(account)).rejects.toMatchObject({ code: 'THROTTLED' });
			// An hour later it may be asked for again.
			await new CodeBudget(server.database.db, () => Date.now() + 3_600_001).take(account);
		}
	});

	it('that was sent stays good for its owner when the budget is used up', async () => {
		const filled = await registered();
		for (let sent = 0; sent < 6; sent++) await server.call('resendVerificationCode', who(filled));
		expect((await verify(filled, (await codesTo(filled.mobile)).at(-1) ?? '')).status).toBe(200);
	});
});

describe('a stranger who registers with another player’s mobile', () => {
	let strict: TestServer;
	const LIMITED = { rateLimitFactor: 1, trustedProxies: ['127.0.0.1'] };
	beforeAll(async () => {
		const database = await freshDatabase();
		const setting = JSON.stringify({ allowSignUp: true });
		await database.db.query('insert into brand (host, setting) values ($1, $2)', ['localhost', setting]);
		strict = await TestServer.start(database, LIMITED);
	});
	afterAll(() => strict.dispose());

	/** The code of a call made from that network, null when it succeeds. */
	const from = async (address: string, path: string, input: object): Promise<string | null> => {
		const headers = { 'Content-Type': 'application/json', 'X-Forwarded-For': address };
		return (await strict.send(`/Account/${path}`, { method: 'POST', headers, body: JSON.stringify(input) })).code;
	};
	const textsTo = async (mobile: string): Promise<number> => {
		const sql = 'select count(*) as n from outbox where mobile = $1';
		return (await strict.database.db.query<{ n: number }>(sql, [`+91${mobile}`])).rows[0]?.n ?? 0;
	};

	it('does not block it, from ten networks or from one', async () => {
		const mobile = '9700000001';
		for (let at = 0; at < 10; at++) expect(await from(`192.0.2.${at}`, 'Register', form({ mobile }))).toBeNull();
		expect(await from('203.0.113.1', 'Register', form({ mobile }))).toBeNull();
		const other = '9700000002';
		for (let at = 0; at < 20; at++) await from('192.0.2.50', 'Register', form({ mobile: other }));
		expect(await from('203.0.113.2', 'Register', form({ mobile: other }))).toBeNull();
	});

	it('sends it fifteen texts a day from one network, and sixty from all', async () => {
		const mobile = '9700000003';
		for (let at = 0; at < 7; at++) {
			const address = `2001:db8:0:${at}::1`;
			let code: string | null = null;
			for (let texts = 0; texts < 16 && code === null; texts++)
				code = await from(address, 'Register', form({ mobile }));
			expect(code).toBe('THROTTLED');
			expect(await textsTo(mobile)).toBe(Math.min((at + 1) * 15, 60));
		}
	});
});

describe('one account for a mobile', () => {
	const set = (value: string) =>
		server.operator('brand-set', { host: 'localhost', field: 'oneAccountPerMobile', value });

	it('is the rule where the domain sets it, revealed to the owner of the mobile alone', async () => {
		const first = await registered();
		await verify(first, first.otp);
		const second = await registered({ mobile: first.mobile });
		await set('true');
		expect((await verify(second, second.otp)).code).toBe('MOBILE_TAKEN');
		// A stranger who registers with the mobile hears no difference.
		expect((await server.call('register', form({ mobile: first.mobile }))).status).toBe(200);
		await set('false');
		expect((await verify(second, second.otp)).status).toBe(200);
	});

	it('holds when the codes of several names are given at the same time', async () => {
		const mobile = '9600000001';
		const all: (Form & { otp: string })[] = [];
		for (let at = 0; at < 4; at++) all.push(await registered({ mobile }));
		await set('true');
		const answers = await Promise.all(all.map((filled) => verify(filled, filled.otp)));
		await set('false');
		expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
		expect(answers.filter(({ code }) => code === 'MOBILE_TAKEN')).toHaveLength(3);
	});
});

describe('a brand that skips the verification', () => {
	it('answers a code that is valid for that registration alone, and sends none', async () => {
		const filled = form();
		const { body } = await server.callElsewhere('register', filled);
		const otp = body.result?.autoVerifyCode ?? '';
		expect(body.result).toEqual({ domain: '127.0.0.1', autoVerifyCode: expect.stringMatching(/^\d{6}$/) });
		expect(await codesTo(filled.mobile)).toEqual([]);
		expect((await server.callElsewhere('verificationUser', { ...who(form()), otp })).code).toBe('WRONG_CODE');
		expect((await verify(filled, otp)).code).toBe('WRONG_CODE');
		const verified = await server.callElsewhere('verificationUser', { ...who(filled), otp });
		expect(verified.body.result?.domain).toBe('127.0.0.1');
		expect((await server.callElsewhere('verificationUser', { ...who(filled), otp })).code).toBe('WRONG_CODE');
	});

	it('is recognized by its host, never by a form field', async () => {
		const { body, code } = await server.raw('register', form({ domain: '127.0.0.1' }));
		expect([code, body.result]).toEqual(['VALIDATION_FAILED', null]);
		expect((await server.call('register', form())).body.result).not.toHaveProperty('autoVerifyCode');
	});
});

it('register: refusal where sign-up is off', async () => {
	const set = (value: string) => server.act('brand-set', { host: 'localhost', field: 'allowSignUp', value });
	await set('false');
	expect((await server.call('register', form())).code).toBe('SIGN_UP_CLOSED');
	await set('true');
});
