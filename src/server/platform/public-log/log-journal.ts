/** The journal in the public log: the chain of its newest row, which no earlier row can be changed without. */
import type { Leaf, LeafSource } from '#server/platform/public-log/leaf-source.ts';

export interface JournalHead {
	seq: number;
	chain: Buffer;
}

export const journalLeaf = ({ seq, chain }: JournalHead): Leaf => ({
	type: 'journal',
	ref: null,
	body: { seq, chain: chain.toString('hex') },
});

export const journalLeaves: LeafSource<number> = {
	name: 'journal',
	waiting: `exists (select from journal where seq > coalesce((cursor #>> '{}')::bigint, 0) and chain is not null)`,
	take: async (client, cursor) => {
		const { rows } = await client.query<JournalHead>(
			'select seq, chain from journal where seq > $1 and chain is not null order by seq desc limit 1',
			[cursor ?? 0],
		);
		const [head] = rows;
		return head ? { leaves: [journalLeaf(head)], cursor: head.seq } : { leaves: [], cursor };
	},
};
