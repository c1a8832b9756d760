/** A player's passkeys and authenticator: changed for the password, so that a stolen login changes none. */
import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import { encodeQR } from 'qr';
import { type HandlersOf, type Parts, playerOf } from '#server/calls/handler.ts';
import { isoTime } from '#server/exchange/views/wire-views.ts';
import type { PlayerId } from '#values/ids.ts';

export const factorHandlers = ({
	players,
}: Parts): HandlersOf<
	| 'getFactors'
	| 'beginPasskeyLogin'
	| 'beginAddingPasskey'
	| 'addPasskey'
	| 'renamePasskey'
	| 'removePasskey'
	| 'beginAuthenticator'
	| 'addAuthenticator'
	| 'removeAuthenticator'
> => {
	const { passkeys, authenticators } = players;
	const factors = async (playerId: PlayerId) => ({
		passkeys: (await passkeys.of(playerId)).map(({ keyId, name, createdAtMs, lastUsedAtMs }) => ({
			keyId,
			name,
			createdAt: isoTime(createdAtMs),
			lastUsedAt: lastUsedAtMs === null ? null : isoTime(lastUsedAtMs),
		})),
		recoveryCodesLeft: await authenticators.codesLeft(playerId),
	});
	return {
		getFactors: (_, caller) => factors(playerOf(caller).playerId),
		beginPasskeyLogin: async (_, { visitor }) => ({ ...(await passkeys.beginShowing(visitor)) }),
		beginAddingPasskey: async ({ password }, caller) => {
			const login = playerOf(caller);
			await players.checkPassword(login, password);
			return { ...(await passkeys.beginAdding(login, caller.visitor)) };
		},
		addPasskey: async ({ name, response }, caller) => {
			const login = playerOf(caller);
			const added = { name, response: response as unknown as RegistrationResponseJSON };
			await passkeys.add(login, added, caller.visitor);
			return await factors(login.playerId);
		},
		renamePasskey: async ({ keyId, name, password }, caller) => {
			const login = playerOf(caller);
			await players.checkPassword(login, password);
			await players.renamePasskey(login, { keyId, name }, caller.visitor);
			return await factors(login.playerId);
		},
		removePasskey: async ({ keyId, password }, caller) => {
			const login = playerOf(caller);
			await players.checkPassword(login, password);
			await players.removePasskey(login, keyId, caller.visitor);
			return await factors(login.playerId);
		},
		beginAuthenticator: async ({ password }, caller) => {
			const login = playerOf(caller);
			await players.checkPassword(login, password);
			const { secret, uri } = await authenticators.begin(login, caller.visitor.brand.setting.domainTitle);
			return { secret, uri, qr: encodeQR(uri, 'svg', { ecc: 'medium' }) };
		},
		addAuthenticator: async ({ code }, caller) => ({
			recoveryCodes: await authenticators.add(playerOf(caller), code, caller.visitor.address),
		}),
		removeAuthenticator: async ({ password, code }, caller) => {
			const login = playerOf(caller);
			await players.checkPassword(login, password);
			await players.removeAuthenticator(login, code, caller.visitor);
			return await factors(login.playerId);
		},
	};
};
