/** What a stranger can check of a log, from its files alone. */
import type { Checkpoint } from '#public-log/checkpoint.ts';
import {
	consistencyProof,
	inclusionProof,
	isConsistent,
	isSameHash,
	leafHash,
	rootOfInclusion,
	treeRoot,
} from '#public-log/merkle-tree.ts';
import { leavesOf, nodesFrom, rootOver, TILE_WIDTH, tilePath, tileWidth } from '#public-log/tiles.ts';

/** The bytes of a file below the log's address. @throws Error if there is none */
export type ReadFile = (path: string) => Promise<Uint8Array>;

const nodesOf = (read: ReadFile, size: number) => nodesFrom((name) => read(tilePath(name)), size);

/** The tiles of the later tree prove that it begins with the earlier one, or the log has two histories. */
export async function continues(read: ReadFile, earlier: Checkpoint, later: Checkpoint): Promise<boolean> {
	if (earlier.origin !== later.origin || earlier.size > later.size) return false;
	return isConsistent(earlier, later, await consistencyProof(nodesOf(read, later.size), earlier.size, later.size));
}

/** The path by which the tree of the checkpoint has that leaf at that place; null if it has another leaf there. */
export async function pathTo(
	read: ReadFile,
	checkpoint: Checkpoint,
	index: number,
	leaf: Uint8Array,
): Promise<Uint8Array[] | null> {
	const { size, root } = checkpoint;
	const path = await inclusionProof(nodesOf(read, size), index, size);
	const found = rootOfInclusion(leafHash(leaf), index, size, path);
	return found && isSameHash(found, root) ? path : null;
}

/** A part of the log that is not what the checkpoint says. */
interface LogFault {
	/** The file, or the checkpoint's root. */
	path: string;
	/** Of the first leaf that differs; null for a file of hashes. */
	index: number | null;
}

/**
 * Computes the whole tree from its entries, and compares each tile and the root.
 * @param onLeaf gets each leaf, in order
 * @returns the first difference; null if there is none
 */
export async function verifyWhole(
	read: ReadFile,
	{ size, root }: Checkpoint,
	onLeaf: (leaf: Uint8Array, index: number) => void = () => undefined,
): Promise<LogFault | null> {
	/** The roots of the full tiles below, which are the hashes of the next level. */
	let below: Uint8Array[] = [];
	for (let index = 0; index < Math.ceil(size / TILE_WIDTH); index++) {
		const width = tileWidth(0, index, size);
		const leaves = leavesOf(await read(tilePath({ level: null, index, width })));
		const tile = await read(tilePath({ level: 0, index, width }));
		for (let at = 0; at < width; at++) {
			const leaf = leaves[at];
			const hash = tile.subarray(at * root.length, (at + 1) * root.length);
			if (!leaf || !isSameHash(leafHash(leaf), hash))
				return { path: tilePath({ level: 0, index, width }), index: index * TILE_WIDTH + at };
			onLeaf(leaf, index * TILE_WIDTH + at);
		}
		if (leaves.length !== width) return { path: tilePath({ level: null, index, width }), index: null };
		if (width === TILE_WIDTH) below.push(rootOver(tile));
	}
	for (let level = 1; below.length > 0; level++) {
		const hashes = below;
		below = [];
		for (let index = 0; index < Math.ceil(hashes.length / TILE_WIDTH); index++) {
			const width = tileWidth(level, index, size);
			const path = tilePath({ level, index, width });
			const tile = await read(path);
			const expected = hashes.slice(index * TILE_WIDTH, index * TILE_WIDTH + width);
			const differs = expected.some(
				(hash, at) => !isSameHash(hash, tile.subarray(at * hash.length, (at + 1) * hash.length)),
			);
			if (differs || tile.length !== width * root.length) return { path, index: null };
			if (width === TILE_WIDTH) below.push(rootOver(tile));
		}
	}
	const found = await treeRoot(nodesOf(read, size), size);
	return isSameHash(found, root) ? null : { path: 'checkpoint', index: null };
}
