import { type HandlersOf, type Parts, playerOf } from '#server/calls/handler.ts';

export const accountHandlers = ({
	accounts,
}: Parts): HandlersOf<'authenticate' | 'loginAsDemoUser' | 'refreshToken' | 'logout' | 'getUserInfo'> => ({
	authenticate: (input, { visitor }) => accounts.authenticate(input, visitor),
	loginAsDemoUser: (_, { visitor }) => accounts.loginAsDemoUser(visitor),
	refreshToken: ({ refreshToken }, { visitor }) => accounts.refresh(refreshToken, visitor),
	logout: async (_, caller) => {
		await accounts.logout(playerOf(caller));
		return null;
	},
	getUserInfo: (_, caller) => accounts.user(playerOf(caller).playerId),
});
