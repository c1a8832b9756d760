/**
 * The batches in the public log. A leaf has the chain of the batch's seal and the SHA-256 of its entries, which are keyed:
 * they tell a stranger nothing, and the house can change no sealed row without another leaf.
 */
import { hash } from 'node:crypto';
import { type Leaf, type LeafSource, MOST_AT_ONCE } from '#server/platform/public-log/leaf-source.ts';

export interface SealRow {
	batch: number;
	part: number;
	entries: Buffer;
	chain: Buffer;
}

/** The last batch, and its part, that has a leaf. */
interface BatchCursor {
	batch: number;
	part: number;
}

export const batchLeaf = ({ batch, part, entries, chain }: SealRow): Leaf => ({
	type: 'batch',
	ref: null,
	body: { batch, part, chain: chain.toString('hex'), entries: hash('sha256', entries, 'hex') },
});

/** The committer writes one batch after another, so a later one is never durable before an earlier one. */
export const batchLeaves: LeafSource<BatchCursor> = {
	name: 'batch',
	waiting: `exists (
		select from batch_seal
		where (batch, part) > (coalesce((cursor ->> 'batch')::bigint, 0), coalesce((cursor ->> 'part')::integer, -1))
	)`,
	take: async (client, cursor) => {
		const { rows } = await client.query<SealRow>(
			`select batch, part, entries, chain from batch_seal where (batch, part) > ($1, $2)
			order by batch, part limit ${MOST_AT_ONCE}`,
			[cursor?.batch ?? 0, cursor?.part ?? -1],
		);
		const last = rows.at(-1);
		return { leaves: rows.map(batchLeaf), cursor: last ? { batch: last.batch, part: last.part } : cursor };
	},
};
