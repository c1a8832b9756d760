/**
 * The tree as files (C2SP tlog-tiles): a tile has up to 256 hashes of every eighth level, and a bundle of entries has up
 * to 256 leaves. A full one never changes. One that is not full is a file of its own for each width.
 */
import { concatBytes } from '@noble/hashes/utils.js';
import { HASH_BYTES, type NodeAt, nodeHash } from '#public-log/merkle-tree.ts';

/** Levels of the tree in a tile. */
const TILE_LEVELS = 8;
/** Hashes in a full tile, and leaves in a full bundle. */
export const TILE_WIDTH = 2 ** TILE_LEVELS;
/** A tree of 2^40 leaves has tiles at levels 0 to 5. */
const TOP_TILE_LEVEL = 5;
/** The largest leaf that a bundle can hold. */
export const LARGEST_LEAF = 2 ** 16 - 1;
const LENGTH_BYTES = 2;

/** Which tile, or which bundle of entries, and how much of it there is. */
export interface TileName {
	/** Null for a bundle of entries. */
	level: number | null;
	index: number;
	/** 1 to 256. */
	width: number;
}

/** How many hashes a tile has in a tree of that size; 0 if there is no such tile. */
export function tileWidth(level: number | null, index: number, size: number): number {
	const hashes = Math.floor(size / TILE_WIDTH ** (level ?? 0)) - index * TILE_WIDTH;
	return Math.min(Math.max(hashes, 0), TILE_WIDTH);
}

/** Digits of the index in groups of three, all but the last with an x. */
function indexPath(index: number): string {
	const digits = `${index}`;
	const groups = digits.padStart(Math.ceil(digits.length / 3) * 3, '0').match(/\d{3}/g) ?? [];
	return groups.map((group, at) => (at < groups.length - 1 ? `x${group}` : group)).join('/');
}

/** The tile's path below the log's address. */
export const tilePath = ({ level, index, width }: TileName): string =>
	`tile/${level ?? 'entries'}/${indexPath(index)}${width === TILE_WIDTH ? '' : `.p/${width}`}`;

/** Null for a path that is not the one of any tile. */
export function tileOfPath(path: string): TileName | null {
	const [, level, digits, partial] =
		/^tile\/(entries|\d)\/((?:x\d{3}\/){0,4}\d{3})(?:\.p\/(\d{1,3}))?$/.exec(path) ?? [];
	if (level === undefined || digits === undefined) return null;
	const name = {
		level: level === 'entries' ? null : Number(level),
		index: Number(digits.replace(/\D/g, '')),
		width: partial === undefined ? TILE_WIDTH : Number(partial),
	};
	return (name.level ?? 0) <= TOP_TILE_LEVEL && name.width >= 1 && tilePath(name) === path ? name : null;
}

/** Reads a tile of hashes, of that width. */
type ReadTile = (name: TileName & { level: number }) => Promise<Uint8Array>;

const hashAt = (tile: Uint8Array, at: number): Uint8Array => tile.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES);

/**
 * The root over neighbouring hashes, a power of two of them.
 * @param hashOf a node's, as `nodeHash`
 */
export function rootOver(hashes: Uint8Array, hashOf: typeof nodeHash = nodeHash): Uint8Array {
	let level = Array.from({ length: hashes.length / HASH_BYTES }, (_, at) => hashAt(hashes, at));
	while (level.length > 1) {
		const below = level;
		level = Array.from({ length: below.length / 2 }, (_, at) =>
			hashOf(below[2 * at] as Uint8Array, below[2 * at + 1] as Uint8Array),
		);
	}
	const [root] = level;
	if (root?.length !== HASH_BYTES) throw new Error('a tile has fewer hashes than its tree says');
	return root;
}

/**
 * The nodes of a tree of that size, from its tiles.
 * @param hashOf a node's, as `nodeHash`
 */
export function nodesFrom(read: ReadTile, size: number, hashOf: typeof nodeHash = nodeHash): NodeAt {
	const tiles = new Map<string, Promise<Uint8Array>>();
	const tileOf = (level: number, index: number): Promise<Uint8Array> => {
		const name = { level, index, width: tileWidth(level, index, size) };
		const path = tilePath(name);
		const tile = tiles.get(path) ?? read(name);
		tiles.set(path, tile);
		return tile;
	};
	return async (level, index) => {
		const [tileLevel, height] = [Math.floor(level / TILE_LEVELS), level % TILE_LEVELS];
		const count = 2 ** height;
		const first = index * count;
		const tile = await tileOf(tileLevel, Math.floor(first / TILE_WIDTH));
		const from = (first % TILE_WIDTH) * HASH_BYTES;
		return rootOver(tile.subarray(from, from + count * HASH_BYTES), hashOf);
	};
}

/** A bundle: each leaf after its length in two bytes. */
export function bundleOf(leaves: readonly Uint8Array[]): Uint8Array {
	return concatBytes(
		...leaves.flatMap((leaf) => {
			if (leaf.length > LARGEST_LEAF) throw new Error(`a leaf of ${leaf.length} bytes is too large`);
			return [Uint8Array.of(leaf.length >> 8, leaf.length), leaf];
		}),
	);
}

/** @throws Error if the bundle does not end with a leaf */
export function leavesOf(bundle: Uint8Array): Uint8Array[] {
	const leaves: Uint8Array[] = [];
	for (let at = 0; at < bundle.length; ) {
		const from = at + LENGTH_BYTES;
		at = from + ((bundle[at] ?? 0) << 8) + (bundle[at + 1] ?? 0);
		if (at > bundle.length) throw new Error('a bundle of entries is cut off');
		leaves.push(bundle.subarray(from, at));
	}
	return leaves;
}
