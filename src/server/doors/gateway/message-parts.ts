/**
 * Texts of any length between processes. NATS limits messages to a megabyte, and an image or an export may be larger,
 * so a long text is sent in consecutive parts.
 */

/** Below the limit of NATS. */
const LARGEST_PART_BYTES = 512 * 1024;

/** The first byte of a message. */
const WHOLE = 0;
const FIRST = 1;
const MIDDLE = 2;
const LAST = 3;

export function partsOf(text: string, largest = LARGEST_PART_BYTES): Uint8Array[] {
	const bytes = Buffer.allocUnsafe(1 + Buffer.byteLength(text));
	bytes[0] = WHOLE;
	bytes.write(text, 1);
	if (bytes.length <= largest + 1) return [bytes];
	const parts: Uint8Array[] = [];
	for (let from = 1; from < bytes.length; from += largest) {
		const isLast = from + largest >= bytes.length;
		const mark = from === 1 ? FIRST : isLast ? LAST : MIDDLE;
		parts.push(Buffer.concat([Buffer.of(mark), bytes.subarray(from, from + largest)]));
	}
	return parts;
}

/** Puts the parts of each sender together. */
export class PartReader {
	/** Incomplete texts, by sender. */
	readonly #parts = new Map<string, Buffer[]>();

	/** @returns the text after its last part; a text with a lost part is dropped */
	read(sender: string, part: Uint8Array): string | null {
		const bytes = Buffer.from(part.buffer, part.byteOffset, part.length);
		const mark = bytes[0];
		if (mark === WHOLE) return bytes.toString('utf8', 1);
		// Copied, because the connection reuses its memory.
		const copy = Buffer.from(bytes.subarray(1));
		if (mark === FIRST) this.#parts.set(sender, [copy]);
		const parts = this.#parts.get(sender);
		if (mark === FIRST || !parts) return null;
		parts.push(copy);
		if (mark !== LAST) return null;
		this.#parts.delete(sender);
		return Buffer.concat(parts).toString('utf8');
	}
}
