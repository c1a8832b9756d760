/**
 * The bus between publisher and hub, and, with NATS, between processes. Topics: `market.ID.POOL`, `event.ID`,
 * `sports`, `table.GAME.POOL`, `table.GAME.POOL.COHORT`, `player.ID`, `login.ID`, `brand.HOST`, and `brands` and `heartbeat`, which processes subscribe to. Fire and forget:
 * messages are hints, the tables are the record.
 */
import type { HubCode, HubMessages } from '#contract/hub-messages.ts';

/**
 * A hub message that is not encoded yet, so that a slow reader's older message can be dropped by `key` (latest wins).
 */
export interface BusMessage<C extends HubCode = HubCode> {
	code: C;
	data: HubMessages[C];
	/** Queued messages with the same key supersede each other; a message without a key is always sent. */
	key?: string;
}

export interface Bus {
	publish(topic: string, message: BusMessage): void;
	/** @returns a function that ends the subscription */
	subscribe(topic: string, listener: (message: BusMessage) => void): () => void;
	/** False where a message on the topic has no reader, and need not be made. */
	isFollowed(topic: string): boolean;
}

/** The bus within a process: synchronous, in order. */
export class LocalBus implements Bus {
	readonly #listeners = new Map<string, Set<(message: BusMessage) => void>>();

	isFollowed(topic: string): boolean {
		return this.#listeners.has(topic);
	}

	publish(topic: string, message: BusMessage): void {
		const listeners = this.#listeners.get(topic);
		if (listeners) for (const listener of listeners) listener(message);
	}

	subscribe(topic: string, listener: (message: BusMessage) => void): () => void {
		const listeners = this.#listeners.get(topic) ?? new Set();
		this.#listeners.set(topic, listeners.add(listener));
		return () => {
			listeners.delete(listener);
			if (listeners.size === 0) this.#listeners.delete(topic);
		};
	}
}
