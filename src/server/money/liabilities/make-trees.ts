/**
 * Makes the sum trees of closed days: of each pool the days since its last tree, and in a ledger without one the last day.
 * A tree is compared with the trial balance before it is written.
 */
import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { buildTree, type SumTree } from '#server/money/liabilities/build-tree.ts';
import {
	type ClosedDay,
	type DayEnd,
	dayEndOf,
	otherMoneyThen,
	walletCount,
	walletsThen,
} from '#server/money/liabilities/day-end.ts';
import { writeTree } from '#server/money/liabilities/tree-rows.ts';
import type { Pool } from '#values/pools.ts';
import { dayName, dayStart, firstOpenDay } from '#values/zoned-calendar.ts';

const SECRET_BYTES = 32;

/** A tree that was made. */
export interface MadeTree {
	pool: Pool;
	day: string;
	leaves: number;
	/** Base64. */
	root: string;
}

/** Whose trees are made, and by which days. */
export interface TreesOf {
	pools: readonly Pool[];
	/** Of the books: BOOKS_ZONE. */
	zone: string;
	/** As `earlierTime` has it: a clock that is ahead closes no day. */
	nowMs: number;
}

/** The last closed day, as far as the ledger and the clock say. */
export async function lastClosedDay(db: pg.Pool, { nowMs, zone }: Pick<TreesOf, 'nowMs' | 'zone'>): Promise<number> {
	const { rows } = await db.query<{ at: number }>('select at from lease');
	return firstOpenDay(rows[0]?.at ?? 0, nowMs, zone) - 1;
}

/** The closed days of a pool without a tree, oldest first; none before it had an account. */
async function dueDays(db: pg.Pool, pool: Pool, newest: number, zone: string): Promise<number[]> {
	const { rows } = await db.query<{ last: number | null; has: boolean }>(
		`select max(day) as last, exists (
			select from wallet join player on player_id = wallet_id where wallet.pool = $1 and created_at < $2
		) as has from sum_tree where pool = $1`,
		[pool, dayStart(newest + 1, zone)],
	);
	const { last = null, has = false } = rows[0] ?? {};
	const first = last === null ? newest : last + 1;
	return has ? Array.from({ length: Math.max(0, newest - first + 1) }, (_, step) => first + step) : [];
}

/** Whether a pool lacks the tree of a closed day. */
export async function isAnyDue(
	db: pg.Pool,
	{ pools, zone }: Pick<TreesOf, 'pools' | 'zone'>,
	newest: number,
): Promise<boolean> {
	for (const pool of pools) if ((await dueDays(db, pool, newest, zone)).length > 0) return true;
	return false;
}

/** @throws Error where a tree is not what the trial balance says; other pools have their trees nevertheless */
export async function* makeTrees(db: pg.Pool, asked: TreesOf): AsyncGenerator<MadeTree> {
	const { pools, zone } = asked;
	const newest = await lastClosedDay(db, asked);
	const failures: unknown[] = [];
	for (const pool of pools) {
		try {
			for (const day of await dueDays(db, pool, newest, zone)) {
				const { end, tree } = await treeOf(db, pool, { day, untilMs: dayStart(day + 1, zone) });
				// Of earlier days the root alone stays.
				const isMade = await writeTree(db, end, tree, { keepsNodes: day === newest });
				if (isMade) yield { pool, day: dayName(day), leaves: tree.size, root: tree.root.toString('base64') };
			}
		} catch (error) {
			failures.push(error);
		}
	}
	if (failures.length > 0) throw failures[0];
}

/** From one snapshot, which no transaction of the exchange waits for. */
async function treeOf(
	db: pg.Pool,
	pool: Pool,
	closed: ClosedDay,
): Promise<{ end: DayEnd; tree: SumTree & { pots: number } }> {
	const client = await db.connect();
	try {
		await client.query('begin transaction isolation level repeatable read read only');
		const { day } = closed;
		const end = await dayEndOf(client, pool, closed);
		const leafed = { pool, day: dayName(day), secret: randomBytes(SECRET_BYTES) };
		const tree = await buildTree(leafed, await walletCount(client, pool), walletsThen(client, end));
		const { total, pots } = await otherMoneyThen(client, end);
		const players = tree.cash + tree.held + tree.bonus - tree.shortfall;
		if (players + total !== 0)
			throw new Error(
				`The wallets of ${pool} had ${players} minor units at the end of ${dayName(day)}, and by the trial balance ${-total}.`,
			);
		return { end, tree: { ...tree, pots } };
	} finally {
		// With its snapshot.
		client.release(true);
	}
}
