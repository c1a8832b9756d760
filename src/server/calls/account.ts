import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import { type HandlersOf, type Parts, playerOf } from '#server/calls/handler.ts';
import type { LoginAnswer, Visitor } from '#server/people/players/players.ts';

export const accountHandlers = ({
	players,
	funds,
	providers: { launches },
}: Parts): HandlersOf<
	| 'authenticate'
	| 'authenticateWithPasskey'
	| 'loginAsDemoUser'
	| 'refreshToken'
	| 'logout'
	| 'logoutElsewhere'
	| 'getUserInfo'
	| 'setLanguage'
	| 'setPreferences'
	| 'register'
	| 'verificationUser'
	| 'resendVerificationCode'
	| 'getAccessTokenValidateTime'
	| 'getUserLoginAttempts'
	| 'createAuthorizationCode'
> => {
	/** A log-in also gives the token for providers of games. */
	const withCasino = (answer: LoginAnswer, { brand }: Visitor): LoginAnswer => {
		const login = players.find(answer.accessToken, brand.host);
		return login ? { ...answer, casinoToken: launches.casinoToken(login.loginId) } : answer;
	};
	return {
		authenticate: async (input, { visitor }) => withCasino(await players.authenticate(input, visitor), visitor),
		authenticateWithPasskey: async ({ response, rememberClient }, { visitor }) => {
			const shown = { response: response as unknown as AuthenticationResponseJSON, rememberClient };
			return withCasino(await players.authenticateWithPasskey(shown, visitor), visitor);
		},
		loginAsDemoUser: async (_, { visitor }) => withCasino(await players.loginAsDemoUser(visitor), visitor),
		refreshToken: ({ refreshToken }, { visitor }) => players.refresh(refreshToken, visitor),
		logout: async (_, caller) => {
			await players.logout(playerOf(caller));
			return null;
		},
		logoutElsewhere: async (_, caller) => ({ ended: await players.logoutElsewhere(playerOf(caller)) }),
		setLanguage: async ({ language }, caller) => {
			await players.setLanguage(playerOf(caller).playerId, language);
			return null;
		},
		setPreferences: (change, caller) => players.setPreferences(playerOf(caller).playerId, change),
		getUserInfo: (_, caller) => players.user(playerOf(caller).playerId),
		register: async (form, { visitor }) => {
			const { brand } = visitor;
			// A closed sign-up is reported for any code.
			if (form.referralCode !== '' && brand.setting.allowSignUp)
				await funds.referrals.check(form.referralCode, brand.host);
			return await players.register(form, visitor);
		},
		verificationUser: async (who, { visitor }) => withCasino(await players.verify(who, visitor), visitor),
		resendVerificationCode: async (who, { visitor }) => {
			await players.resendCode(who, visitor);
			return null;
		},
		getAccessTokenValidateTime: ({ accessToken }, { visitor }) => ({
			secondsLeft: players.secondsLeft(accessToken, visitor),
		}),
		getUserLoginAttempts: ({ Result, MaxResultCount, SkipCount }, caller) =>
			players.loginAttempts(playerOf(caller).playerId, {
				succeeded: Result === undefined ? null : Result === 'SUCCESS',
				take: MaxResultCount,
				skip: SkipCount,
			}),
		createAuthorizationCode: (input, caller) => players.createAuthorizationCode(playerOf(caller), input),
	};
};
