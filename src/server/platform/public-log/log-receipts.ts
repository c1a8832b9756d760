/** Roots of receipts in the public log. */
import { type Leaf, type LeafSource, MOST_AT_ONCE } from '#server/platform/public-log/leaf-source.ts';

export interface ReceiptRoot {
	id: string;
	size: number;
	root: Buffer;
}

export const receiptsLeaf = ({ id, size, root }: ReceiptRoot): Leaf => ({
	type: 'receipts',
	ref: id,
	body: { id, size, root: root.toString('base64') },
});

/** Rows that another statement holds come later. */
export const receiptLeaves: LeafSource<null> = {
	name: 'receipts',
	waiting: 'exists (select from receipt_root where not is_logged)',
	take: async (client) => {
		const { rows } = await client.query<ReceiptRoot>(
			`update receipt_root set is_logged = true where id in (
				select id from receipt_root where not is_logged order by at, id limit ${MOST_AT_ONCE} for update skip locked
			) returning id, size, root`,
		);
		return { leaves: rows.map(receiptsLeaf), cursor: null };
	},
};
