import { type HandlersOf, type Parts, playerOf } from '#server/calls/handler.ts';

export const accountHandlers = ({
	accounts,
}: Parts): HandlersOf<
	| 'authenticate'
	| 'loginAsDemoUser'
	| 'refreshToken'
	| 'logout'
	| 'getUserInfo'
	| 'register'
	| 'verificationUser'
	| 'resendVerificationCode'
	| 'getAccessTokenValidateTime'
	| 'getUserLoginAttempts'
	| 'changePassword'
	| 'createAuthorizationCode'
	| 'exchangeToken'
> => ({
	authenticate: (input, { visitor }) => accounts.authenticate(input, visitor),
	loginAsDemoUser: (_, { visitor }) => accounts.loginAsDemoUser(visitor),
	refreshToken: ({ refreshToken }, { visitor }) => accounts.refresh(refreshToken, visitor),
	logout: async (_, caller) => {
		await accounts.logout(playerOf(caller));
		return null;
	},
	getUserInfo: (_, caller) => accounts.user(playerOf(caller).playerId),
	register: (form, { visitor }) => accounts.register(form, visitor),
	verificationUser: (who, { visitor }) => accounts.verify(who, visitor),
	resendVerificationCode: async (who, { visitor }) => {
		await accounts.resendCode(who, visitor);
		return null;
	},
	getAccessTokenValidateTime: ({ accessToken }, { visitor }) => ({
		secondsLeft: accounts.secondsLeft(accessToken, visitor),
	}),
	getUserLoginAttempts: ({ Result, MaxResultCount, SkipCount }, caller) =>
		accounts.loginAttempts(playerOf(caller).playerId, {
			succeeded: Result === undefined ? null : Result === 'SUCCESS',
			take: MaxResultCount,
			skip: SkipCount,
		}),
	changePassword: async (passwords, caller) => {
		await accounts.changePassword(playerOf(caller), passwords, caller.visitor);
		return null;
	},
	createAuthorizationCode: (input, caller) => accounts.createAuthorizationCode(playerOf(caller), input),
	exchangeToken: ({ client_id, client_secret, redirect_uri, code }, { visitor }) =>
		accounts.exchangeCode(
			{ clientId: client_id, clientSecret: client_secret, redirectUri: redirect_uri, code },
			visitor,
		),
});
