/** The Merkle tree of RFC 6962, 2.1, as its text has it: over all leaves, with OpenSSL's hash. */
import { hash } from 'node:crypto';

const sha256 = (...parts: Uint8Array[]): Buffer => hash('sha256', Buffer.concat(parts), 'buffer');

/** MTH(D[n]). */
export function slowRoot(leaves: readonly Uint8Array[]): Buffer {
	if (leaves.length === 0) return sha256();
	if (leaves.length === 1) return sha256(Buffer.of(0), leaves[0] as Uint8Array);
	let split = 1;
	while (split * 2 < leaves.length) split *= 2;
	return sha256(Buffer.of(1), slowRoot(leaves.slice(0, split)), slowRoot(leaves.slice(split)));
}

/** The tiles of a tree over those leaves, by their path. */
export function slowTiles(leaves: readonly Uint8Array[]): Map<string, Buffer> {
	const tiles = new Map<string, Buffer>();
	let hashes = leaves.map((leaf) => slowRoot([leaf]));
	for (let level = 0; hashes.length > 0; level++) {
		const above: Buffer[] = [];
		for (let index = 0; index * 256 < hashes.length; index++) {
			const tile = hashes.slice(index * 256, index * 256 + 256);
			const place = `${index}`.padStart(3, '0');
			tiles.set(`tile/${level}/${place}${tile.length === 256 ? '' : `.p/${tile.length}`}`, Buffer.concat(tile));
			if (tile.length === 256) above.push(rootOfHashes(tile));
		}
		hashes = above;
	}
	return tiles;
}

function rootOfHashes(hashes: readonly Buffer[]): Buffer {
	const [first, second] = hashes;
	if (!second) return first as Buffer;
	const half = hashes.length / 2;
	return sha256(Buffer.of(1), rootOfHashes(hashes.slice(0, half)), rootOfHashes(hashes.slice(half)));
}
