/** A player's notifications. */
import { type HandlersOf, type Parts, playerOf } from '#server/calls/handler.ts';
import type { PlayerId } from '#values/ids.ts';

export const pushHandlers = ({
	push: { subscriptions, publicKey },
}: Parts): HandlersOf<'getPush' | 'subscribePush' | 'unsubscribePush' | 'setPushChoices'> => {
	const state = (playerId: PlayerId) => ({
		publicKey,
		...subscriptions.choiceOf(playerId),
		browsers: subscriptions.of(playerId).length,
	});
	return {
		getPush: (_, caller) => state(playerOf(caller).playerId),
		subscribePush: async ({ endpoint, p256dh, auth }, caller) => {
			const { playerId, loginId } = playerOf(caller);
			const [publicKey, secret] = [Buffer.from(p256dh, 'base64url'), Buffer.from(auth, 'base64url')];
			await subscriptions.add({ playerId, loginId, endpoint, publicKey, secret });
			return state(playerId);
		},
		unsubscribePush: async ({ endpoint }, caller) => {
			const { playerId } = playerOf(caller);
			await subscriptions.removeOwn(playerId, endpoint);
			return state(playerId);
		},
		setPushChoices: async ({ off, atNight }, caller) => {
			const { playerId } = playerOf(caller);
			await subscriptions.choose(playerId, { off: [...new Set(off)], atNight });
			return state(playerId);
		},
	};
};
