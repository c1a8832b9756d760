/** The files of a log: paths and bundles of C2SP tlog-tiles, signed notes against the vector of the reference in Go. */
import { generateKeyPairSync, sign } from 'node:crypto';
import { expect, it } from 'vitest';
import { checkpointText, readCheckpoint } from '#public-log/checkpoint.ts';
import {
	cosignatureBytes,
	cosignedText,
	isSignedBy,
	parseNote,
	parseVerifierKey,
	signatureLine,
	type VerifierKey,
	verifierKeyText,
} from '#public-log/signed-note.ts';
import { bundleOf, leavesOf, tileOfPath, tilePath, tileWidth } from '#public-log/tiles.ts';

/** golang.org/x/mod/sumdb/note has this key and this note in its documentation. */
const PETER = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW';
const TEXT = "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n";
const SIGNED = `${TEXT}\n— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n`;

it('reads the key and the note of the reference, and no changed one', () => {
	const key = parseVerifierKey(PETER);
	expect(verifierKeyText(key)).toBe(PETER);
	expect(parseNote(SIGNED).text).toBe(TEXT);
	expect(isSignedBy(parseNote(SIGNED), key)).toBe(true);
	expect(isSignedBy(parseNote(SIGNED.replace('answer', 'Answer')), key)).toBe(false);
	expect(isSignedBy(parseNote(SIGNED), { ...key, name: 'PeterNeuman' })).toBe(false);
	expect(() => parseVerifierKey(PETER.replace('c74f20a3', 'c74f20a4'))).toThrow();
	for (const broken of [TEXT, SIGNED.trimEnd(), SIGNED.replace('— ', '- '), `${TEXT}\n`])
		expect(() => parseNote(broken)).toThrow();
});

function madeKey(name: string, kind: VerifierKey['kind']) {
	const { publicKey, privateKey } = generateKeyPairSync('ed25519');
	const key = { name, kind, publicKey: publicKey.export({ format: 'der', type: 'spki' }).subarray(-32) };
	const signed = (text: string) => sign(null, Buffer.from(text), privateKey);
	return { key, signed };
}

it('takes a checkpoint with its log’s signature and those of witnesses, and nothing in another form', () => {
	const [log, witness] = [madeKey('log.example/1', 'log'), madeKey('witness.example', 'witness')];
	const root = Buffer.alloc(32, 7);
	const text = checkpointText({ origin: 'log.example/1', size: 20, root });
	const bytes = cosignatureBytes(1_700_000_000, witness.signed(cosignedText(text, 1_700_000_000)));
	const note = `${text}\n${signatureLine(log.key, log.signed(text))}${signatureLine(witness.key, bytes)}`;
	expect(readCheckpoint(note, log.key)).toEqual({ origin: 'log.example/1', size: 20, root: Uint8Array.from(root) });
	expect(isSignedBy(parseNote(note), witness.key)).toBe(true);
	expect(isSignedBy(parseNote(note.replace('\n20\n', '\n21\n')), witness.key)).toBe(false);
	expect(() => readCheckpoint(note, madeKey('log.example/1', 'log').key)).toThrow();
	for (const other of [
		text.replace('20', '020'),
		text.replace('20', '-1'),
		`${text}more\n`,
		text.replace('log', 'lag'),
	])
		expect(() => readCheckpoint(`${other}\n${signatureLine(log.key, log.signed(other))}`, log.key)).toThrow();
});

it.each([
	[{ level: 0, index: 0, width: 256 }, 'tile/0/000'],
	[{ level: 1, index: 5, width: 12 }, 'tile/1/005.p/12'],
	[{ level: null, index: 1_234_067, width: 256 }, 'tile/entries/x001/x234/067'],
])('names the tile %j as %s', (name, path) => {
	expect(tilePath(name)).toBe(path);
	expect(tileOfPath(path)).toEqual(name);
});

it.each([
	'tile/0/0',
	'tile/6/000',
	'tile/0/x000/000',
	'tile/0/000.p/256',
	'tile/0/000.p/0',
	'tile/0/000.p/07',
	'tile/../000',
])('knows no tile %s', (path) => expect(tileOfPath(path)).toBeNull());

it('has as many hashes in a tile as the tree has full subtrees', () => {
	const size = 256 * 256 + 256 + 3;
	expect([256, 257, 258].map((index) => tileWidth(0, index, size))).toEqual([256, 3, 0]);
	expect([0, 1].map((index) => tileWidth(1, index, size))).toEqual([256, 1]);
	expect([0, 1].map((index) => tileWidth(2, index, size))).toEqual([1, 0]);
});

it('keeps the leaves of a bundle apart, and refuses a cut one and a leaf that is too large', () => {
	const leaves = [Buffer.from(''), Buffer.from('a'), Buffer.alloc(65_535, 1)];
	const bundle = bundleOf(leaves);
	expect(leavesOf(bundle).map((leaf) => leaf.length)).toEqual([0, 1, 65_535]);
	expect(() => leavesOf(bundle.subarray(0, -1))).toThrow();
	expect(() => bundleOf([Buffer.alloc(65_536)])).toThrow();
});
