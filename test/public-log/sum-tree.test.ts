/** The sum tree against a second, slower one. */
import { expect, it } from 'vitest';
import { leafNode, levelAbove, NODE_BYTES, pathIn, rootOfPath, rootOver, sumsOf } from '#public-log/sum-tree.ts';
import { randomFrom } from '#sports/random.ts';
import { encoded, slowLeaf, slowPath, slowRoot } from './slow-sum-tree.ts';

it('has the root and the paths of its definition at every size, and no other path leads to the root', () => {
	const draw = randomFrom(1);
	const amount = () => Math.floor(draw() * 1_000_000);
	for (let size = 1; size <= 34; size++) {
		const leaves = Array.from({ length: size }, (_, at) => ({
			text: `leaf ${at}`,
			amounts: { cash: amount(), held: amount(), bonus: amount() },
		}));
		const slow = leaves.map(({ text, amounts }) => slowLeaf(text, amounts));
		const nodes = Buffer.concat(leaves.map(({ text, amounts }) => leafNode(Buffer.from(text), amounts)));
		const root = rootOver(nodes);
		expect(Buffer.from(root)).toEqual(encoded(slowRoot(slow)));
		expect(Object.values(sumsOf(root)).map(BigInt)).toEqual(slowRoot(slow).sums);
		for (let index = 0; index < size; index++) {
			const leaf = nodes.subarray(index * NODE_BYTES, (index + 1) * NODE_BYTES);
			const path = pathIn(nodes, index);
			expect(path.map((node) => Buffer.from(node))).toEqual(slowPath(slow, index).map(encoded));
			expect(rootOfPath(leaf, index, size, path)).toEqual(root);
			expect(rootOfPath(leaf, index, size, [...path, leaf])).toBeNull();
			if (size > 1) expect(rootOfPath(leaf, index, size, path.slice(1))).toBeNull();
			const other = (index + 1) % size;
			if (other !== index) expect(rootOfPath(leaf, other, size, path)).not.toEqual(root);
		}
		expect(rootOfPath(nodes.subarray(0, NODE_BYTES), size, size, [])).toBeNull();
	}
});

it.each([
	['negative', -1n],
	['above what is exact', 2n ** 53n],
	['only in sum above what is exact', 2n ** 53n - 1n],
])('refuses a sum that is %s, on a path and in a level', (_, sum) => {
	const leaf = slowLeaf('own', { cash: 1, held: 0, bonus: 0 });
	const sibling = { ...leaf, sums: [sum, 0n, 0n] };
	expect(rootOfPath(encoded(leaf), 0, 2, [encoded(sibling)])).toBeNull();
	expect(() => levelAbove(Buffer.concat([encoded(leaf), encoded(sibling)]))).toThrow('sum');
	expect(() => leafNode(Buffer.from('leaf'), { cash: Number(sum) + 1, held: -1, bonus: 0 })).toThrow('sum');
});
