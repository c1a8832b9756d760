/**
 * The public log: a Merkle tree to which leaves are only appended, its tiles, and its signed checkpoints. Everything here
 * is pure, so that server, tools and browsers check the log by the same code.
 *
 * This file has the tree of RFC 6962: hashes, proofs, and their verification as RFC 9162, 2.1.3 and 2.1.4, has it.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes } from '@noble/hashes/utils.js';

export const HASH_BYTES = 32;
/** Keep a leaf from being taken for a node. */
const LEAF = Uint8Array.of(0);
const NODE = Uint8Array.of(1);

/** The root of a tree without leaves. */
const EMPTY_ROOT = sha256(new Uint8Array());

/** @param hash SHA-256 by another implementation, such as Node's */
export function leafHash(leaf: Uint8Array, hash: (bytes: Uint8Array) => Uint8Array = sha256): Uint8Array {
	const input = new Uint8Array(LEAF.length + leaf.length);
	input.set(LEAF);
	input.set(leaf, LEAF.length);
	return hash(input);
}
export const nodeHash = (left: Uint8Array, right: Uint8Array): Uint8Array => sha256(concatBytes(NODE, left, right));

/** The root of the complete subtree over 2^level leaves, the one with that index among those of its level, from 0. */
export type NodeAt = (level: number, index: number) => Promise<Uint8Array>;

export const isSameHash = (one: Uint8Array, other: Uint8Array): boolean =>
	one.length === other.length && one.every((byte, at) => byte === other[at]);

/** The largest power of two below a count of at least 2. */
const splitOf = (count: number): number => 2 ** Math.ceil(Math.log2(count) - 1);
const isPowerOfTwo = (count: number): boolean => Number.isInteger(Math.log2(count));

/** The root over the leaves from..to, which are a subtree of RFC 6962. */
async function rangeRoot(nodeAt: NodeAt, from: number, to: number): Promise<Uint8Array> {
	const count = to - from;
	if (isPowerOfTwo(count)) return await nodeAt(Math.log2(count), from / count);
	const split = from + splitOf(count);
	return nodeHash(await rangeRoot(nodeAt, from, split), await rangeRoot(nodeAt, split, to));
}

/** The root over the first `size` leaves. */
export async function treeRoot(nodeAt: NodeAt, size: number): Promise<Uint8Array> {
	return size === 0 ? EMPTY_ROOT : await rangeRoot(nodeAt, 0, size);
}

/** The audit path of a leaf in the tree over the first `size` leaves, from the leaf to the root. */
export async function inclusionProof(nodeAt: NodeAt, index: number, size: number): Promise<Uint8Array[]> {
	if (index >= size) throw new Error(`the tree of ${size} leaves has no leaf ${index}`);
	const path: Uint8Array[] = [];
	let [from, to] = [0, size];
	while (to - from > 1) {
		const split = from + splitOf(to - from);
		if (index < split) {
			path.unshift(await rangeRoot(nodeAt, split, to));
			to = split;
		} else {
			path.unshift(await rangeRoot(nodeAt, from, split));
			from = split;
		}
	}
	return path;
}

/** The nodes above those of a level. One without a sibling goes up as it is. */
const levelAbove = (below: readonly Uint8Array[], hashOf: typeof nodeHash): Uint8Array[] =>
	Array.from({ length: Math.ceil(below.length / 2) }, (_, at) => {
		const [left, right] = [below[2 * at] as Uint8Array, below[2 * at + 1]];
		return right ? hashOf(left, right) : left;
	});

/**
 * The root over at least one leaf, and the audit path of each, where all are wanted at once.
 * @param hashOf a node's, as `nodeHash`
 */
export function wholeTree(
	leaves: readonly Uint8Array[],
	hashOf: typeof nodeHash = nodeHash,
): { root: Uint8Array; paths: Uint8Array[][] } {
	const paths: Uint8Array[][] = leaves.map(() => []);
	let level = leaves;
	for (let height = 0; level.length > 1; height++) {
		for (const [index, path] of paths.entries()) {
			const sibling = level[Math.floor(index / 2 ** height) ^ 1];
			if (sibling) path.push(sibling);
		}
		level = levelAbove(level, hashOf);
	}
	const [root] = level;
	if (!root) throw new Error('a tree without leaves has no paths');
	return { root, paths };
}

/** The root of `wholeTree`, without the paths. */
export function rootOfTree(leaves: readonly Uint8Array[], hashOf: typeof nodeHash = nodeHash): Uint8Array {
	let level = leaves;
	while (level.length > 1) level = levelAbove(level, hashOf);
	return level[0] ?? EMPTY_ROOT;
}

/** The proof that the tree over the first `earlier` leaves is the beginning of the one over the first `size`. */
export async function consistencyProof(nodeAt: NodeAt, earlier: number, size: number): Promise<Uint8Array[]> {
	if (earlier > size) throw new Error(`a tree of ${size} leaves does not continue one of ${earlier}`);
	if (earlier === 0 || earlier === size) return [];
	const proof: Uint8Array[] = [];
	let [from, to] = [0, size];
	while (to !== earlier) {
		const split = from + splitOf(to - from);
		if (earlier <= split) {
			proof.unshift(await rangeRoot(nodeAt, split, to));
			to = split;
		} else {
			proof.unshift(await rangeRoot(nodeAt, from, split));
			from = split;
		}
	}
	// The earlier tree itself needs no proof; a part of it does.
	return from === 0 ? proof : [await rangeRoot(nodeAt, from, to), ...proof];
}

/** The place of a node and of the last node of its level, while a proof is followed towards the root. */
interface Climb {
	at: number;
	last: number;
}

const climb = ({ at, last }: Climb): Climb => ({ at: Math.floor(at / 2), last: Math.floor(last / 2) });

/** The levels at which the node has no sibling on the right, and no proof has a hash. */
function climbToSibling(place: Climb): Climb {
	let reached = place;
	while (reached.at % 2 === 0 && reached.at !== 0) reached = climb(reached);
	return reached;
}

/** The root that a leaf's hash and its audit path lead to; null if the path is not one of that leaf. */
export function rootOfInclusion(
	hash: Uint8Array,
	index: number,
	size: number,
	path: readonly Uint8Array[],
): Uint8Array | null {
	if (index >= size || [hash, ...path].some(({ length }) => length !== HASH_BYTES)) return null;
	let place: Climb = { at: index, last: size - 1 };
	let root = hash;
	for (const sibling of path) {
		if (place.last === 0) return null;
		if (place.at % 2 === 1 || place.at === place.last) {
			root = nodeHash(sibling, root);
			place = climbToSibling(place);
		} else root = nodeHash(root, sibling);
		place = climb(place);
	}
	return place.last === 0 ? root : null;
}

interface Tree {
	size: number;
	root: Uint8Array;
}

/**
 * Whether the proof shows that the later tree begins with all leaves of the earlier one, in their order. There is none for
 * an earlier tree without leaves, which tells nothing about the later one.
 */
export function isConsistent(earlier: Tree, later: Tree, proof: readonly Uint8Array[]): boolean {
	if (earlier.size === 0 || earlier.size > later.size) return false;
	if (earlier.size === later.size) return proof.length === 0 && isSameHash(earlier.root, later.root);
	const [first, ...others] = isPowerOfTwo(earlier.size) ? [earlier.root, ...proof] : proof;
	if (!first) return false;
	let place: Climb = { at: earlier.size - 1, last: later.size - 1 };
	while (place.at % 2 === 1) place = climb(place);
	let [earlierRoot, laterRoot] = [first, first];
	for (const hash of others) {
		if (place.last === 0) return false;
		if (place.at % 2 === 1 || place.at === place.last) {
			earlierRoot = nodeHash(hash, earlierRoot);
			laterRoot = nodeHash(hash, laterRoot);
			place = climbToSibling(place);
		} else laterRoot = nodeHash(laterRoot, hash);
		place = climb(place);
	}
	return place.last === 0 && isSameHash(earlierRoot, earlier.root) && isSameHash(laterRoot, later.root);
}
