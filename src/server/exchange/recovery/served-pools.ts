/**
 * The pools that a database has. An engine of some pools has a database of its own, and a process that is configured for
 * others would open wallets and books where they do not belong.
 */
import type pg from 'pg';
import { HOME_POOLS, type Pool, poolsText } from '#values/pools.ts';

/**
 * Notes the pools at the first start. Later a pool may leave, for an engine of its own, before it has a wallet. One of a
 * further currency may come, and markets that open from then on have it; none of the home currency may, because another
 * engine, which had it from the beginning, has its wallets.
 * @throws Error in words for an operator, if this database has other pools; nothing is changed
 */
export async function claimPools(db: pg.Pool, pools: readonly Pool[]): Promise<void> {
	await db.query('insert into served_pools (id, pools) values (1, $1) on conflict do nothing', [pools]);
	const { rows } = await db.query<{ before: Pool[] }>('select pools as before from served_pools');
	const before = rows[0]?.before ?? [];
	const added = pools.filter((pool) => HOME_POOLS.includes(pool) && !before.includes(pool));
	if (added.length > 0) {
		throw new Error(
			`This database has the pools ${poolsText(before)}, and POOLS is ${poolsText(pools)}. ` +
				'A pool is not added to a database: correct POOLS or DATABASE_URL.',
		);
	}
	const held = await db.query<{ pool: Pool }>('select pool from wallet where pool <> all ($1) limit 1', [pools]);
	if (held.rows[0]) {
		throw new Error(
			`This database holds wallets of the pool ${held.rows[0].pool}, and POOLS is ${poolsText(pools)}. ` +
				'A pool leaves a database only before it has a wallet: correct POOLS or DATABASE_URL.',
		);
	}
	const left = await db.query('update served_pools set pools = $1 where pools = $2', [pools, before]);
	// Another process, which may be configured for other pools, was faster.
	if (left.rowCount === 0) await claimPools(db, pools);
}

/** The pools that this database has; those of the home currency before its first start. */
export async function servedPools(db: Pick<pg.Pool, 'query'>): Promise<readonly Pool[]> {
	const { rows } = await db.query<{ pools: Pool[] }>('select pools from served_pools');
	return rows[0]?.pools ?? HOME_POOLS;
}

/** Names the ledger of this database: no other one has the same, except a copy. */
export async function ledgerIdOf(db: pg.Pool): Promise<string> {
	const { rows } = await db.query<{ ledgerId: string }>('select ledger_id as "ledgerId" from served_pools');
	return rows[0]?.ledgerId ?? '';
}
