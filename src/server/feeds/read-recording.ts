/**
 * The feeds: what comes from outside, or from a model, and becomes fixtures, prices, scores and results. A feed knows
 * the exchange only as anybody does: it submits commands, and its market maker bets from an ordinary wallet.
 *
 * This file reads a recorded stream: JSON lines, plain, gz or bz2.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { gunzipSync } from 'node:zlib';

// The package has no types and no ES module; it is called through its one function.
const bunzip: { decode(input: Buffer): Uint8Array } = createRequire(import.meta.url)('seek-bzip');

/** The lines of a recording, parsed. @throws Error naming the file when it cannot be read */
export async function readRecording(file: string): Promise<unknown[]> {
	let bytes: Uint8Array;
	try {
		bytes = await readFile(file);
	} catch (cause) {
		throw new Error(`The recording ${file} cannot be read.`, { cause });
	}
	if (bytes[0] === 0x1f && bytes[1] === 0x8b) bytes = gunzipSync(bytes);
	else if (bytes[0] === 0x42 && bytes[1] === 0x5a) bytes = bunzip.decode(Buffer.from(bytes));
	return Buffer.from(bytes)
		.toString('utf8')
		.split('\n')
		.filter((line) => line.trim() !== '')
		.map((line) => JSON.parse(line) as unknown);
}
