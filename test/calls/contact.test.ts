/** Mail addresses of players: proven before they count, told to their former owner, and a way to a new password. */
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { MonthlyStatements } from '#server/operators/notices/monthly-statements.ts';
import { MailOutbox } from '#server/platform/mail/mail-outbox.ts';
import { connect } from '#server/platform/postgres/connect.ts';
import { HeavyReads } from '#server/platform/postgres/heavy-reads.ts';
import { DAY_MS, MINUTE_MS } from '#values/time.ts';
import { askFrom } from '../support/asking.ts';
import { type Player, TestServer } from '../support/server.ts';
import { codeSentTo, cookiesAfterLogin, PASSWORD, signUp, signUpElsewhere } from '../support/sign-up.ts';
import { SmtpServer } from '../support/smtp-server.ts';

/** Figures of any other script than ours. */
const OTHER_FIGURES = /(?![0-9])\p{Nd}/u;
const NEW_PASSWORD = 'another long Passw0rd!';
let smtp: SmtpServer;
let server: TestServer;
beforeAll(async () => {
	smtp = await SmtpServer.start();
	server = await TestServer.start(undefined, { mail: smtp.config, trustedProxies: ['127.0.0.1'] });
});
afterAll(async () => {
	await server.dispose();
	await smtp.stop();
});
afterEach(() => smtp.replies.clear());

let count = 0;
const freshAddress = () => `player${++count}@mail.example`;
type Person = Player & { userName: string; mobile: string };

const set = async (player: Player, address: string, password = PASSWORD) =>
	(await server.call('setMailAddress', { address, password }, player.token)).code;
const prove = async (player: Player, otp: string) =>
	(await server.call('proveMailAddress', { otp }, player.token)).code;
const contact = (player: Player) => server.result('getContact', {}, player.token);
const logIn = async (userNameOrEmailAddress: string, password = PASSWORD) =>
	await server.call('authenticate', { userNameOrEmailAddress, password });
const askForCode = async (name: string, by: 'MAIL' | 'MOBILE' = 'MAIL') =>
	(await server.call('sendResetCode', { userNameOrEmailAddress: name, by })).code;
const reset = async (name: string, otp: string, newPassword = NEW_PASSWORD) =>
	(await server.call('resetPassword', { userNameOrEmailAddress: name, otp, newPassword, confirmPassword: newPassword }))
		.code;
/** Notices of what happened are written now, and not at the next look of the server. */
const noticed = () => server.running.mailNotices.look();
const subjectsTo = (address: string) => smtp.to(address).map(({ subject }) => subject);

/** The code of the newest message to an address, once there are so many. */
async function codeTo(address: string, number = 1): Promise<string> {
	await expect.poll(() => smtp.to(address).length).toBe(number);
	return smtp.codeTo(address);
}

/** A player with a proven address. */
async function withAddress(): Promise<Person & { address: string }> {
	const [player, address] = [await signUp(server), freshAddress()];
	expect(await set(player, address)).toBeNull();
	expect(await prove(player, await codeTo(address))).toBeNull();
	return { ...player, address };
}

it('getContact: success: an address counts only after its code', async () => {
	const [player, address] = [await signUp(server), freshAddress()];
	const notices = { limits: true, withdrawals: true, statement: true };
	expect(await contact(player)).toEqual({ isOffered: true, address: null, unproven: null, notices });
	await set(player, address);
	expect(await contact(player)).toMatchObject({ address: null, unproven: address });
	expect((await logIn(address)).code).toBe('WRONG_CREDENTIALS');
});

it('setMailAddress: success: two players with the same unproven address keep nothing from each other', async () => {
	const address = freshAddress();
	const [one, other] = [await signUp(server), await signUp(server)];
	expect(await set(one, address)).toBeNull();
	const first = await codeTo(address);
	expect(await set(other, address)).toBeNull();
	const second = await codeTo(address, 2);
	// A code is for its own account.
	if (first !== second) expect(await prove(other, first)).toBe('WRONG_CODE');
	expect(await prove(other, second)).toBeNull();
	expect(await contact(other)).toMatchObject({ address, unproven: null });
	// The mailbox has one account now; the other one is answered as if it were wrong.
	expect(await prove(one, first)).toBe('WRONG_CODE');
	expect((await contact(one)).address).toBeNull();
});

it('setMailAddress: the same address may be proven on two brands', async () => {
	const { address } = await withAddress();
	const elsewhere = await signUpElsewhere(server, '+919811100001');
	const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${elsewhere.token}` };
	const send = (path: string, body: object) =>
		server.send(path, { method: 'POST', body: JSON.stringify(body), headers }, elsewhere.url);
	const sent = smtp.to(address).length;
	expect(
		(await send('/Account/SetMailAddress', { address: address.toUpperCase(), password: PASSWORD })).code,
	).toBeNull();
	expect((await send('/Account/ProveMailAddress', { otp: await codeTo(address, sent + 1) })).code).toBeNull();
});

it('setMailAddress: an address of another account is answered alike, makes no code and tells its owner', async () => {
	const owner = await withAddress();
	const other = await signUp(server);
	expect(await set(other, owner.address)).toBeNull();
	await expect.poll(() => subjectsTo(owner.address).at(-1)).toContain('in use');
	expect(smtp.to(owner.address).at(-1)?.text).not.toMatch(/\b\d{6}\b/);
	expect(await contact(other)).toMatchObject({ address: null, unproven: owner.address });
	expect(await prove(other, smtp.to(owner.address)[0]?.text.match(/\d{6}/)?.[0] ?? '000000')).toBe('WRONG_CODE');
});

it('setMailAddress: refusal without the password, of what is no address, and of a sixth code in an hour', async () => {
	const [player, other] = [await signUp(server), await signUp(server)];
	expect(await set(player, freshAddress(), 'a wrong one')).toBe('WRONG_PASSWORD');
	expect(await set(other, 'no address')).toBe('VALIDATION_FAILED');
	const demo = await server.demoPlayer();
	expect(await set(demo, freshAddress())).toBe('FORBIDDEN');
	for (let time = 0; time < 5; time++) expect(await set(other, freshAddress())).toBeNull();
	expect(await set(other, freshAddress())).toBe('THROTTLED');
});

it('proveMailAddress: success: it is a second name to log in with, in any case, and the former one is told', async () => {
	const player = await withAddress();
	expect((await logIn(player.address.toUpperCase())).body.result?.user.userId).toBe(String(player.userId));
	const next = freshAddress();
	await set(player, next);
	// The former one counts until then.
	expect((await logIn(player.address)).code).toBeNull();
	expect(await prove(player, await codeTo(next))).toBeNull();
	expect((await logIn(player.address)).code).toBe('WRONG_CREDENTIALS');
	expect((await logIn(next)).code).toBeNull();
	await expect.poll(() => subjectsTo(player.address).at(-1)).toContain('was changed');
});

describe('a name that is another’s address', () => {
	const OTHER_PASSWORD = 'Another-horse-9';
	const taking = async (userName: string) =>
		(await server.running.players.createPlayer({ userName, password: OTHER_PASSWORD, brand: server.brand })).playerId;
	const idOf = async (name: string, password: string) => (await logIn(name, password)).body.result?.user.userId ?? null;

	it.each([
		['taken before the address was proven', true],
		['taken afterwards', false],
	])('%s, takes neither the log-in nor a code from its owner', async (_, isFirst) => {
		const [player, address] = [await signUp(server), freshAddress()];
		const stranger = isFirst ? await taking(address) : null;
		if (stranger !== null) expect(await idOf(address, OTHER_PASSWORD)).toBe(String(stranger));
		expect(await set(player, address)).toBeNull();
		expect(await prove(player, await codeTo(address))).toBeNull();
		if (!isFirst) await taking(address);
		expect(await idOf(address, PASSWORD)).toBe(String(player.userId));
		expect(await idOf(address.toUpperCase(), PASSWORD)).toBe(String(player.userId));
		expect(await idOf(address, OTHER_PASSWORD)).toBeNull();
		const { length } = smtp.to(address);
		await askForCode(address);
		expect(await reset(address, await codeTo(address, length + 1))).toBeNull();
		expect(await idOf(address, NEW_PASSWORD)).toBe(String(player.userId));
	});

	it('names its own account again when the address is removed', async () => {
		const player = await withAddress();
		const stranger = await taking(player.address);
		expect((await server.call('removeMailAddress', { password: PASSWORD }, player.token)).code).toBeNull();
		expect(await idOf(player.address, OTHER_PASSWORD)).toBe(String(stranger));
	});
});

it('proveMailAddress: refusal of a sixth guess, and of one code given twice at once', async () => {
	const [player, address] = [await signUp(server), freshAddress()];
	await set(player, address);
	const otp = await codeTo(address);
	const both = await Promise.all([prove(player, otp), prove(player, otp)]);
	expect(both.toSorted()).toEqual(['WRONG_CODE', null]);
	const other = await signUp(server);
	const next = freshAddress();
	await set(other, next);
	const right = await codeTo(next);
	const wrong = right === '111111' ? '222222' : '111111';
	for (let time = 0; time < 5; time++) expect(await prove(other, wrong)).toBe('WRONG_CODE');
	expect(await prove(other, right)).toBe('WRONG_CODE');
});

it('removeMailAddress: success: the address is no name any more, and is told', async () => {
	const player = await withAddress();
	expect((await server.call('removeMailAddress', { password: PASSWORD }, player.token)).code).toBeNull();
	expect((await contact(player)).address).toBeNull();
	expect((await logIn(player.address)).code).toBe('WRONG_CREDENTIALS');
	await expect.poll(() => subjectsTo(player.address).at(-1)).toContain('was removed');
});

it('setMailNotices: success: the switches are kept', async () => {
	const player = await withAddress();
	const notices = { limits: false, withdrawals: false, statement: true };
	const setNotices = async (token: string | null) => (await server.call('setMailNotices', notices, token)).code;
	expect(await setNotices(player.token)).toBeNull();
	expect((await contact(player)).notices).toEqual(notices);
});

it('removeMailAddress: refusal without the password', async () => {
	const player = await withAddress();
	const { code } = await server.call('removeMailAddress', { password: 'a wrong one' }, player.token);
	expect(code).toBe('WRONG_PASSWORD');
	expect((await contact(player)).address).toBe(player.address);
});

const NOTICES = { limits: false, withdrawals: false, statement: true };

it('setMailNotices: refusal without an address', async () => {
	const { token } = await signUp(server);
	expect((await server.call('setMailNotices', NOTICES, token)).code).toBe('WRONG_STATE');
});

it('getContact: refusal of a token that was ended', async () => {
	const { token } = await signUp(server);
	await server.result('logout', {}, token);
	expect((await server.call('getContact', {}, token)).code).toBe('LOGIN_EXPIRED');
});

it.each([
	['getContact: not logged in', () => server.call('getContact', {})],
	[
		'setMailAddress: not logged in',
		() => server.call('setMailAddress', { address: freshAddress(), password: PASSWORD }),
	],
	['proveMailAddress: not logged in', () => server.call('proveMailAddress', { otp: '123456' })],
	['removeMailAddress: not logged in', () => server.call('removeMailAddress', { password: PASSWORD })],
	['setMailNotices: not logged in', () => server.call('setMailNotices', NOTICES)],
])('%s', async (_, ask) => {
	expect((await ask()).code).toBe('NOT_LOGGED_IN');
});

it('sendResetCode: success by mail and by mobile, alike for a name without an account, an address or a mobile', async () => {
	const player = await withAddress();
	const bare = await signUp(server);
	const asked = [player.address, bare.userName, 'nobody-of-that-name', 'nobody@mail.example'];
	expect(await Promise.all(asked.map((name) => askForCode(name)))).toEqual([null, null, null, null]);
	const withCode = () => subjectsTo(player.address).filter((subject) => subject.includes('new password'));
	await expect.poll(withCode).toHaveLength(1);
	expect(subjectsTo('nobody@mail.example')).toEqual([]);
	expect(await askForCode(bare.userName, 'MOBILE')).toBeNull();
});

it('sendResetCode: refusal of a sixth code in an hour, whether or not there is an account', async () => {
	const { userName } = await withAddress();
	for (const name of [userName, 'nobody-at-all']) {
		for (let time = 0; time < 5; time++) expect(await askForCode(name)).toBeNull();
		expect(await askForCode(name)).toBe('THROTTLED');
	}
});

it('resetPassword: success for the owner, however often a stranger asked for codes and guessed', async () => {
	const { userName, mobile } = await signUp(server);
	const named = { userNameOrEmailAddress: userName };
	const ask = (address: string, cookie = '') =>
		askFrom(server, address, 'sendResetCode', { ...named, by: 'MOBILE' }, cookie);
	const give = async (address: string, otp: string, cookie = '') => {
		const input = { ...named, otp, newPassword: NEW_PASSWORD, confirmPassword: NEW_PASSWORD };
		return (await askFrom(server, address, 'resetPassword', input, cookie)).code;
	};
	const guess = async (address: string, otp: string, cookie = '') => {
		const wrong = otp === '111111' ? '222222' : '111111';
		const guesses = Array.from({ length: 5 }, () => give(address, wrong, cookie));
		expect(new Set(await Promise.all(guesses))).toEqual(new Set(['WRONG_CODE']));
	};
	const stranger = '192.0.2.9';
	for (let asked = 0; asked < 5; asked++) {
		const { code, cookie } = await ask(stranger);
		expect(code).toBeNull();
		const otp = await codeSentTo(server, mobile);
		await guess(stranger, otp, cookie);
		expect(await give(stranger, otp, cookie)).toBe('WRONG_CODE');
	}
	expect((await ask(stranger)).code).toBe('THROTTLED');
	const [home, outside] = ['203.0.113.9', '203.0.113.10'];
	const { code, cookie } = await ask(home);
	expect(code).toBeNull();
	const otp = await codeSentTo(server, mobile);
	// Neither from elsewhere nor from the owner's network does a stranger use up the tries of the owner's device.
	for (const address of [stranger, home]) await guess(address, otp);
	expect(await give(home, otp)).toBe('WRONG_CODE');
	expect(await give(outside, otp, `${cookie.split('=')[0]}=forged`)).toBe('WRONG_CODE');
	expect(await give(outside, otp, cookie)).toBeNull();
	expect((await logIn(userName, NEW_PASSWORD)).code).toBeNull();
});

it('sendResetCode: success on a browser that has logged in before, after strangers used up the texts to the mobile', async () => {
	const strict = await TestServer.start(undefined, { rateLimitFactor: 1, trustedProxies: ['127.0.0.1'] });
	onTestFinished(() => strict.dispose());
	const { userName, mobile } = await signUp(strict);
	const cookies = await cookiesAfterLogin(strict, userName);
	const textCount = async () =>
		(await strict.database.db.query('select from outbox where mobile = $1', [mobile])).rowCount;
	const ask = (address: string, cookie = '') =>
		askFrom(strict, address, 'sendResetCode', { userNameOrEmailAddress: userName, by: 'MOBILE' }, cookie);
	const stranger = async (address: string) => {
		for (let time = 0; time < 5; time++) await ask(address);
	};
	await Promise.all(Array.from({ length: 13 }, (_, at) => stranger(`192.0.${at}.9`)));
	expect(await textCount()).toBe(60);
	expect((await ask('203.0.113.9')).code).toBeNull();
	expect(await textCount()).toBe(60);
	expect((await ask('203.0.113.9', cookies)).code).toBeNull();
	expect(await textCount()).toBe(61);
});

it('resetPassword: success without cookies, from the network that asked, and of no code of another device after it', async () => {
	const { userName, mobile } = await signUp(server);
	const named = { userNameOrEmailAddress: userName };
	const asked = async (address: string) => {
		const { cookie } = await askFrom(server, address, 'sendResetCode', { ...named, by: 'MOBILE' });
		return { address, cookie, otp: await codeSentTo(server, mobile) };
	};
	const give = async ({ address, otp, cookie }: { address: string; otp: string; cookie?: string }) => {
		const input = { ...named, otp, newPassword: NEW_PASSWORD, confirmPassword: NEW_PASSWORD };
		return (await askFrom(server, address, 'resetPassword', input, cookie)).code;
	};
	const [one, other] = [await asked('198.51.100.1'), await asked('198.51.100.2')];
	expect(await give({ address: '198.51.100.3', otp: other.otp })).toBe('WRONG_CODE');
	expect(await give({ address: other.address, otp: other.otp })).toBeNull();
	expect(await give(one)).toBe('WRONG_CODE');
});

it('resetPassword: success: the code sets a password once, ends every log-in, and is told', async () => {
	const player = await withAddress();
	const before = smtp.to(player.address).length;
	await askForCode(player.userName);
	const otp = await codeTo(player.address, before + 1);
	const both = await Promise.all([reset(player.address, otp), reset(player.userName, otp)]);
	expect(both.toSorted()).toEqual(['WRONG_CODE', null]);
	expect((await server.call('getUserInfo', {}, player.token)).code).toBe('LOGIN_EXPIRED');
	expect((await logIn(player.userName)).code).toBe('WRONG_CREDENTIALS');
	expect((await logIn(player.userName, NEW_PASSWORD)).code).toBeNull();
	await noticed();
	await expect.poll(() => subjectsTo(player.address).at(-1)).toContain('was changed');
});

it('resetPassword: refusal of a code for another purpose, a common password, and a sixth guess', async () => {
	const player = await withAddress();
	const before = smtp.to(player.address).length;
	expect(await reset(player.userName, smtp.codeTo(player.address))).toBe('WRONG_CODE');
	await askForCode(player.userName);
	const otp = await codeTo(player.address, before + 1);
	expect(await reset(player.userName, otp, 'P@ssw0rd1!')).toBe('PASSWORD_TOO_COMMON');
	const wrong = otp === '111111' ? '222222' : '111111';
	for (let time = 0; time < 5; time++) expect(await reset(player.userName, wrong)).toBe('WRONG_CODE');
	expect(await reset(player.userName, otp)).toBe('WRONG_CODE');
	expect(await reset('nobody-of-that-name', otp)).toBe('WRONG_CODE');
});

it('a code for a new password is worth nothing after the password or the address was changed', async () => {
	const player = await withAddress();
	const codeAfter = async (mails: number) => {
		expect(await askForCode(player.userName)).toBeNull();
		return await codeTo(player.address, mails + 1);
	};
	const first = await codeAfter(smtp.to(player.address).length);
	const passwords = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD, confirmPassword: NEW_PASSWORD };
	await server.result('changePassword', passwords, player.token);
	expect(await reset(player.userName, first)).toBe('WRONG_CODE');
	await noticed();
	await expect.poll(() => subjectsTo(player.address).at(-1)).toContain('was changed');
	const second = await codeAfter(smtp.to(player.address).length);
	await server.result('removeMailAddress', { password: NEW_PASSWORD }, player.token);
	expect(await reset(player.userName, second)).toBe('WRONG_CODE');
});

it('a password and limits that were changed, and a paid withdrawal, are told once, the last two unless switched off', async () => {
	const [told, quiet] = [await withAddress(), await withAddress()];
	await server.result('setMailNotices', { limits: false, withdrawals: false, statement: false }, quiet.token);
	const { db } = server.database;
	for (const { userId, token } of [told, quiet]) {
		await server.result('setLimits', { depositDay: 5000 }, token);
		await db.query(
			`insert into workflow (kind, id, wallet_id, pool, state, step, postings, is_open, opened_at, at, data)
			 values ('WITHDRAWAL', $1, $2, 'PLAY', 'PAID', 3, 0, false, $3, $3, '{"amount": 150050}')`,
			[9_000_000 + userId, userId, Date.now()],
		);
		const passwords = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD, confirmPassword: NEW_PASSWORD };
		await server.result('changePassword', passwords, token);
	}
	await noticed();
	const about = (address: string) => subjectsTo(address).slice(1).toSorted();
	const site = server.brand.setting.domainTitle;
	await expect
		.poll(() => about(told.address))
		.toEqual([
			`Your limits at ${site} were changed`,
			`Your password at ${site} was changed`,
			`Your withdrawal from ${site} was paid`,
		]);
	await expect.poll(() => about(quiet.address)).toEqual([`Your password at ${site} was changed`]);
	const paid = smtp.to(told.address).find(({ subject }) => subject.includes('withdrawal'));
	expect(paid?.text).toContain('₹1,500.50');
});

it('a mobile that is proven is told, because a code to it sets a new password', async () => {
	const player = await withAddress();
	const { db } = server.database;
	await db.query('update player set mobile_verified_at = null where player_id = $1', [player.userId]);
	const mobile = '+919111300001';
	await server.result('sendMobileCode', { mobile, password: PASSWORD }, player.token);
	await server.result('proveMobile', { otp: await codeSentTo(server, mobile) }, player.token);
	await noticed();
	await expect.poll(() => subjectsTo(player.address).at(-1)).toContain('A mobile was proven');
});

it.each([
	['hi', 'नए पासवर्ड', 'पासवर्ड बदल गया'],
	['bn', 'নতুন পাসওয়ার্ড', 'পাসওয়ার্ড বদলেছে'],
] as const)('a notice is in the language of the player, with Latin figures: %s', async (language, asked, changed) => {
	const player = await withAddress();
	await server.result('setLanguage', { language }, player.token);
	await askForCode(player.userName);
	await expect.poll(() => subjectsTo(player.address).at(-1)).toContain(asked);
	const passwords = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD, confirmPassword: NEW_PASSWORD };
	await server.result('changePassword', passwords, player.token);
	await noticed();
	await expect.poll(() => subjectsTo(player.address).at(-1)).toContain(changed);
	const { text = '' } = smtp.to(player.address).at(-1) ?? {};
	expect(text).toMatch(/20\d\d/);
	expect(text).not.toMatch(OTHER_FIGURES);
});

it('the statement of a month is written once, in the first days of the next', async () => {
	const player = await withAddress();
	const { db } = server.database;
	const { players, brands } = server.running;
	await server.result('setLanguage', { language: 'bn' }, player.token);
	await db.query('update mail_address set proven_at = 0 where player_id = $1', [player.userId]);
	await db.query('update mail_address set tells_statement = player_id = $1', [player.userId]);
	const mails = new MailOutbox({ db, smtp: null, log: pino({ level: 'silent' }) });
	let now = Date.parse('2026-12-01T00:00:00+05:30') - MINUTE_MS;
	const reads = new HeavyReads((options) => connect(server.database.url, options));
	onTestFinished(() => reads.end());
	const providers = server.running.providers;
	const statements = new MonthlyStatements({ db, reads, providers, mails, players, brands, clock: () => now });
	const written = async () =>
		(
			await db.query<{ about: string; subject: string }>(
				`select about, subject from mail where kind = 'statement' and player_id = $1 order by about`,
				[player.userId],
			)
		).rows;
	const stated = (month: string, named: string) => ({
		about: `statement ${player.userId} ${month}`,
		subject: `${server.brand.setting.domainTitle}-এ ${named}-এর আপনার স্টেটমেন্ট`,
	});
	// October's is old news.
	await statements.write();
	expect(await written()).toEqual([]);
	now += 3 * MINUTE_MS;
	await Promise.all([statements.write(), statements.write()]);
	await statements.write();
	expect(await written()).toEqual([stated('202611', 'নভেম্বর 2026')]);
	const marked = 'select statement_month as month from mail_address where player_id = $1';
	expect((await db.query(marked, [player.userId])).rows).toEqual([{ month: 202611 }]);
	now += 31 * DAY_MS;
	await statements.write();
	expect(await written()).toEqual([stated('202611', 'নভেম্বর 2026'), stated('202612', 'ডিসেম্বর 2026')]);
});

it('a proven address survives a restart, and what waits is sent by the next process', async () => {
	const player = await withAddress();
	smtp.replies.set('MAIL FROM', '451 not now');
	const sent = smtp.to(player.address).length;
	await askForCode(player.userName);
	await server.stop();
	smtp.replies.clear();
	server = await TestServer.start(server.database, { mail: smtp.config });
	expect(await reset(player.address, await codeTo(player.address, sent + 1))).toBeNull();
});
