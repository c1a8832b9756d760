/**
 * What waits to be sent to one browser. While the line keeps up messages go out at once; when it does not, a newer
 * message of a key takes the place of the older one, and a queue that grows too long ends the connection: a new one
 * starts from images.
 */
import type { BusMessage } from '#server/bus.ts';
import { messageRecord } from '#server/hub/json-protocol.ts';

export interface Line {
	send(text: string): void;
	/** Bytes handed over and not yet sent. */
	readonly bufferedAmount: number;
}

const HIGH_WATER_BYTES = 64 * 1024;
const LONGEST_QUEUE = 2000;

/** Every subscriber of a message sends the same text. */
const texts = new WeakMap<BusMessage, string>();

function textOf(message: BusMessage): string {
	let text = texts.get(message);
	if (text === undefined) {
		text = messageRecord({ Code: message.code, Data: JSON.stringify(message.data) });
		texts.set(message, text);
	}
	return text;
}

export class OutQueue {
	readonly #line: Line;
	readonly #overflow: () => void;
	readonly #waiting = new Map<string, BusMessage>();
	#unkeyed = 0;

	constructor(line: Line, overflow: () => void) {
		this.#line = line;
		this.#overflow = overflow;
	}

	push(message: BusMessage): void {
		if (this.#waiting.size === 0 && this.#line.bufferedAmount < HIGH_WATER_BYTES) {
			this.#line.send(textOf(message));
			return;
		}
		const key = message.key ?? `#${this.#unkeyed++}`;
		// Deleting first keeps the newer one behind what was said in between.
		this.#waiting.delete(key);
		this.#waiting.set(key, message);
		if (this.#waiting.size > LONGEST_QUEUE) this.#overflow();
	}

	/** Called when the line took something. */
	drain(): void {
		for (const [key, message] of this.#waiting) {
			if (this.#line.bufferedAmount >= HIGH_WATER_BYTES) return;
			this.#waiting.delete(key);
			this.#line.send(textOf(message));
		}
	}
}
