/**
 * Texts above what NATS takes in one message, as parts that say which text they are of and how many there are. Parts of
 * a sender arrive in order, or some are lost with a connection.
 */
import { randomBytes } from 'node:crypto';

/** Before the text of a part: a mark that no JSON begins with, the sender, the text's number, the part's, and their count. */
const MARK = 0x01;
const SENDER_BYTES = 8;
const TEXT_AT = 1 + SENDER_BYTES;
const PART_AT = TEXT_AT + 4;
const COUNT_AT = PART_AT + 4;
const HEAD_BYTES = COUNT_AT + 4;

export class PartWriter {
	readonly #sender = randomBytes(SENDER_BYTES);
	#texts = 0;

	/** @param text too long for one part @param largest bytes of a part, with its head */
	partsOf(text: string, largest: number): Uint8Array[] {
		const bytes = Buffer.from(text);
		const step = largest - HEAD_BYTES;
		const count = Math.ceil(bytes.length / step);
		this.#texts = (this.#texts + 1) >>> 0;
		return Array.from({ length: count }, (_, part) => {
			const head = Buffer.alloc(HEAD_BYTES);
			head[0] = MARK;
			this.#sender.copy(head, 1);
			head.writeUInt32BE(this.#texts, TEXT_AT);
			head.writeUInt32BE(part, PART_AT);
			head.writeUInt32BE(count, COUNT_AT);
			return Buffer.concat([head, bytes.subarray(part * step, (part + 1) * step)]);
		});
	}
}

interface Begun {
	/** The text's number. */
	text: number;
	/** Null where one is missing. */
	parts: Buffer[] | null;
}

/** Joins the parts of many senders. */
export class PartJoiner {
	/** By sender: each sends one text after another. */
	readonly #begun = new Map<string, Begun>();

	/** @returns the text with its last part, and null before; 'LOST' once where a part is missing */
	join(part: Uint8Array): string | null | 'LOST' {
		const bytes = Buffer.from(part.buffer, part.byteOffset, part.length);
		const sender = bytes.toString('latin1', 1, TEXT_AT);
		const [text, number, count] = [
			bytes.readUInt32BE(TEXT_AT),
			bytes.readUInt32BE(PART_AT),
			bytes.readUInt32BE(COUNT_AT),
		];
		const before = this.#begun.get(sender);
		const isNext = before?.text === text;
		const begun: Begun = isNext ? before : { text, parts: number === 0 ? [] : null };
		this.#begun.set(sender, begun);
		// The end of the text before is missing, or the beginning of this one.
		const hasGap = !isNext && ((before?.parts ?? null) !== null || number > 0);
		if (begun.parts !== null && begun.parts.length !== number) {
			begun.parts = null;
			return 'LOST';
		}
		// Copied, because the connection reuses its memory.
		begun.parts?.push(Buffer.from(bytes.subarray(HEAD_BYTES)));
		if (begun.parts?.length !== count) return hasGap ? 'LOST' : null;
		this.#begun.delete(sender);
		return Buffer.concat(begun.parts).toString('utf8');
	}

	/** The connection was lost, and with it the parts that were on their way. */
	clear(): void {
		this.#begun.clear();
	}
}

export const isPart = (bytes: Uint8Array): boolean => bytes[0] === MARK;
