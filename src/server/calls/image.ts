import { type HandlersOf, type Parts, playerOf } from '#server/calls/handler.ts';

export const imageHandlers = ({ funds }: Parts): HandlersOf<'storeImage' | 'getImage' | 'readReceipt'> => ({
	storeImage: ({ image }, caller) => funds.images.store(playerOf(caller).playerId, image, caller.untilMs),
	getImage: async ({ imageRef }, caller) => {
		const { type, bytes } = await funds.images.find(imageRef, playerOf(caller).playerId);
		return { type, image: bytes.toString('base64') };
	},
	readReceipt: ({ imageRef, amount }, caller) =>
		funds.deposits.read(playerOf(caller).playerId, { imageRef, amount: amount ?? null }, caller.untilMs),
});
