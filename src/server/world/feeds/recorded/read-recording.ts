/** Reads a recorded stream: JSON lines, plain, gz or bz2. Each line is checked for the fields that are used here. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { constants, gunzipSync } from 'node:zlib';
import { faultOfMessage } from '#server/world/feeds/betfair/stream-messages.ts';

// The package has neither types nor an ES module.
const bunzip: {
	/** One stream. */
	decode(input: BzipInput, output: BzipOutput): void;
	/** Called with the size of each block with a correct checksum. */
	table(input: BzipInput, onBlock: (position: number, size: number) => void): void;
} = createRequire(import.meta.url)('seek-bzip');

interface BzipInput {
	readByte(): number;
	read(into: Buffer, at: number, length: number): number;
}
interface BzipOutput {
	writeByte(byte: number): void;
}

/** A message of a stream, with the field that every line has. */
export interface RecordedMessage {
	/** `mcm`: markets; `ccm`: scores. Other messages are not about play. */
	op: string;
}

export interface Recording {
	messages: RecordedMessage[];
	/** The file ends within a line or a block, or is damaged from there on. The messages before are complete. */
	cutShort: boolean;
	/** Lines that are earlier than a preceding line: the number of the first, from 1, and their count. */
	outOfOrder: { line: number; lines: number } | null;
}

const ZIP = Buffer.from('PK\x03\x04');
/** Some editors write it at the beginning of a file. */
const BYTE_ORDER_MARK = '\uFEFF';

/** @throws Error naming the file, the line and the fault, if the file cannot be read, is empty or is not a recording */
export async function readRecording(file: string): Promise<Recording> {
	let bytes: Buffer;
	try {
		bytes = await readFile(file);
	} catch (cause) {
		throw new Error(`The recording ${file} cannot be read.`, { cause });
	}
	if (bytes.subarray(0, ZIP.length).equals(ZIP))
		throw new Error(`The recording ${file} is a zip archive: unpack it, and name the files in it.`);
	const { text: written, cutShort } = textOf(file, bytes);
	const text = written.startsWith(BYTE_ORDER_MARK) ? written.slice(1) : written;
	const lines = text.split('\n').flatMap((line, at) => (line.trim() === '' ? [] : [{ line, number: at + 1 }]));
	if (lines.length === 0)
		throw new Error(`The recording ${file} is ${cutShort ? 'cut short before its first line' : 'empty'}.`);
	const messages: RecordedMessage[] = [];
	const early: number[] = [];
	let latest = Number.NEGATIVE_INFINITY;
	for (const [at, { line, number }] of lines.entries()) {
		const read = messageOf(line);
		// The last line may be truncated anywhere. The first line must be complete, or the file is not a recording.
		if ('fault' in read && read.cut && at > 0 && at === lines.length - 1) {
			return { messages, cutShort: true, outOfOrder: orderOf(early) };
		}
		if ('fault' in read)
			throw new Error(`${file} is no recording of a stream: line ${number} holds no message, ${read.fault}.`);
		messages.push(read.message);
		const { pt = latest } = read.message as { pt?: number };
		if (pt < latest) early.push(number);
		latest = Math.max(latest, pt);
	}
	return { messages, cutShort, outOfOrder: orderOf(early) };
}

const orderOf = ([line, ...more]: readonly number[]): Recording['outOfOrder'] =>
	line === undefined ? null : { line, lines: more.length + 1 };

/** @returns the message, or the fault and whether the text can be the beginning of a longer line */
function messageOf(line: string): { message: RecordedMessage } | { fault: string; cut: boolean } {
	let message: unknown;
	try {
		message = JSON.parse(line);
	} catch {
		return { fault: 'because it is not JSON', cut: true };
	}
	if (typeof message !== 'object' || message === null || !('op' in message) || typeof message.op !== 'string')
		return { fault: 'because it does not say which', cut: false };
	const fault = faultOfMessage(message as RecordedMessage);
	return fault === null ? { message: message as RecordedMessage } : { fault: `because ${fault}`, cut: false };
}

function textOf(file: string, bytes: Buffer): { text: string; cutShort: boolean } {
	try {
		return unpacked(bytes);
	} catch (cause) {
		throw new Error(`The recording ${file} is too large to be held in memory.`, { cause });
	}
}

function unpacked(bytes: Buffer): { text: string; cutShort: boolean } {
	if (bytes[0] === 0x42 && bytes[1] === 0x5a) return unpackedBlocks(bytes);
	if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return { text: bytes.toString('utf8'), cutShort: false };
	try {
		return { text: gunzipSync(bytes).toString('utf8'), cutShort: false };
	} catch {
		return { text: partOf(bytes), cutShort: true };
	}
}

/** The part of a truncated gz file that can be unpacked; nothing of a damaged one. */
function partOf(bytes: Buffer): string {
	try {
		return gunzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH }).toString('utf8');
	} catch {
		return '';
	}
}

/**
 * Unpacks a bz2 file, which may hold several streams, as programs that pack in parallel write it. Of a truncated or damaged
 * file the whole blocks before the fault are unpacked.
 */
function unpackedBlocks(bytes: Buffer): { text: string; cutShort: boolean } {
	const input = inputOf(bytes);
	const output = new Unpacked();
	while (input.at < bytes.length) {
		const [begin, before] = [input.at, output.length];
		try {
			bunzip.decode(input, output);
		} catch {
			// A damaged block is written before its checksum is compared.
			output.length = before + wholeBlocks(bytes.subarray(begin));
			return { text: output.text, cutShort: true };
		}
	}
	return { text: output.text, cutShort: false };
}

/** Unpacked size of the sound blocks at the beginning of a stream, bytes. */
function wholeBlocks(stream: Buffer): number {
	let size = 0;
	try {
		bunzip.table(inputOf(stream), (_, ofBlock) => {
			size += ofBlock;
		});
	} catch {
		// The incomplete block ends the table.
	}
	return size;
}

function inputOf(bytes: Buffer): BzipInput & { at: number } {
	return {
		at: 0,
		readByte() {
			const byte = bytes[this.at++];
			if (byte === undefined) throw new Error('The file is cut short.');
			return byte;
		},
		read(into, offset, length) {
			const copied = bytes.copy(into, offset, this.at, this.at + length);
			this.at += copied;
			return copied;
		},
	};
}

/** A buffer that grows as it is written to. */
class Unpacked implements BzipOutput {
	#written: Buffer = Buffer.alloc(1 << 20);
	length = 0;

	writeByte(byte: number): void {
		if (this.length === this.#written.length)
			this.#written = Buffer.concat([this.#written, Buffer.alloc(this.#written.length)]);
		this.#written[this.length++] = byte;
	}

	get text(): string {
		return this.#written.toString('utf8', 0, this.length);
	}
}
