/** Players who register like anyone, for tests that need more than a demo player may. */
import type { ResultOf } from '../../src/contract/call.ts';
import { CALLS, type Calls } from '../../src/contract/registry.ts';
import type { Player, TestServer } from './server.ts';

let count = 0;
export const PASSWORD = 'a long enough Passw0rd!';

/** A player of play money. The domain of test servers skips the verification from then on. */
export async function signUp(
	server: TestServer,
	{ mobile, referralCode = '', cookies = '' }: { mobile?: string; referralCode?: string; cookies?: string } = {},
): Promise<Player & { userName: string; mobile: string }> {
	count += 1;
	// Held before anything is awaited: players may sign up in parallel.
	const number = count;
	for (const field of ['allowSignUp', 'skipVerification'])
		if (!server.brand.setting[field as 'allowSignUp'])
			await server.act('domain-set', { host: 'localhost', field, value: 'true' });
	const userName = `player${number}-${process.pid}`;
	const own = mobile ?? `+9190000${String(number).padStart(5, '0')}`;
	const form = { userName, password: PASSWORD, confirmPassword: PASSWORD, mobile: own, referralCode };
	const { autoVerifyCode = '' } = await server.result('register', form);
	const { path, method } = CALLS.verificationUser;
	const { body } = await server.send<ResultOf<Calls['verificationUser']>>(`/${path}`, {
		method,
		body: JSON.stringify({ userName, mobile: own, otp: autoVerifyCode }),
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

/** An account of a mobile on the server's other brand, with the address of that brand. */
export async function signUpElsewhere(server: TestServer, mobile: string): Promise<Player & { url: string }> {
	count += 1;
	// Held before anything is awaited: players may sign up in parallel.
	const number = count;
	for (const field of ['allowSignUp', 'skipVerification'])
		await server.act('domain-set', { host: '127.0.0.1', field, value: 'true' });
	const userName = `elsewhere${number}-${process.pid}`;
	const form = { userName, password: PASSWORD, confirmPassword: PASSWORD, mobile, referralCode: '' };
	const { body } = await server.callElsewhere('register', form);
	const otp = body.result?.autoVerifyCode ?? '';
	const { body: verified } = await server.callElsewhere('verificationUser', { userName, mobile, otp });
	if (!verified.result) throw new Error(JSON.stringify(verified.error));
	const { accessToken, refreshToken, user } = verified.result;
	const url = server.url.replace('localhost', '127.0.0.1');
	return { token: accessToken, refreshToken, userId: Number(user.userId), url };
}
