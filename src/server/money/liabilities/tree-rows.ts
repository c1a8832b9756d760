/**
 * The rows of sum trees. Of the newest tree of a pool the leaves and every eighth level above are stored: a path takes a
 * read of one row and 255 hashes for each stored level. To store all levels takes twice the bytes and saves less than a
 * millisecond; to store none takes a computation of the whole tree for each player who asks (`bench liabilities`).
 */
import type pg from 'pg';
import { NODE_BYTES, pathIn, type Sums, sumsOf } from '#public-log/sum-tree.ts';
import {
	BLOCK_WALLETS,
	ENTRY_BYTES,
	entryAt,
	leafTexts,
	SHARES,
	type SumTree,
	saltsOf,
	TILE_NODES,
} from '#server/money/liabilities/build-tree.ts';
import type { DayEnd } from '#server/money/liabilities/day-end.ts';
import { inTransaction } from '#server/platform/postgres/transaction.ts';
import type { Pool } from '#values/pools.ts';
import { dayName } from '#values/zoned-calendar.ts';

/** Rows that one statement writes. */
const ROWS_AT_ONCE = 64;

interface Tree {
	pool: Pool;
	day: number;
}

/** By which the log finds a tree. */
export const treeRef = ({ pool, day }: Tree): string => `${pool} ${dayName(day)}`;

/** Whether its nodes are kept, as of the newest day of a pool. */
type Keeps = { keepsNodes: boolean };

/**
 * Writes a tree whole. Of processes that make one for the same day at once, the first to commit has made it.
 * @returns whether this is the one
 */
export async function writeTree(
	db: pg.Pool,
	{ pool, day, batch }: DayEnd,
	tree: SumTree & { pots: number },
	{ keepsNodes }: Keeps,
): Promise<boolean> {
	return await inTransaction(db, async (client) => {
		const { rowCount } = await client.query(
			`insert into sum_tree (pool, day, batch, size, root, cash, held, bonus, shortfall, pots, secret)
			values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) on conflict (pool, day) do nothing`,
			[
				pool,
				day,
				batch,
				tree.size,
				tree.root,
				tree.cash,
				tree.held,
				tree.bonus,
				tree.shortfall,
				tree.pots,
				keepsNodes ? tree.secret : null,
			],
		);
		if (rowCount === 0) return false;
		if (keepsNodes) {
			await deleteNodes(client, pool, day);
			for (const [level, nodes] of tree.levels.entries())
				await inParts(nodes, TILE_NODES * NODE_BYTES, (values) =>
					client.query(
						`insert into sum_tree_tile (pool, day, level, tile, nodes)
						select $1, $2, $3, $4::int + n, substring($5::bytea from n * $6::int + 1 for $6::int)
						from generate_series(0, $7::int - 1) as n`,
						[pool, day, level, ...values],
					),
				);
			await inParts(tree.places, BLOCK_WALLETS * ENTRY_BYTES, (values) =>
				client.query(
					`insert into sum_tree_place (pool, day, block, first_wallet, places)
					select $1, $2, $3::int + n, ('x' || encode(substring(places from 1 for 8), 'hex'))::bit(64)::bigint, places
					from generate_series(0, $6::int - 1) as n
					cross join lateral (select substring($4::bytea from n * $5::int + 1 for $5::int) as places) as block`,
					[pool, day, ...values],
				),
			);
		}
		return true;
	});
}

/** Calls with the number of the first row, the bytes of many, the bytes of a row, and how many rows there are. */
async function inParts(
	bytes: Buffer,
	rowBytes: number,
	write: (values: readonly unknown[]) => Promise<unknown>,
): Promise<void> {
	for (let row = 0; row * rowBytes < bytes.length; row += ROWS_AT_ONCE) {
		const some = bytes.subarray(row * rowBytes, (row + ROWS_AT_ONCE) * rowBytes);
		await write([row, some, rowBytes, Math.ceil(some.length / rowBytes)]);
	}
}

/** Of earlier days, whose roots stay. */
async function deleteNodes(client: pg.ClientBase, pool: Pool, before: number): Promise<void> {
	for (const table of ['sum_tree_tile', 'sum_tree_place'])
		await client.query(`delete from ${table} where pool = $1 and day < $2`, [pool, before]);
	await client.query('update sum_tree set secret = null where pool = $1 and day < $2 and secret is not null', [
		pool,
		before,
	]);
}

export interface StoredProof {
	/** Text of the log's leaf. */
	tree: string;
	leaves: { text: string; index: number; path: Buffer[] }[];
	/** Where the log has that leaf. */
	place: { log: number; entry: number };
}

interface NewestTree extends Tree {
	size: number;
	secret: Buffer;
}

/** @returns null where the newest tree has no leaf of the wallet, or is not in the log yet */
export async function proofOf(db: pg.Pool, pool: Pool, walletId: number): Promise<StoredProof | null> {
	const { rows } = await db.query<NewestTree>(
		'select pool, day, size, secret from sum_tree where pool = $1 and secret is not null order by day desc limit 1',
		[pool],
	);
	const [tree] = rows;
	const logged = tree && (await loggedLeaf(db, tree));
	const found = logged && (await placesOf(db, tree, walletId));
	if (!found) return null;
	const named = await db.query<{ brand: string; name: string }>(
		'select brand, user_name as name from player where player_id = $1',
		[walletId],
	);
	const { brand = '', name = '' } = named.rows[0] ?? {};
	const paths = await Promise.all(found.places.map((place) => nodesFor(db, tree, place)));
	const parts: Sums[] = paths.map(({ node }) => sumsOf(node));
	const salts = saltsOf(tree.secret, found.rank * SHARES, SHARES);
	const leaves = leafTexts({ pool, day: dayName(tree.day), walletId, brand, name }, parts, salts);
	return {
		tree: logged.leaf,
		leaves: leaves.map((text, share) => ({
			text: text.toString(),
			index: found.places[share] as number,
			path: paths[share]?.path ?? [],
		})),
		place: { log: logged.log, entry: logged.entry },
	};
}

async function loggedLeaf(db: pg.Pool, tree: Tree): Promise<{ leaf: string; log: number; entry: number } | undefined> {
	const { rows } = await db.query<{ leaf: string; log: number; entry: number }>(
		`select leaf, log, entry from public_log_entry where type = 'liabilities' and ref = $1
		order by log desc, entry desc limit 1`,
		[treeRef(tree)],
	);
	return rows[0];
}

/** @returns the wallet's rank among all, and where its leaves stand; null for a wallet that the tree has not */
async function placesOf(
	db: pg.Pool,
	{ pool, day }: Tree,
	walletId: number,
): Promise<{ rank: number; places: number[] } | null> {
	const { rows } = await db.query<{ block: number; places: Buffer }>(
		`select block, places from sum_tree_place where pool = $1 and day = $2 and first_wallet <= $3
		order by first_wallet desc limit 1`,
		[pool, day, walletId],
	);
	const [block] = rows;
	if (!block) return null;
	const entries = Array.from({ length: block.places.length / ENTRY_BYTES }, (_, at) => entryAt(block.places, at));
	const at = entries.findIndex((entry) => entry.walletId === walletId);
	const places = entries[at]?.places;
	return places ? { rank: block.block * BLOCK_WALLETS + at, places } : null;
}

/** The leaf at a place, and its path. */
async function nodesFor(
	db: pg.Pool,
	{ pool, day, size }: Tree & { size: number },
	place: number,
): Promise<{ node: Buffer; path: Buffer[] }> {
	const path: Buffer[] = [];
	let node: Buffer | null = null;
	let [at, count] = [place, size];
	for (let level = 0; node === null || count > 1; level++) {
		const { rows } = await db.query<{ nodes: Buffer }>(
			'select nodes from sum_tree_tile where pool = $1 and day = $2 and level = $3 and tile = $4',
			[pool, day, level, Math.floor(at / TILE_NODES)],
		);
		const nodes = rows[0]?.nodes;
		if (!nodes) throw new Error(`the tree ${treeRef({ pool, day })} lacks nodes of level ${level}`);
		const inTile = at % TILE_NODES;
		node ??= nodes.subarray(inTile * NODE_BYTES, (inTile + 1) * NODE_BYTES);
		path.push(...pathIn(nodes, inTile).map((each) => Buffer.from(each)));
		[at, count] = [Math.floor(at / TILE_NODES), Math.ceil(count / TILE_NODES)];
	}
	return { node, path };
}
