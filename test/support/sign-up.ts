/** Players who register like anyone, for tests that need more than a demo player may. */
import type { ResultOf } from '../../src/contract/call.ts';
import { CALLS, type Calls } from '../../src/contract/registry.ts';
import { bearer, type Player, type TestServer } from './server.ts';

let count = 0;
export const PASSWORD = 'a long enough Passw0rd!';

const CODE = /^(\d{6}) is your code/;

/** The latest code that was sent to a mobile, as its owner reads it. The list of all messages grows with each sign-up. */
export async function codeSentTo({ database: { db } }: TestServer, mobile: string): Promise<string> {
	const newest = 'select text from outbox where mobile = $1 order by at desc, message_id limit 1';
	const { rows } = await db.query<{ text: string }>(newest, [mobile]);
	const [, code = ''] = CODE.exec(rows[0]?.text ?? '') ?? [];
	return code;
}

/** A player of play money, who proves the mobile by the code unless the domain skips the verification. */
export async function signUp(
	server: TestServer,
	{ mobile, referralCode = '', cookies = '' }: { mobile?: string; referralCode?: string; cookies?: string } = {},
): Promise<Player & { userName: string; mobile: string }> {
	count += 1;
	// Held before anything is awaited: players may sign up in parallel.
	const number = count;
	if (!server.brand.setting.allowSignUp)
		await server.act('brand-set', { host: 'localhost', field: 'allowSignUp', value: 'true' });
	const userName = `player${number}-${process.pid}`;
	const own = mobile ?? `+9190000${String(number).padStart(5, '0')}`;
	const form = { userName, password: PASSWORD, confirmPassword: PASSWORD, mobile: own, referralCode };
	const { autoVerifyCode } = await server.result('register', form);
	const otp = autoVerifyCode ?? (await codeSentTo(server, own));
	const { path, method } = CALLS.verificationUser;
	const { body } = await server.send<ResultOf<Calls['verificationUser']>>(`/${path}`, {
		method,
		body: JSON.stringify({ userName, mobile: own, otp }),
		headers: { 'Content-Type': 'application/json', Cookie: cookies },
	});
	const answer = body.result;
	if (!answer) throw new Error(JSON.stringify(body.error));
	const { accessToken, refreshToken, user } = answer;
	return { token: accessToken, refreshToken, userId: Number(user.userId), userName, mobile: own };
}

/** Logs in with the cookies that a browser has, and returns those that it keeps. */
export async function cookiesAfterLogin(server: TestServer, userName: string, cookies = ''): Promise<string> {
	const response = await fetch(`${server.url}/Account/Authenticate`, {
		method: 'POST',
		body: JSON.stringify({ userNameOrEmailAddress: userName, password: PASSWORD }),
		headers: { 'Content-Type': 'application/json', Cookie: cookies },
	});
	if (response.status !== 200) throw new Error(await response.text());
	return [cookies, ...response.headers.getSetCookie().map((cookie) => cookie.split(';')[0])].join('; ');
}

/**
 * An account of a mobile on the server's other brand, which skips the verification, with the address of that brand.
 * @param proves whether the player proves the mobile afterwards
 */
export async function signUpElsewhere(
	server: TestServer,
	mobile: string,
	{ proves = true, referralCode = '' }: { proves?: boolean; referralCode?: string } = {},
): Promise<Player & { url: string; userName: string }> {
	count += 1;
	// Held before anything is awaited: players may sign up in parallel.
	const number = count;
	for (const field of ['allowSignUp', 'skipVerification'])
		await server.act('brand-set', { host: '127.0.0.1', field, value: 'true' });
	const userName = `elsewhere${number}-${process.pid}`;
	const form = { userName, password: PASSWORD, confirmPassword: PASSWORD, mobile, referralCode };
	const { body } = await server.callElsewhere('register', form);
	const otp = body.result?.autoVerifyCode ?? '';
	const { body: verified } = await server.callElsewhere('verificationUser', { userName, mobile, otp });
	if (!verified.result) throw new Error(JSON.stringify(verified.error));
	const { accessToken, refreshToken, user } = verified.result;
	const url = server.url.replace('localhost', '127.0.0.1');
	const player = { token: accessToken, refreshToken, userId: Number(user.userId), userName, url };
	if (proves) await proveMobile(server, player, mobile);
	return player;
}

/** The player of the other brand proves the mobile. */
export async function proveMobile(
	server: TestServer,
	{ token, url }: { token: string; url: string },
	mobile: string,
): Promise<void> {
	const send = async (path: string, body: object) => {
		const headers = { 'Content-Type': 'application/json', ...bearer(token) };
		const answer = await server.send(path, { method: 'POST', body: JSON.stringify(body), headers }, url);
		if (answer.code) throw new Error(`${path}: ${answer.code}`);
	};
	await send('/Account/SendMobileCode', {});
	await send('/Account/ProveMobile', { otp: await codeSentTo(server, mobile) });
}
