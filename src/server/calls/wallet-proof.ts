/** What proves to a player that the wallet is among what the house owes. */
import { type HandlersOf, type Parts, playerOf } from '#server/calls/handler.ts';
import { Refused } from '#values/error-catalogue.ts';

export const walletProofHandlers = ({ sumTrees }: Parts): HandlersOf<'getWalletProof'> => ({
	getWalletProof: async (_, caller) => {
		const { pool, playerId } = playerOf(caller);
		const proof = await sumTrees.proof(pool, playerId);
		if (!proof) throw new Refused('NO_WALLET_PROOF');
		const { tree, leaves, place } = proof;
		return {
			tree,
			leaves: leaves.map(({ text, index, path }) => ({
				text,
				index,
				path: path.map((node) => node.toString('base64')),
			})),
			place,
		};
	},
});
