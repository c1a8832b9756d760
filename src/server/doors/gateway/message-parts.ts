/**
 * Texts of any length between processes. NATS limits messages to a megabyte, and an image or an export may be larger,
 * so a long text is sent in consecutive parts. Each names its text and its place: parts of two texts joined would be an
 * answer with another player's data in it.
 */
import { randomBytes } from 'node:crypto';

/** Below the limit of NATS. */
const LARGEST_PART_BYTES = 512 * 1024;

/** The first byte of a message. Releases whose parts had no names had 1 to 3: neither side joins parts of the other. */
const WHOLE = 0;
const FIRST = 4;
const MIDDLE = 5;
const LAST = 6;
/** After the mark of a part: its text, and its place there. */
const NAME_BYTES = 6;
const PLACE_AT = 1 + NAME_BYTES;
const HEAD_BYTES = PLACE_AT + 4;

export function partsOf(text: string, largest = LARGEST_PART_BYTES): Uint8Array[] {
	const bytes = Buffer.allocUnsafe(1 + Buffer.byteLength(text));
	bytes[0] = WHOLE;
	bytes.write(text, 1);
	if (bytes.length <= largest + 1) return [bytes];
	const parts: Uint8Array[] = [];
	const name = randomBytes(NAME_BYTES);
	for (let from = 1; from < bytes.length; from += largest) {
		const isLast = from + largest >= bytes.length;
		const head = Buffer.alloc(HEAD_BYTES);
		head[0] = from === 1 ? FIRST : isLast ? LAST : MIDDLE;
		name.copy(head, 1);
		head.writeUInt32BE(parts.length, PLACE_AT);
		parts.push(Buffer.concat([head, bytes.subarray(from, from + largest)]));
	}
	return parts;
}

interface Begun {
	/** Of the text. */
	name: string;
	parts: Buffer[];
}

/** Puts the parts of each sender together. */
export class PartReader {
	/** Incomplete texts, by sender. */
	readonly #begun = new Map<string, Begun>();

	/** @returns the text after its last part; a text with a lost part is dropped */
	read(sender: string, part: Uint8Array): string | null {
		const bytes = Buffer.from(part.buffer, part.byteOffset, part.length);
		const mark = bytes[0];
		if (mark === WHOLE) return bytes.toString('utf8', 1);
		if (bytes.length < HEAD_BYTES || (mark !== FIRST && mark !== MIDDLE && mark !== LAST)) return null;
		const [name, place] = [bytes.toString('hex', 1, PLACE_AT), bytes.readUInt32BE(PLACE_AT)];
		if (mark === FIRST) this.#begun.set(sender, { name, parts: [] });
		const begun = this.#begun.get(sender);
		if (begun?.name !== name || begun.parts.length !== place) {
			this.#begun.delete(sender);
			return null;
		}
		// Copied, because the connection reuses its memory.
		begun.parts.push(Buffer.from(bytes.subarray(HEAD_BYTES)));
		if (mark !== LAST) return null;
		this.#begun.delete(sender);
		return Buffer.concat(begun.parts).toString('utf8');
	}
}
