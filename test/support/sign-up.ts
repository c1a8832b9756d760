/** Players who register like anyone, for tests that need more than a demo player may. */
import type { Player, TestServer } from './server.ts';

let count = 0;
export const PASSWORD = 'a long enough Passw0rd!';

/** A player of play money. The domain of test servers skips the verification from then on. */
export async function signUp(
	server: TestServer,
	{ mobile, referralCode = '' }: { mobile?: string; referralCode?: string } = {},
): Promise<Player & { userName: string; mobile: string }> {
	count += 1;
	for (const field of ['allowSignUp', 'skipVerification'])
		if (!server.brand.setting[field as 'allowSignUp'])
			await server.operator('domain-set', { host: 'localhost', field, value: 'true' });
	const userName = `player${count}-${process.pid}`;
	const own = mobile ?? `+9190000${String(count).padStart(5, '0')}`;
	const form = { userName, password: PASSWORD, confirmPassword: PASSWORD, mobile: own, referralCode };
	const { autoVerifyCode = '' } = await server.result('register', form);
	const answer = await server.result('verificationUser', { userName, mobile: own, otp: autoVerifyCode });
	const { accessToken, refreshToken, user } = answer;
	return { token: accessToken, refreshToken, userId: Number(user.userId), userName, mobile: own };
}
