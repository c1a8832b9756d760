/** A player's notifications. */
import { type HandlersOf, type Parts, playerOf } from '#server/calls/handler.ts';
import { secretHash } from '#server/platform/keys/secret-hash.ts';
import type { PlayerId } from '#values/ids.ts';

interface Login {
	playerId: PlayerId;
	loginId: string;
}

export const pushHandlers = ({
	push: { subscriptions, publicKey },
}: Parts): HandlersOf<'getPush' | 'subscribePush' | 'unsubscribePush' | 'setPushChoices'> => {
	const state = ({ playerId, loginId }: Login, browser?: string) => ({
		publicKey,
		...subscriptions.choiceOf(playerId),
		browsers: subscriptions.of(playerId).length,
		...(browser === undefined ? {} : { isSubscribed: subscriptions.isOf({ playerId, loginId }, browser) }),
	});
	return {
		getPush: ({ browser }, caller) => state(playerOf(caller), browser),
		subscribePush: async ({ endpoint, p256dh, auth }, caller) => {
			const { playerId, loginId } = playerOf(caller);
			const [publicKey, secret] = [Buffer.from(p256dh, 'base64url'), Buffer.from(auth, 'base64url')];
			await subscriptions.add({ playerId, loginId, endpoint, publicKey, secret });
			return state({ playerId, loginId }, secretHash(endpoint));
		},
		unsubscribePush: async ({ endpoint }, caller) => {
			const login = playerOf(caller);
			await subscriptions.removeOwn(login.playerId, endpoint);
			return state(login, secretHash(endpoint));
		},
		setPushChoices: async ({ off, atNight }, caller) => {
			const login = playerOf(caller);
			await subscriptions.choose(login.playerId, { off: [...new Set(off)], atNight });
			return state(login);
		},
	};
};
