/** What the specifications of the log's forms publish: notes, checkpoints and tiles of C2SP, proofs of RFC 6962. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fromBase64 } from '#public-log/base64.ts';
import { readCheckpoint } from '#public-log/checkpoint.ts';
import { isConsistent, isSameHash, rootOfInclusion } from '#public-log/merkle-tree.ts';
import { isSignedBy, parseNote, parseVerifierKey } from '#public-log/signed-note.ts';
import { tilePath, tileWidth } from '#public-log/tiles.ts';

/** [name, index or earlier size, size, root or earlier root, leaf or later root, proof, whether it is right]. */
type Case = [string, number, number, number, number, number[], boolean];
interface Published {
	hashes: string[];
	inclusion: Case[];
	consistency: Case[];
}

const PUBLISHED: Published = JSON.parse(readFileSync(join(import.meta.dirname, 'published', 'rfc6962.json'), 'utf8'));
const hashAt = (place: number): Uint8Array => fromBase64(PUBLISHED.hashes[place] ?? '');

describe('proofs that transparency-dev/merkle publishes for RFC 6962', () => {
	it('of inclusion are told from the 90 that are wrong', () => {
		const said = PUBLISHED.inclusion.map(([name, index, size, root, leaf, proof, isRight]) => {
			const found = rootOfInclusion(hashAt(leaf), index, size, proof.map(hashAt));
			return { name, isRight, found: found !== null && isSameHash(found, hashAt(root)) };
		});
		expect(said.filter(({ isRight, found }) => isRight !== found)).toEqual([]);
		expect([said.length, said.filter(({ isRight }) => !isRight).length]).toEqual([96, 90]);
	});

	it('of consistency are told from the 92 that are wrong', () => {
		const said = PUBLISHED.consistency.map(([name, earlier, size, earlierRoot, root, proof, isRight]) => {
			const trees = [
				{ size: earlier, root: hashAt(earlierRoot) },
				{ size, root: hashAt(root) },
			] as const;
			return { name, isRight, found: isConsistent(...trees, proof.map(hashAt)) };
		});
		expect(said.filter(({ isRight, found }) => isRight !== found)).toEqual([]);
		expect([said.length, said.filter(({ isRight }) => !isRight).length]).toEqual([98, 92]);
	});
});

it('takes the note that C2SP signed-note has as its example', () => {
	const key = parseVerifierKey('example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k');
	const note =
		'This is an example message.\n\n— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=\n';
	expect(parseNote(note).text).toBe('This is an example message.\n');
	expect(isSignedBy(parseNote(note), key)).toBe(true);
	expect(isSignedBy(parseNote(note.replace('example message', 'exemplary message')), key)).toBe(false);
});

it('takes a checkpoint of Go’s checksum database, with which the example of C2SP tlog-checkpoint was made', () => {
	const key = parseVerifierKey('sum.golang.org+033de0ae+Ac4zctda0e5eza+HJyk9SxEdh+s3Ux18htTTAD8OuAn8');
	const signature = 'Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=';
	const root = 'CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=';
	const origin = 'go.sum database tree';
	const signed = `${origin}\n20852163\n${root}\n\n— sum.golang.org ${signature}\n`;
	const read = (text: string) => readCheckpoint(text, key, (name) => name === origin);
	expect(read(signed)).toEqual({ origin, size: 20_852_163, root: fromBase64(root) });
	expect(() => read(signed.replace('20852163', '20852164'))).toThrow('not signed');
	expect(() => readCheckpoint(signed, key)).toThrow();
});

it('cuts a tree of 70,000 leaves into the tiles that C2SP tlog-tiles says', () => {
	const size = 70_000;
	const widths = (level: number): number[] => {
		const found = Array.from({ length: 300 }, (_, index) => tileWidth(level, index, size));
		return found.filter((width) => width > 0);
	};
	expect(widths(0)).toEqual([...Array.from({ length: 273 }, () => 256), 112]);
	expect([widths(1), widths(2), widths(3)]).toEqual([[256, 17], [1], []]);
	expect(tilePath({ level: 0, index: 273, width: 112 })).toBe('tile/0/273.p/112');
	// A tree of 256 leaves has a full tile, and one of a single hash above it.
	expect([tileWidth(0, 0, 256), tileWidth(1, 0, 256)]).toEqual([256, 1]);
});
