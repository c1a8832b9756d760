/**
 * Stateful reconnect: what was sent and not yet acknowledged is kept and sent again on a new transport, and what the client
 * sends again is not done again. Only calls, answers and stream parts are counted, from 1; the rest has no number.
 * Counted as the official client counts (`MessageBuffer.ts` in its source).
 */
import type { Encoded, Incoming } from '#server/hub/protocols/protocol.ts';

/** What a client that acknowledges nothing makes us keep; the client's own limit is the same. */
const MOST_KEPT_BYTES = 100_000;

export class MessageBuffer {
	readonly #kept: { sequenceId: number; encoded: Encoded }[] = [];
	#keptBytes = 0;
	#sent = 0;
	#nextReceived = 1;
	#latestReceived = 0;
	#acknowledged = 0;
	#waitsForSequence = false;

	/** Remembers what is sent. */
	keep(encoded: Encoded): void {
		this.#sent += 1;
		this.#kept.push({ sequenceId: this.#sent, encoded });
		this.#keptBytes += encoded.bytes.length;
	}

	/** Nothing counted may be sent until more is acknowledged. */
	get full(): boolean {
		return this.#keptBytes >= MOST_KEPT_BYTES;
	}

	/** The client has everything up to this number. */
	acknowledged(sequenceId: number): void {
		while (this.#kept[0] && this.#kept[0].sequenceId <= sequenceId) {
			this.#keptBytes -= this.#kept.shift()?.encoded.bytes.length ?? 0;
		}
	}

	/** A new transport begins: what comes on it counts from the sequence message on. */
	lineChanged(): void {
		this.#waitsForSequence = true;
	}

	/** What a new transport is sent first: the number of the first message, and the messages. */
	resent(): { sequenceId: number; messages: Encoded[] } {
		return {
			sequenceId: this.#kept[0]?.sequenceId ?? this.#sent + 1,
			messages: this.#kept.map(({ encoded }) => encoded),
		};
	}

	/** Counts what arrived; false for what was done before or came too early. */
	isNew(incoming: Incoming): boolean {
		if (this.#waitsForSequence) return incoming.kind === 'sequence';
		if (incoming.kind !== 'invocation' && incoming.kind !== 'stream-part') return true;
		const sequenceId = this.#nextReceived;
		this.#nextReceived += 1;
		if (sequenceId <= this.#latestReceived) return false;
		this.#latestReceived = sequenceId;
		return true;
	}

	/** The client begins again at this number. @throws when messages before it never came */
	begin(sequenceId: number): void {
		if (sequenceId > this.#nextReceived) throw new Error('a sequence id above what was received');
		this.#waitsForSequence = false;
		this.#nextReceived = sequenceId;
	}

	/** The number to acknowledge, or null when nothing new came since the last. */
	takeAck(): number | null {
		if (this.#latestReceived === this.#acknowledged) return null;
		this.#acknowledged = this.#latestReceived;
		return this.#acknowledged;
	}
}
