/**
 * A Merkle-sum tree of money: the summation Merkle tree of Maxwell, as Wilcox described it in 2014. A node has a hash and
 * the sums of all leaves below it. A parent hashes both children whole, with the sums of each: a parent that hashes only
 * their total lets the house show each owner another split of it, and prove less than it owes (Hu, Zhang and Guo,
 * Breaking the Binding, IACR 2018/1139). No sum is below zero, and none is above what a number holds exactly, at any node
 * of a path. Levels are paired from the left and a last node without a partner moves up, which is the shape of RFC 6962.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes } from '@noble/hashes/utils.js';
import { HASH_BYTES, leafHash } from '#public-log/merkle-tree.ts';

/** Money of a wallet or of many, minor units. */
export interface Sums {
	/** Free to bet with. */
	cash: number;
	/** For bets, rounds, withdrawals and disputes. */
	held: number;
	bonus: number;
}

const SUM_NAMES = ['cash', 'held', 'bonus'] as const satisfies readonly (keyof Sums)[];
const SUM_BYTES = 8;
/** A node as bytes: its hash, then cash, held and bonus as unsigned big-endian numbers. */
export const NODE_BYTES = HASH_BYTES + SUM_NAMES.length * SUM_BYTES;
const NODE = Uint8Array.of(1);
const TWO_TO_32 = 2 ** 32;

type Hash = (bytes: Uint8Array) => Uint8Array;

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array): DataView =>
	new DataView(buffer, byteOffset, byteLength);

/** @throws Error for a sum that is negative, not whole, or not exact */
function writeSum(view: DataView, at: number, sum: number): void {
	if (!Number.isSafeInteger(sum) || sum < 0) throw new Error(`A node has the sum ${sum}.`);
	view.setUint32(at, Math.floor(sum / TWO_TO_32));
	view.setUint32(at + 4, sum % TWO_TO_32);
}

/** What a negative number is as an unsigned one is above what is exact. */
const readSum = (view: DataView, at: number): number => view.getUint32(at) * TWO_TO_32 + view.getUint32(at + 4);

/** The node of a leaf with those bytes. @throws Error for an amount that no leaf may have */
export function leafNode(leaf: Uint8Array, amounts: Sums, hash: Hash = sha256): Uint8Array {
	const node = new Uint8Array(NODE_BYTES);
	node.set(leafHash(leaf, hash));
	const view = viewOf(node);
	for (const [at, name] of SUM_NAMES.entries()) writeSum(view, HASH_BYTES + at * SUM_BYTES, amounts[name]);
	return node;
}

export function sumsOf(node: Uint8Array): Sums {
	const view = viewOf(node);
	const [cash = 0, held = 0, bonus = 0] = SUM_NAMES.map((_, at) => readSum(view, HASH_BYTES + at * SUM_BYTES));
	return { cash, held, bonus };
}

/** The level above nodes that stand one after another. @throws Error for sums that no tree may have */
export function levelAbove(level: Uint8Array, hash: Hash = sha256): Uint8Array {
	const count = level.length / NODE_BYTES;
	const above = new Uint8Array(Math.ceil(count / 2) * NODE_BYTES);
	const input = concatBytes(NODE, new Uint8Array(2 * NODE_BYTES));
	const [from, to] = [viewOf(level), viewOf(above)];
	for (let at = 0; at + 1 < count; at += 2) {
		const left = at * NODE_BYTES;
		const parent = left / 2;
		input.set(level.subarray(left, left + 2 * NODE_BYTES), NODE.length);
		above.set(hash(input), parent);
		for (let sum = HASH_BYTES; sum < NODE_BYTES; sum += SUM_BYTES)
			writeSum(to, parent + sum, readSum(from, left + sum) + readSum(from, left + NODE_BYTES + sum));
	}
	if (count % 2 === 1) above.set(level.subarray(-NODE_BYTES), above.length - NODE_BYTES);
	return above;
}

/** The root over nodes that stand one after another, at least one. */
export function rootOver(nodes: Uint8Array, hash: Hash = sha256): Uint8Array {
	let level = nodes;
	while (level.length > NODE_BYTES) level = levelAbove(level, hash);
	return level;
}

const nodeIn = (level: Uint8Array, at: number): Uint8Array => level.subarray(at * NODE_BYTES, (at + 1) * NODE_BYTES);

/** The siblings of a node, from its own level to the root over these nodes. */
export function pathIn(nodes: Uint8Array, index: number): Uint8Array[] {
	const path: Uint8Array[] = [];
	let level = nodes;
	for (let at = index; level.length > NODE_BYTES; at = Math.floor(at / 2)) {
		const sibling = nodeIn(level, at % 2 === 0 ? at + 1 : at - 1);
		if (sibling.length > 0) path.push(sibling);
		level = levelAbove(level);
	}
	return path;
}

/**
 * The root that a leaf and its path lead to in a tree of that many leaves.
 * @returns null if the path is not one of that leaf, or a node on it has a sum that no tree may have
 */
export function rootOfPath(
	leaf: Uint8Array,
	index: number,
	size: number,
	path: readonly Uint8Array[],
): Uint8Array | null {
	if (!Number.isSafeInteger(size) || !Number.isSafeInteger(index) || index < 0 || index >= size) return null;
	const siblings = [...path];
	let node = leaf;
	try {
		for (let at = index, last = size - 1; last > 0; at = Math.floor(at / 2), last = Math.floor(last / 2)) {
			if (at % 2 === 0 && at === last) continue;
			const sibling = siblings.shift();
			if (sibling?.length !== NODE_BYTES) return null;
			node = levelAbove(at % 2 === 0 ? concatBytes(node, sibling) : concatBytes(sibling, node));
		}
	} catch {
		return null;
	}
	return siblings.length === 0 ? node : null;
}
