/** A verifier that is not ours checks a running server's log: the one with which npm checks the provenance of packages. */
import { createHash, createPublicKey } from 'node:crypto';
import { verifyCheckpoint } from '@sigstore/verify/dist/tlog/checkpoint.js';
import { verifyMerkleInclusion } from '@sigstore/verify/dist/tlog/merkle.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readCheckpoint } from '#public-log/checkpoint.ts';
import { parseVerifierKey } from '#public-log/signed-note.ts';
import { leavesOf, TILE_WIDTH, tilePath, tileWidth } from '#public-log/tiles.ts';
import { pathTo } from '#public-log/verify-log.ts';
import { TestServer } from '../support/server.ts';
import { overHttp, type PublishedLogs } from './log-reader.ts';

/** In front of an Ed25519 key in DER. */
const SPKI = Buffer.from('302a300506032b6570032100', 'hex');

let server: TestServer;
beforeAll(async () => {
	server = await TestServer.start();
});
afterAll(() => server.dispose());

type Entry = Parameters<typeof verifyMerkleInclusion>[0];
type Log = Parameters<typeof verifyCheckpoint>[1][number];

/** The log as it is now, in the shapes of the other verifier. */
async function logNow() {
	await server.running.publicLog.append();
	const [newest] = (await (await fetch(`${server.url}/public-log/logs.json`)).json()) as PublishedLogs;
	if (!newest) throw new Error('there is no log');
	const read = overHttp(`${server.url}/public-log/${newest.log}`);
	const envelope = Buffer.from(await read('checkpoint')).toString();
	const key = parseVerifierKey(newest.key);
	const { size } = readCheckpoint(envelope, key);
	const log = {
		logID: Buffer.from(newest.key.split('+')[1] ?? '', 'hex'),
		baseURL: newest.origin,
		publicKey: createPublicKey({ key: Buffer.concat([SPKI, key.publicKey]), format: 'der', type: 'spki' }),
	} as Log;
	const leafAt = async (index: number): Promise<Uint8Array> => {
		const bundle = Math.floor(index / TILE_WIDTH);
		const width = tileWidth(null, bundle, size);
		const leaf = leavesOf(await read(tilePath({ level: null, index: bundle, width })))[index % TILE_WIDTH];
		if (!leaf) throw new Error(`no leaf ${index}`);
		return leaf;
	};
	/** The leaf with the path that our tiles give. */
	const entry = async (index: number, leaf?: Uint8Array): Promise<Entry> => {
		const own = await leafAt(index);
		const hashes = await pathTo(read, readCheckpoint(envelope, key), index, own);
		return {
			canonicalizedBody: Buffer.from(leaf ?? own),
			inclusionProof: {
				logIndex: String(index),
				hashes: (hashes ?? []).map((hash) => Buffer.from(hash)),
				checkpoint: { envelope },
			},
		} as unknown as Entry;
	};
	return { size, log, leafAt, entry };
}

describe('@sigstore/verify', () => {
	it('finds every leaf under a checkpoint that it takes as signed, and no other leaf', async () => {
		const { size, log, entry } = await logNow();
		for (let index = 0; index < size; index++) {
			const found = await entry(index);
			const checkpoint = verifyCheckpoint(found, [log]);
			expect(Number(checkpoint.logSize)).toBe(size);
			expect(() => verifyMerkleInclusion(found, checkpoint)).not.toThrow();
		}
		const forged = await entry(1, Buffer.from('{}'));
		expect(() => verifyMerkleInclusion(forged, verifyCheckpoint(forged, [log]))).toThrow('root hash');
	});

	it('takes no checkpoint that was changed, or is signed by another key', async () => {
		const { log, entry } = await logNow();
		const found = await entry(0);
		const changed = structuredClone({ envelope: found.inclusionProof.checkpoint?.envelope ?? '' });
		changed.envelope = changed.envelope.replace(/\n(\d+)\n/, (_, size: string) => `\n${Number(size) + 1}\n`);
		const forged = { ...found, inclusionProof: { ...found.inclusionProof, checkpoint: changed } } as Entry;
		expect(() => verifyCheckpoint(forged, [log])).toThrow('invalid checkpoint signature');
		const other = createHash('sha256').update('another key').digest();
		const publicKey = createPublicKey({ key: Buffer.concat([SPKI, other]), format: 'der', type: 'spki' });
		expect(() => verifyCheckpoint(found, [{ ...log, publicKey }])).toThrow('invalid checkpoint signature');
	});

	// Where each leaf of the earlier tree is at its place in the later one, the later tree continues it.
	it('finds every leaf of an earlier checkpoint at its place under a later one', async () => {
		const earlier = await logNow();
		const leaves = await Promise.all(Array.from({ length: earlier.size }, (_, index) => earlier.leafAt(index)));
		await server.demoGambler();
		const later = await logNow();
		expect(later.size).toBeGreaterThan(earlier.size);
		for (const [index, leaf] of leaves.entries()) {
			const found = await later.entry(index, leaf);
			expect(() => verifyMerkleInclusion(found, verifyCheckpoint(found, [later.log]))).not.toThrow();
		}
	});
});
