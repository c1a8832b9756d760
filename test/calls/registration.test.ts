/** From the sign-up form to the first login: registrations and their one-time codes. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshDatabase } from '../support/database.ts';
import { TestServer } from '../support/server.ts';

const PASSWORD = 'kingfisher#7';
const MINUTE_MS = 60_000;

let server: TestServer;
beforeAll(async () => {
	const database = await freshDatabase();
	const brands = {
		localhost: { allowSignUp: true },
		'127.0.0.1': { allowSignUp: true, skipVerification: true },
	};
	for (const [host, setting] of Object.entries(brands)) {
		await database.pool.query('insert into brand (host, setting) values ($1, $2)', [host, JSON.stringify(setting)]);
	}
	server = await TestServer.start(database);
});
afterAll(() => server.dispose());

let count = 0;
/** A sign-up nobody has made yet. */
function form(changes: Record<string, unknown> = {}) {
	count += 1;
	const mobile = `98${String(count).padStart(8, '0')}`;
	return { userName: `player${count}`, password: PASSWORD, confirmPassword: PASSWORD, mobile, ...changes };
}
type Form = ReturnType<typeof form>;

const who = ({ userName, mobile }: Pick<Form, 'userName' | 'mobile'>) => ({ userName, mobile, domain: 'localhost' });

/** The codes sent to a mobile, oldest first, read as an operator reads them. */
async function codesTo(mobile: string): Promise<string[]> {
	const { rows } = await server.database.pool.query<{ text: string }>(
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

describe('register', () => {
	it('register: success, sends a code and makes nobody a player yet', async () => {
		const filled = form({ referralCode: 'FRIEND-1' });
		const { body } = await server.call('register', filled);
		expect(body.result).toEqual({ domain: 'localhost' });
		expect(await codesTo(filled.mobile)).toHaveLength(1);
		const login = { userNameOrEmailAddress: filled.userName, password: PASSWORD };
		expect((await server.call('authenticate', login)).code).toBe('WRONG_CREDENTIALS');
	});

	it.each([
		['an empty name', { userName: '' }, 'userName', 'username is a required field'],
		['a name with markup', { userName: '<b>bob</b>' }, 'userName', 'username is not valid.'],
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

	it('holds a name for who began with it, and lets him begin again', async () => {
		const filled = await registered();
		expect((await server.call('register', form({ userName: filled.userName }))).code).toBe('NAME_TAKEN');
		const stranger = { ...filled, password: 'hijacker#99', confirmPassword: 'hijacker#99' };
		const { otp: _, ...strangers } = stranger;
		expect((await server.call('register', strangers)).code).toBe('NAME_TAKEN');
		const { otp: __, ...again } = filled;
		expect((await server.call('register', again)).status).toBe(200);
		const codes = await codesTo(filled.mobile);
		expect(codes).toHaveLength(2);
		expect((await verify(filled, codes[1] ?? '')).status).toBe(200);
	});

	it('keeps nothing that opens anything: neither the password nor the code', async () => {
		const filled = await registered();
		const { rows } = await server.database.pool.query('select * from registration where user_name = $1', [
			filled.userName,
		]);
		const row = JSON.stringify(rows[0]);
		expect(row).not.toContain(PASSWORD);
		expect(row).not.toContain(filled.otp);
	});
});

describe('verification', () => {
	it('verificationUser: success, logs the new player in, whatever way the mobile was written', async () => {
		const filled = await registered();
		const { status, body } = await verify({ ...filled, mobile: `+91${filled.mobile}` }, Number(filled.otp));
		expect(status).toBe(200);
		expect(body.result?.user).toMatchObject({ userName: filled.userName, isDemo: false, pool: 'PLAY', balance: 0 });
		expect((await server.call('getUserInfo', {}, body.result?.accessToken ?? '')).status).toBe(200);
		const login = { userNameOrEmailAddress: filled.userName, password: PASSWORD };
		expect((await server.call('authenticate', login)).status).toBe(200);
	});

	it('verificationUser: refusal of a used code: nobody is logged in by it again', async () => {
		const filled = await registered();
		expect((await verify(filled, filled.otp)).status).toBe(200);
		expect((await verify(filled, filled.otp)).code).toBe('WRONG_CODE');
	});

	it('verificationUser: refusal of everything wrong in the same words', async () => {
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

	it('takes five tries and not a sixth, even when they come at once', async () => {
		const filled = await registered();
		const wrong = await Promise.all(Array.from({ length: 5 }, () => verify(filled, another(filled.otp))));
		expect(wrong.map(({ code }) => code)).toEqual(Array.from({ length: 5 }, () => 'WRONG_CODE'));
		expect((await verify(filled, filled.otp)).code).toBe('WRONG_CODE');
	});

	it('makes one player of the same code given many times at once', async () => {
		const filled = await registered();
		const answers = await Promise.all(Array.from({ length: 4 }, () => verify(filled, filled.otp)));
		expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
	});

	it('takes no code after ten minutes', async () => {
		const filled = await registered();
		await server.database.pool.query('update registration set code_ends_at = code_ends_at - $2 where user_name = $1', [
			filled.userName,
			10 * MINUTE_MS,
		]);
		expect((await verify(filled, filled.otp)).code).toBe('WRONG_CODE');
	});
});

describe('a new code', () => {
	it('resendVerificationCode: success, the new code is good and the old one is not', async () => {
		const filled = await registered();
		expect((await server.call('resendVerificationCode', who(filled))).body.result).toBeNull();
		const [first, second] = await codesTo(filled.mobile);
		if (first !== second) expect((await verify(filled, first ?? '')).code).toBe('WRONG_CODE');
		expect((await verify(filled, second ?? '')).status).toBe(200);
	});

	it('does not tell whether there is such a registration', async () => {
		const filled = await registered();
		const known = await server.call('resendVerificationCode', who(filled));
		const unknown = await server.call('resendVerificationCode', who(form()));
		expect(unknown).toEqual(known);
	});

	it('resendVerificationCode: refusal of a fifth, known or not', async () => {
		for (const filled of [await registered(), form()]) {
			for (let sent = 0; sent < 4; sent++) {
				expect((await server.call('resendVerificationCode', who(filled))).status).toBe(200);
			}
			expect((await server.call('resendVerificationCode', who(filled))).code).toBe('THROTTLED');
		}
	});
});

describe('a brand that skips the verification', () => {
	it('answers a code for that registration alone, and sends none', async () => {
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

	it('is decided by the host, never by what a form says', async () => {
		const { body, code } = await server.raw('register', form({ domain: '127.0.0.1' }));
		expect([code, body.result]).toEqual(['VALIDATION_FAILED', null]);
		expect((await server.call('register', form())).body.result).not.toHaveProperty('autoVerifyCode');
	});
});

it('register: refusal where sign-up is off', async () => {
	await server.database.pool.query(`update brand set setting = '{"allowSignUp": false}' where host = 'localhost'`);
	await server.stop();
	server = await TestServer.start(server.database);
	expect((await server.call('register', form())).code).toBe('SIGN_UP_CLOSED');
});
