import * as v from 'valibot';
import { defineCall } from '#contract/call.ts';

export const getWalletProof = defineCall({
	method: 'GET',
	changesState: false,
	path: 'Account/GetWalletProof',
	auth: 'player',
	whileSuspended: true,
	summary:
		'The leaves of the player’s wallet in the newest tree of what the house owes, with their paths to its root, and where the public log has it.',
	request: v.object({}),
	response: v.object({
		/** Text of the log's leaf about the tree, type `liabilities`. */
		tree: v.string(),
		leaves: v.array(
			v.object({
				/** Its bytes are the leaf. */
				text: v.string(),
				/** Its place in the tree, from 0. */
				index: v.number(),
				/** Nodes beside the way to the root, base64: hash, and three sums of eight bytes. */
				path: v.array(v.string()),
			}),
		),
		/** Where the public log has the tree's leaf: `/public-log/{log}/`, and its place there, from 0. */
		place: v.object({ log: v.number(), entry: v.number() }),
	}),
});
