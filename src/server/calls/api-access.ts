import type { ResultOf } from '#contract/call.ts';
import type { Calls } from '#contract/registry.ts';
import { type HandlersOf, type Parts, playerOf } from '#server/calls/handler.ts';
import { isoTime } from '#server/exchange/views/wire-views.ts';
import type { ApiKey } from '#server/people/players/api-keys.ts';
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

export const apiAccessHandlers = ({
	players,
	funds,
}: Parts): HandlersOf<'getApiAccess' | 'createApiKey' | 'revokeApiKey'> => {
	const view = (playerId: PlayerId): View => ({ keys: players.apiKeys.of(playerId).map(keyView) });
	return {
		getApiAccess: (_, caller) => view(playerOf(caller).playerId),
		createApiKey: async ({ password, ...asked }, caller) => {
			const login = playerOf(caller);
			funds.protection.admit(login.playerId, 'API_KEY');
			await players.checkPassword(login, password);
			const { appKey, key } = await players.apiKeys.create(login.playerId, asked, caller.visitor.address);
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
