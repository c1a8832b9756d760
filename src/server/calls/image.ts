import { type HandlersOf, type Parts, playerOf } from '#server/calls/handler.ts';

export const imageHandlers = ({ funds }: Parts): HandlersOf<'storeImage' | 'getImage' | 'readReceipt'> => ({
	storeImage: ({ image }, caller) => {
		const { playerId } = playerOf(caller);
		funds.deposits.admitPicture(playerId);
		return funds.images.store(playerId, image, caller.untilMs);
	},
	getImage: async ({ imageRef }, caller) => {
		const { type, bytes } = await funds.images.find(imageRef, playerOf(caller).playerId);
		return { type, image: bytes.toString('base64') };
	},
	readReceipt: ({ imageRef, amount }, caller) =>
		funds.deposits.read(playerOf(caller).playerId, { imageRef, amount: amount ?? null }, caller.untilMs),
});
