/**
 * What waits to be sent to one browser. While the transport keeps up messages go out at once; when it does not, a newer
 * message of a key takes the place of the older one, and a queue that grows too large ends the connection: a new one
 * starts from images.
 */
import type { BusMessage } from '#server/bus.ts';
import type { Encoded } from '#server/hub/protocols/protocol.ts';
import { supersede } from '#server/hub/supersede.ts';

export interface OutQueueOptions {
	encode: (message: BusMessage) => Encoded;
	/** Hands over; false when nothing more should follow until `drain` is called. */
	send: (encoded: Encoded) => boolean;
	overflow: () => void;
}

const LARGEST_QUEUE_BYTES = 1024 * 1024;

/** A message that may still be superseded, or what must be sent as it is. */
type Waiting = { message: BusMessage | null; encoded: Encoded };

export class OutQueue {
	readonly #options: OutQueueOptions;
	readonly #waiting = new Map<string, Waiting>();
	#bytes = 0;
	#unkeyed = 0;
	#open = false;

	constructor(options: OutQueueOptions) {
		this.#options = options;
	}

	push(message: BusMessage): void {
		if (this.#open) {
			this.#open = this.#options.send(this.#options.encode(message));
			return;
		}
		const key = message.key ?? this.#ownKey();
		const older = this.#waiting.get(key)?.message;
		const standing = older ? supersede(older, message) : message;
		this.#keep(key, { message: standing, encoded: this.#options.encode(standing) });
	}

	/** An answer: sent in its turn, superseded by nothing. */
	pushEncoded(encoded: Encoded): void {
		if (this.#open) this.#open = this.#options.send(encoded);
		else this.#keep(this.#ownKey(), { message: null, encoded });
	}

	/** Nothing waits and the transport takes more. */
	get idle(): boolean {
		return this.#open;
	}

	/** The transport takes nothing more until `drain`. */
	hold(): void {
		this.#open = false;
	}

	/** The transport takes more. */
	drain(): void {
		this.#open = true;
		for (const [key, { encoded }] of this.#waiting) {
			if (!this.#open) return;
			this.#waiting.delete(key);
			this.#bytes -= encoded.bytes.length;
			this.#open = this.#options.send(encoded);
		}
	}

	#ownKey(): string {
		this.#unkeyed += 1;
		return `#${this.#unkeyed}`;
	}

	#keep(key: string, waiting: Waiting): void {
		const older = this.#waiting.get(key);
		// Deleting first keeps the newer one behind what was said in between.
		if (older) this.#waiting.delete(key);
		this.#waiting.set(key, waiting);
		this.#bytes += waiting.encoded.bytes.length - (older?.encoded.bytes.length ?? 0);
		if (this.#bytes > LARGEST_QUEUE_BYTES) this.#options.overflow();
	}
}
