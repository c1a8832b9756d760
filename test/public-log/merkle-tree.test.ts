/** Roots and proofs against the published vectors of RFC 6962 and against a slow tree; nothing forged passes. */
import { expect, it } from 'vitest';
import {
	consistencyProof,
	inclusionProof,
	isConsistent,
	leafHash,
	type NodeAt,
	nodeHash,
	rootOfInclusion,
	treeRoot,
	wholeTree,
} from '#public-log/merkle-tree.ts';
import { nodesFrom, tilePath } from '#public-log/tiles.ts';
import { slowRoot, slowTiles } from './slow-tree.ts';

const hex = (bytes: Uint8Array | null): string => Buffer.from(bytes ?? []).toString('hex');

/** The leaves and roots of the reference implementation of Certificate Transparency. */
const PUBLISHED = [
	['', '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d'],
	['00', 'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125'],
	['10', 'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77'],
	['2021', 'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7'],
	['3031', '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4'],
	['40414243', '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef'],
	['5051525354555657', 'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c'],
	['606162636465666768696a6b6c6d6e6f', '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328'],
] as const;

const nodesOver = (leaves: readonly Uint8Array[]): NodeAt => {
	const tiles = slowTiles(leaves);
	return nodesFrom(async (name) => {
		const tile = tiles.get(tilePath(name));
		if (!tile) throw new Error(`no ${tilePath(name)}`);
		return tile;
	}, leaves.length);
};

const numbered = (count: number): Buffer[] => Array.from({ length: count }, (_, at) => Buffer.from(`leaf ${at}`));

it('comes to the published roots of RFC 6962', async () => {
	const leaves = PUBLISHED.map(([leaf]) => Buffer.from(leaf, 'hex'));
	for (const [at, [, root]] of PUBLISHED.entries()) {
		const first = leaves.slice(0, at + 1);
		expect(hex(await treeRoot(nodesOver(first), first.length))).toBe(root);
	}
	expect(hex(await treeRoot(nodesOver([]), 0))).toBe(
		'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
	);
});

it('proves every leaf of trees of any shape, and no leaf at another place, in another tree or by another path', async () => {
	for (const size of [1, 2, 3, 5, 7, 8, 21]) {
		const leaves = numbered(size);
		const [nodes, root] = [nodesOver(leaves), hex(slowRoot(leaves))];
		for (const [index, leaf] of leaves.entries()) {
			const path = await inclusionProof(nodes, index, size);
			const leads = (at: number, over: number, by: readonly Uint8Array[], to = leafHash(leaf)) =>
				hex(rootOfInclusion(to, at, over, by)) === root;
			expect(leads(index, size, path)).toBe(true);
			expect(leads(index, size, path, leafHash(Buffer.from('another')))).toBe(false);
			expect(leads(index, size, [...path, leafHash(leaf)])).toBe(false);
			expect(leads(index, size, path.slice(1))).toBe(size === 1);
			expect(leads(size, size, path)).toBe(false);
			for (let other = 0; other < size; other++) expect(leads(other, size, path)).toBe(other === index);
		}
	}
});

it('has the root and all paths at once as one after another', async () => {
	for (let size = 1; size <= 33; size++) {
		const leaves = numbered(size);
		const nodes = nodesOver(leaves);
		const { root, paths } = wholeTree(leaves.map((leaf) => leafHash(leaf)));
		expect(hex(root)).toBe(hex(slowRoot(leaves)));
		for (const [index, path] of paths.entries())
			expect(path.map(hex)).toEqual((await inclusionProof(nodes, index, size)).map(hex));
	}
});

it('proves that a tree continues each earlier one, and none with another history', async () => {
	const size = 21;
	const leaves = numbered(size);
	const nodes = nodesOver(leaves);
	const later = { size, root: slowRoot(leaves) };
	for (let earlier = 1; earlier <= size; earlier++) {
		const proof = await consistencyProof(nodes, earlier, size);
		const first = { size: earlier, root: slowRoot(leaves.slice(0, earlier)) };
		expect(isConsistent(first, later, proof)).toBe(true);
		expect(isConsistent({ ...first, root: slowRoot([Buffer.from('x')]) }, later, proof)).toBe(false);
		expect(isConsistent(first, { ...later, root: slowRoot([Buffer.from('x')]) }, proof)).toBe(false);
		expect(isConsistent(first, later, [...proof, first.root])).toBe(false);
		for (let at = 0; at < proof.length; at++)
			expect(isConsistent(first, later, proof.with(at, nodeHash(first.root, first.root)))).toBe(false);
	}
	expect(isConsistent(later, { size: 3, root: slowRoot(leaves.slice(0, 3)) }, [])).toBe(false);
});

it('finds its nodes in tiles of several levels', { tags: 'thorough' }, async () => {
	const leaves = numbered(70_000);
	const nodes = nodesOver(leaves);
	const root = slowRoot(leaves);
	expect(hex(await treeRoot(nodes, leaves.length))).toBe(hex(root));
	for (const index of [0, 255, 256, 65_535, 65_536, 69_999]) {
		const path = await inclusionProof(nodes, index, leaves.length);
		expect(hex(rootOfInclusion(leafHash(leaves[index] as Buffer), index, leaves.length, path))).toBe(hex(root));
	}
	const proof = await consistencyProof(nodes, 65_537, leaves.length);
	expect(isConsistent({ size: 65_537, root: slowRoot(leaves.slice(0, 65_537)) }, { size: 70_000, root }, proof)).toBe(
		true,
	);
});
