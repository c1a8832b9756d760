import { type HandlersOf, type Parts, playerOf } from '#server/calls/handler.ts';

export const accountHandlers = ({
	players,
}: Parts): HandlersOf<
	| 'authenticate'
	| 'loginAsDemoUser'
	| 'refreshToken'
	| 'logout'
	| 'getUserInfo'
	| 'setLanguage'
	| 'register'
	| 'verificationUser'
	| 'resendVerificationCode'
	| 'getAccessTokenValidateTime'
	| 'getUserLoginAttempts'
	| 'changePassword'
	| 'createAuthorizationCode'
> => ({
	authenticate: (input, { visitor }) => players.authenticate(input, visitor),
	loginAsDemoUser: (_, { visitor }) => players.loginAsDemoUser(visitor),
	refreshToken: ({ refreshToken }, { visitor }) => players.refresh(refreshToken, visitor),
	logout: async (_, caller) => {
		await players.logout(playerOf(caller));
		return null;
	},
	setLanguage: async ({ language }, caller) => {
		await players.setLanguage(playerOf(caller).playerId, language);
		return null;
	},
	getUserInfo: (_, caller) => players.user(playerOf(caller).playerId),
	register: (form, { visitor }) => players.register(form, visitor),
	verificationUser: (who, { visitor }) => players.verify(who, visitor),
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
	changePassword: async (passwords, caller) => {
		await players.changePassword(playerOf(caller), passwords, caller.visitor);
		return null;
	},
	createAuthorizationCode: (input, caller) => players.createAuthorizationCode(playerOf(caller), input),
});
