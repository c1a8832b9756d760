/**
 * Challenges that the server does not store: each carries its end and its purpose under a seal, so strangers who ask for
 * many use no memory. Only challenges that came back are remembered, until their end: each is accepted once. The key is
 * of this process, so none survives a restart.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { isSameSecret } from '#server/platform/keys/same-secret.ts';
import { MINUTE_MS } from '#values/time.ts';

const VALID_MS = 5 * MINUTE_MS;
const END_BYTES = 8;
const RANDOM_BYTES = 16;
const HEAD_BYTES = END_BYTES + RANDOM_BYTES;

export class SealedChallenges {
	readonly #key = randomBytes(32);
	/** Monotonic: setting the wall clock lengthens no challenge. */
	readonly #clock: () => number;
	/** Those that were used, with their ends, oldest first. */
	readonly #used = new Map<string, number>();

	constructor(clock: () => number) {
		this.#clock = clock;
	}

	/** @param purpose what an answer is accepted for, such as adding a key to one log-in */
	make(purpose: string): Uint8Array<ArrayBuffer> {
		const head = Buffer.alloc(HEAD_BYTES);
		head.writeDoubleBE(this.#clock() + VALID_MS);
		randomBytes(RANDOM_BYTES).copy(head, END_BYTES);
		return new Uint8Array(Buffer.concat([head, Buffer.from(this.#seal(head, purpose), 'base64url')]));
	}

	/** Whether a challenge was made for that purpose, has not ended, and is used for the first time. */
	take(challenge: string, purpose: string): boolean {
		const bytes = Buffer.from(challenge, 'base64url');
		if (bytes.length <= HEAD_BYTES) return false;
		const head = bytes.subarray(0, HEAD_BYTES);
		const seal = bytes.subarray(HEAD_BYTES).toString('base64url');
		if (!isSameSecret(seal, this.#seal(head, purpose))) return false;
		const [nowMs, endsAtMs] = [this.#clock(), head.readDoubleBE()];
		for (const [used, endedAtMs] of this.#used) {
			if (endedAtMs > nowMs) break;
			this.#used.delete(used);
		}
		const name = head.toString('base64url');
		if (nowMs >= endsAtMs || this.#used.has(name)) return false;
		this.#used.set(name, endsAtMs);
		return true;
	}

	#seal(head: Buffer, purpose: string): string {
		return createHmac('sha256', this.#key).update(head).update(purpose).digest('base64url');
	}
}
