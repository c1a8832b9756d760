import type { HandlersOf, Parts } from '#server/calls/handler.ts';

export const tokenHandlers = ({ players }: Parts): HandlersOf<'exchangeToken'> => ({
	exchangeToken: async ({ client_id, client_secret, redirect_uri, code }, { visitor }) => {
		const grant = { clientId: client_id, clientSecret: client_secret, redirectUri: redirect_uri, code };
		const tokens = await players.exchangeCode(grant, visitor);
		return {
			...tokens,
			access_token: tokens.accessToken,
			refresh_token: tokens.refreshToken,
			token_type: 'Bearer',
			expires_in: tokens.expireInSeconds,
		};
	},
});
