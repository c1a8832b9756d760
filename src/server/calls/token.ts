import type { HandlersOf, Parts } from '#server/calls/handler.ts';

export const tokenHandlers = ({ players }: Parts): HandlersOf<'exchangeToken'> => ({
	exchangeToken: ({ client_id, client_secret, redirect_uri, code }, { visitor }) =>
		players.exchangeCode(
			{ clientId: client_id, clientSecret: client_secret, redirectUri: redirect_uri, code },
			visitor,
		),
});
