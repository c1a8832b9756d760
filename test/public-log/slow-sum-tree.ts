/**
 * The sum tree as one would write it down: over a list of leaves, by the largest power of two below their number, with
 * Node's SHA-256 and whole numbers of any size. It builds whatever it is told, also what no honest house would.
 */
import { createHash } from 'node:crypto';
import type { Sums } from '#public-log/sum-tree.ts';

export interface SlowNode {
	hash: Buffer;
	sums: readonly bigint[];
}

const sha256 = (...parts: readonly Buffer[]): Buffer => createHash('sha256').update(Buffer.concat(parts)).digest();

/** A negative sum is what it is in two's complement. */
const bytesOf = (sum: bigint): Buffer => {
	const bytes = Buffer.alloc(8);
	bytes.writeBigUInt64BE(BigInt.asUintN(64, sum));
	return bytes;
};

export const encoded = ({ hash, sums }: SlowNode): Buffer => Buffer.concat([hash, ...sums.map(bytesOf)]);

export const slowLeaf = (text: string, { cash, held, bonus }: Sums): SlowNode => ({
	hash: sha256(Buffer.of(0), Buffer.from(text)),
	sums: [cash, held, bonus].map(BigInt),
});

const parentOf = (left: SlowNode, right: SlowNode): SlowNode => ({
	hash: sha256(Buffer.of(1), encoded(left), encoded(right)),
	sums: left.sums.map((sum, at) => sum + (right.sums[at] ?? 0n)),
});

const splitOf = (count: number): number => {
	let split = 1;
	while (split * 2 < count) split *= 2;
	return split;
};

export function slowRoot(leaves: readonly SlowNode[]): SlowNode {
	const [only] = leaves;
	if (leaves.length === 1 && only) return only;
	const split = splitOf(leaves.length);
	return parentOf(slowRoot(leaves.slice(0, split)), slowRoot(leaves.slice(split)));
}

/** From the leaf to the root. */
export function slowPath(leaves: readonly SlowNode[], index: number): SlowNode[] {
	if (leaves.length === 1) return [];
	const split = splitOf(leaves.length);
	const [left, right] = [leaves.slice(0, split), leaves.slice(split)];
	return index < split
		? [...slowPath(left, index), slowRoot(right)]
		: [...slowPath(right, index - split), slowRoot(left)];
}
