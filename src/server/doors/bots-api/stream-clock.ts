/**
 * The clock of the stream: a number that rises with each batch that changed something. A subscription that names it
 * again gets the changes since. The clock restarts with the process, so clocks of an earlier process are unknown.
 */
import { randomBytes } from 'node:crypto';

/** A clock older than this gets an image, because ended orders may have left memory. */
export const KNOWN_MS = 3_600_000;

export class StreamClock {
	readonly #epoch = randomBytes(6).toString('base64url');
	readonly #now: () => number;
	/** Of the latest batch. */
	value = 0;

	constructor(now: () => number) {
		this.#now = now;
	}

	advance(): number {
		this.value += 1;
		return this.value;
	}

	/** The clock of a message; `value` once everything up to it was sent. */
	text(value: number): string {
		return [this.#epoch, value.toString(36), this.#now().toString(36)].join('.');
	}

	/** The value of an earlier text; null if it is too old or from another process. */
	read(text: string): number | null {
		const [epoch, value = '', atMs = '', more] = text.split('.');
		const number = Number.parseInt(value, 36);
		const isKnown = number >= 0 && number <= this.value && more === undefined;
		if (epoch !== this.#epoch || !isKnown) return null;
		return this.#now() - Number.parseInt(atMs, 36) < KNOWN_MS ? number : null;
	}
}
