/** Sum trees in the public log: their roots and totals, which bind the house to each leaf. */
import type { Liabilities } from '#public-log/wallet-proof.ts';
import { treeRef } from '#server/money/liabilities/tree-rows.ts';
import { type Leaf, type LeafSource, MOST_AT_ONCE } from '#server/platform/public-log/leaf-source.ts';
import type { Pool } from '#values/pools.ts';
import { dayName } from '#values/zoned-calendar.ts';

export interface LoggedTree extends Omit<Liabilities, 'type' | 'pool' | 'day' | 'root'> {
	pool: Pool;
	day: number;
	root: Buffer;
}

export const TREE_COLUMNS = 'pool, day, batch, size, root, cash, held, bonus, shortfall, pots';

export function treeLeaf({ pool, day, batch, size, root, cash, held, bonus, shortfall, pots }: LoggedTree): Leaf {
	const body = { pool, day: dayName(day), batch, size, root: root.toString('base64') };
	return { type: 'liabilities', ref: treeRef({ pool, day }), body: { ...body, cash, held, bonus, shortfall, pots } };
}

/** Rows that another statement holds come later. */
export const treeLeaves: LeafSource<null> = {
	name: 'liabilities',
	waiting: 'exists (select from sum_tree where not is_logged)',
	take: async (client) => {
		const { rows } = await client.query<LoggedTree>(
			`update sum_tree set is_logged = true where (pool, day) in (
				select pool, day from sum_tree where not is_logged order by day, pool limit ${MOST_AT_ONCE} for update skip locked
			) returning ${TREE_COLUMNS}`,
		);
		const leaves = rows.sort((one, other) => one.day - other.day || one.pool.localeCompare(other.pool));
		return { leaves: leaves.map(treeLeaf), cursor: null };
	},
};
