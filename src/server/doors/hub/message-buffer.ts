/**
 * Stateful reconnect. Messages that are not acknowledged are kept and sent again on a new transport; messages that the
 * client sends again are skipped. Only invocations, completions and stream items are numbered, from 1, as in the
 * official client (`MessageBuffer.ts`).
 */
import type { Encoded, Incoming } from '#server/doors/hub/protocols/protocol.ts';

/** Limit on what is kept for a client that acknowledges nothing; the official client has the same limit. */
const MOST_KEPT_BYTES = 100_000;

export class MessageBuffer {
	readonly #kept: { sequenceId: number; encoded: Encoded }[] = [];
	#keptBytes = 0;
	#sent = 0;
	#nextReceived = 1;
	#latestReceived = 0;
	#acknowledged = 0;
	#waitsForSequence = false;

	/** Keeps a message that is sent. */
	keep(encoded: Encoded): void {
		this.#sent += 1;
		this.#kept.push({ sequenceId: this.#sent, encoded });
		this.#keptBytes += encoded.bytes.length;
	}

	/** True when no numbered message may be sent before more is acknowledged. */
	get full(): boolean {
		return this.#keptBytes >= MOST_KEPT_BYTES;
	}

	/** The client has received everything up to this number. */
	acknowledged(sequenceId: number): void {
		while (this.#kept[0] && this.#kept[0].sequenceId <= sequenceId) {
			this.#keptBytes -= this.#kept.shift()?.encoded.bytes.length ?? 0;
		}
	}

	/** A new transport begins; its messages are numbered from its sequence message on. */
	lineChanged(): void {
		this.#waitsForSequence = true;
	}

	/** The messages to send first on a new transport, and the number of the first. */
	resent(): { sequenceId: number; messages: Encoded[] } {
		return {
			sequenceId: this.#kept[0]?.sequenceId ?? this.#sent + 1,
			messages: this.#kept.map(({ encoded }) => encoded),
		};
	}

	/** Counts a received message. False for a message that was handled before or came too early. */
	isNew(incoming: Incoming): boolean {
		if (this.#waitsForSequence) return incoming.kind === 'sequence';
		if (incoming.kind !== 'invocation' && incoming.kind !== 'stream-part') return true;
		const sequenceId = this.#nextReceived;
		this.#nextReceived += 1;
		if (sequenceId <= this.#latestReceived) return false;
		this.#latestReceived = sequenceId;
		return true;
	}

	/** The client continues at this number. @throws when an earlier message never arrived */
	begin(sequenceId: number): void {
		if (sequenceId > this.#nextReceived) throw new Error('a sequence id above what was received');
		this.#waitsForSequence = false;
		this.#nextReceived = sequenceId;
	}

	/** The number to acknowledge, or null if no message arrived since the last acknowledgement. */
	takeAck(): number | null {
		if (this.#latestReceived === this.#acknowledged) return null;
		this.#acknowledged = this.#latestReceived;
		return this.#acknowledged;
	}
}
