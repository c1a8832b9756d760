/**
 * Queued messages for one browser. While the transport keeps up, messages are sent immediately. When it does not, a
 * newer message of a key replaces the older one, and a queue that grows too large ends the connection: a new one starts
 * from images.
 */

import type { Encoded } from '#server/doors/hub/protocols/protocol.ts';
import { supersede } from '#server/doors/hub/supersede.ts';
import type { BusMessage } from '#server/platform/bus/bus.ts';

interface OutQueueOptions {
	encode: (message: BusMessage) => Encoded;
	/** Sends; false when nothing more should follow until `drain` is called. */
	send: (encoded: Encoded) => boolean;
	overflow: () => void;
}

const LARGEST_QUEUE_BYTES = 1024 * 1024;

/** A message that may still be superseded, or bytes that must be sent as they are; `isOwn` of the player's own news. */
type Waiting = { message: BusMessage | null; encoded: Encoded; isOwn: boolean };

export class OutQueue {
	readonly #options: OutQueueOptions;
	readonly #waiting = new Map<string, Waiting>();
	#bytes = 0;
	#unkeyed = 0;
	#open = false;
	#sentCount = 0;

	constructor(options: OutQueueOptions) {
		this.#options = options;
	}

	/** @param isOwn news of the connection's player, for no other one */
	push(message: BusMessage, isOwn = false): void {
		if (this.#open) {
			this.#sentCount += 1;
			this.#open = this.#options.send(this.#options.encode(message));
			return;
		}
		const key = message.key ?? this.#ownKey();
		const older = this.#waiting.get(key)?.message;
		const standing = older ? supersede(older, message) : message;
		this.#keep(key, { message: standing, encoded: this.#options.encode(standing), isOwn });
	}

	/** Forgets what waits of the player's own news: the connection is another player's now. */
	dropOwn(): void {
		for (const [key, { encoded, isOwn }] of this.#waiting) {
			if (!isOwn) continue;
			this.#waiting.delete(key);
			this.#bytes -= encoded.bytes.length;
		}
	}

	/** Queues an answer: it is sent in order and never superseded. */
	pushEncoded(encoded: Encoded): void {
		if (this.#open) this.#open = this.#options.send(encoded);
		else this.#keep(this.#ownKey(), { message: null, encoded, isOwn: false });
	}

	/** The number of messages that were sent, without answers. */
	get sentCount(): number {
		return this.#sentCount;
	}

	/** True when the queue is empty and the transport accepts more. */
	get idle(): boolean {
		return this.#open;
	}

	/** The transport accepts nothing more until `drain`. */
	hold(): void {
		this.#open = false;
	}

	/** The transport accepts more. */
	drain(): void {
		this.#open = true;
		for (const [key, { message, encoded }] of this.#waiting) {
			if (!this.#open) return;
			this.#waiting.delete(key);
			this.#bytes -= encoded.bytes.length;
			if (message) this.#sentCount += 1;
			this.#open = this.#options.send(encoded);
		}
	}

	#ownKey(): string {
		this.#unkeyed += 1;
		return `#${this.#unkeyed}`;
	}

	#keep(key: string, waiting: Waiting): void {
		const older = this.#waiting.get(key);
		// Deleting the key first moves the newer message behind the messages that were queued in between.
		if (older) this.#waiting.delete(key);
		this.#waiting.set(key, waiting);
		this.#bytes += waiting.encoded.bytes.length - (older?.encoded.bytes.length ?? 0);
		if (this.#bytes > LARGEST_QUEUE_BYTES) this.#options.overflow();
	}
}
