/**
 * The feeds: what comes from outside, or from a model, and becomes fixtures, prices, scores and results. A feed knows
 * the exchange only as anybody does: it submits commands, and its market maker bets from an ordinary wallet.
 *
 * This file reads a recorded stream: JSON lines, plain, gz or bz2.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { constants, gunzipSync } from 'node:zlib';

// The package has no types and no ES module; it is called through its one function.
const bunzip: { decode(input: object, output: object): void } = createRequire(import.meta.url)('seek-bzip');

/** A message of a stream, of which the line says at least so much. */
export interface RecordedMessage {
	/** `mcm`: markets; `ccm`: scores; others say nothing about play. */
	op: string;
}

export interface Recording {
	messages: RecordedMessage[];
	/** It ends in the middle of a line or of a block; what came before is whole. */
	cutShort: boolean;
}

/** @throws Error naming the file when it cannot be read, is empty or is no recording */
export async function readRecording(file: string): Promise<Recording> {
	let bytes: Buffer;
	try {
		bytes = await readFile(file);
	} catch (cause) {
		throw new Error(`The recording ${file} cannot be read.`, { cause });
	}
	const { text, cutShort } = unpacked(bytes);
	const lines = text.split('\n').filter((line) => line.trim() !== '');
	if (lines.length === 0)
		throw new Error(`The recording ${file} is ${cutShort ? 'cut short before its first line' : 'empty'}.`);
	const messages: RecordedMessage[] = [];
	for (const [at, line] of lines.entries()) {
		const message = messageOf(line);
		// The last line may end anywhere; the first one says whether this is a recording at all.
		if (!message && at > 0 && at === lines.length - 1) return { messages, cutShort: true };
		if (!message) throw new Error(`${file} is no recording of a stream: line ${at + 1} holds no message.`);
		messages.push(message);
	}
	return { messages, cutShort };
}

function messageOf(line: string): RecordedMessage | null {
	try {
		const message: unknown = JSON.parse(line);
		return typeof message === 'object' && message !== null && 'op' in message && typeof message.op === 'string'
			? (message as RecordedMessage)
			: null;
	} catch {
		return null;
	}
}

function unpacked(bytes: Buffer): { text: string; cutShort: boolean } {
	if (bytes[0] === 0x42 && bytes[1] === 0x5a) return unpackedBlocks(bytes);
	if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return { text: bytes.toString('utf8'), cutShort: false };
	try {
		return { text: gunzipSync(bytes).toString('utf8'), cutShort: false };
	} catch {
		return { text: gunzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH }).toString('utf8'), cutShort: true };
	}
}

/** Of a bz2 file that is cut short or damaged, the blocks before. */
function unpackedBlocks(bytes: Buffer): { text: string; cutShort: boolean } {
	let [from, to] = [0, 0];
	let written = Buffer.alloc(bytes.length * 16);
	const input = {
		readByte: () => {
			if (from >= bytes.length) throw new Error('The file is cut short.');
			return bytes[from++];
		},
		read: (into: Buffer, at: number, length: number) => {
			from += bytes.copy(into, at, from, from + length);
			return length;
		},
	};
	const output = {
		writeByte: (byte: number) => {
			if (to === written.length) written = Buffer.concat([written, Buffer.alloc(written.length)]);
			written[to++] = byte;
		},
	};
	let cutShort = false;
	try {
		bunzip.decode(input, output);
	} catch {
		cutShort = true;
	}
	return { text: written.toString('utf8', 0, to), cutShort };
}
