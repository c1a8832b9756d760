import type { ResultOf } from '#contract/call.ts';
import type { Calls } from '#contract/registry.ts';
import { type Caller, type HandlersOf, type Parts, playerOf } from '#server/calls/handler.ts';
import { isoTime } from '#server/exchange/views/wire-views.ts';
import type { ApiKey, NewApiKey } from '#server/people/players/api-keys.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { PlayerId } from '#values/ids.ts';

type View = ResultOf<Calls['getApiAccess']>;

const keyView = (key: ApiKey): View['keys'][number] => ({
	keyId: String(key.keyId),
	name: key.name,
	hint: key.hint,
	mayTrade: key.mayTrade,
	addresses: [...key.addresses],
	callsPerSecond: key.callsPerSecond,
	createdAt: isoTime(key.createdAtMs),
	usedAt: key.usedAtMs === null ? null : isoTime(key.usedAtMs),
});

/**
 * Makes a key of the player, from the site or by a bot: no barred player gets one, and each takes the password.
 * @throws Refused
 */
export async function makeApiKey(
	{ players, funds }: Parts,
	caller: Caller,
	{ password, ...asked }: NewApiKey & { password: string },
): Promise<{ appKey: string; key: ApiKey }> {
	const login = playerOf(caller);
	funds.protection.admit(login.playerId, 'API_KEY');
	await players.checkPassword(login, password);
	return await players.apiKeys.create(login.playerId, asked, caller.visitor.address);
}

export const apiAccessHandlers = (parts: Parts): HandlersOf<'getApiAccess' | 'createApiKey' | 'revokeApiKey'> => {
	const { players } = parts;
	const view = (playerId: PlayerId): View => ({ keys: players.apiKeys.of(playerId).map(keyView) });
	return {
		getApiAccess: (_, caller) => view(playerOf(caller).playerId),
		createApiKey: async (asked, caller) => {
			const { appKey, key } = await makeApiKey(parts, caller, asked);
			return { appKey, key: keyView(key) };
		},
		revokeApiKey: async ({ keyId }, caller) => {
			const { playerId } = playerOf(caller);
			if (!/^\d{1,15}$/.test(keyId)) throw new Refused('NOT_FOUND');
			await players.apiKeys.revoke(playerId, Number(keyId), caller.visitor.address);
			return view(playerId);
		},
	};
};
