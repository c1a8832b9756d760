/** The rows of a log: leaves and tiles, and what is served of them as files. */
import type pg from 'pg';
import { HASH_BYTES, treeRoot } from '#public-log/merkle-tree.ts';
import {
	bundleOf,
	LARGEST_LEAF,
	nodesFrom,
	rootOver,
	TILE_WIDTH,
	type TileName,
	tileWidth,
} from '#public-log/tiles.ts';
import { type Leaf, leafText } from '#server/platform/public-log/leaf-source.ts';
import { leafOf, nodeOf } from '#server/platform/public-log/tree-hashes.ts';

/** Characters of a leaf in a message. */
const SHOWN = 200;

type Queries = Pick<pg.Pool | pg.ClientBase, 'query'>;

async function storedHashes(db: Queries, log: number, level: number, index: number): Promise<Buffer> {
	const { rows } = await db.query<{ hashes: Buffer }>({
		name: 'tile-of-log',
		text: 'select hashes from public_log_tile where log = $1 and level = $2 and tile = $3',
		values: [log, level, index],
	});
	return rows[0]?.hashes ?? Buffer.alloc(0);
}

/** Appends hashes to one level of tiles. @returns the roots of the tiles that they fill, for the level above */
async function appendHashes(
	client: pg.PoolClient,
	{ log, level, size }: { log: number; level: number; size: number },
	hashes: readonly Uint8Array[],
): Promise<Uint8Array[]> {
	const first = Math.floor(size / TILE_WIDTH);
	const bytes = Buffer.concat([await storedHashes(client, log, level, first), ...hashes]);
	if (bytes.length !== ((size % TILE_WIDTH) + hashes.length) * HASH_BYTES)
		throw new Error(`the tile ${level}/${first} of the public log has not the hashes of ${size} leaves`);
	const filled: Uint8Array[] = [];
	for (let index = first, at = 0; at < bytes.length; index++, at += TILE_WIDTH * HASH_BYTES) {
		const tile = bytes.subarray(at, at + TILE_WIDTH * HASH_BYTES);
		await client.query({
			name: 'write-tile-of-log',
			text: `insert into public_log_tile (log, level, tile, hashes) values ($1, $2, $3, $4)
			on conflict (log, level, tile) do update set hashes = excluded.hashes`,
			values: [log, level, index, tile],
		});
		if (tile.length === TILE_WIDTH * HASH_BYTES) filled.push(rootOver(tile, nodeOf));
	}
	return filled;
}

/** Appends leaves to a log of that size. @returns the root of the tree with them */
export async function appendLeaves(
	client: pg.PoolClient,
	log: number,
	size: number,
	leaves: readonly Leaf[],
): Promise<Uint8Array> {
	const texts = leaves.map(leafText);
	const large = texts.find((text) => Buffer.byteLength(text) > LARGEST_LEAF);
	if (large !== undefined) throw new Error(`a leaf is too large for the public log: ${large.slice(0, SHOWN)}`);
	await client.query(
		`insert into public_log_entry (log, entry, type, ref, leaf)
		select $1, $2::bigint + place - 1, type, ref, leaf
		from unnest($3::text[], $4::text[], $5::text[]) with ordinality as rows (type, ref, leaf, place)`,
		[log, size, leaves.map(({ type }) => type), leaves.map(({ ref }) => ref), texts],
	);
	let hashes: Uint8Array[] = texts.map(leafOf);
	for (let level = 0; hashes.length > 0; level++) {
		const below = Math.floor(size / TILE_WIDTH ** level);
		hashes = await appendHashes(client, { log, level, size: below }, hashes);
	}
	const grown = size + leaves.length;
	return await treeRoot(
		nodesFrom(({ level, index }) => storedHashes(client, log, level, index), grown, nodeOf),
		grown,
	);
}

/** A tile or a bundle of entries in a log of that size; null if the log has it not, or not that wide. */
export async function fileOf(db: Queries, log: number, size: number, name: TileName): Promise<Uint8Array | null> {
	const { level, index, width } = name;
	if (tileWidth(level, index, size) < width) return null;
	if (level !== null) return (await storedHashes(db, log, level, index)).subarray(0, width * HASH_BYTES);
	const { rows } = await db.query<{ leaf: string }>(
		'select leaf from public_log_entry where log = $1 and entry >= $2 and entry < $3 order by entry',
		[log, index * TILE_WIDTH, index * TILE_WIDTH + width],
	);
	return bundleOf(rows.map(({ leaf }) => Buffer.from(leaf)));
}

/** A log as the public knows it. */
export interface PublishedLog {
	log: number;
	origin: string;
	/** NAME+ID+KEY, as C2SP signed-note has it. */
	key: string;
	/** Why it was begun. */
	reason: string;
	/** Milliseconds since 1970. */
	begunAt: number;
	size: number;
	/** The newest signed checkpoint. */
	checkpoint: string;
}

/** Newest first. */
export async function publishedLogs(db: Queries): Promise<PublishedLog[]> {
	const { rows } = await db.query<PublishedLog>(
		`select log, origin, key, reason, begun_at as "begunAt", size, checkpoint from public_log
		where checkpoint is not null order by log desc`,
	);
	return rows;
}

/** Ends the newest log of a restored database: what is appended later belongs to another one. */
export async function closeLog(db: Queries, reason: string): Promise<void> {
	await db.query(`update public_log set closed = $1 where closed is null and log = (select max(log) from public_log)`, [
		reason,
	]);
}
