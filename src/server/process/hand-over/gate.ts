/**
 * A planned hand-over to a standby. The gate lets work through, holds it while the lease changes, and then decides
 * which process does it.
 */
import { before } from '#server/exchange/order/deadline.ts';
import { Refused } from '#values/error-catalogue.ts';

/** Memory limit for held or passed work; further work is refused. */
const MOST_KEPT_BYTES = 128 * 1024 * 1024;

/** A call or a request. */
interface Work<Result> {
	/** False if it only reads. */
	changes: boolean;
	untilMs: number;
	/** Approximate memory while it is held. */
	bytes: number;
	here: () => Promise<Result>;
	/** @param address of the successor */
	there: (address: string) => Promise<Result>;
}

export class Gate {
	/** The address of the process that does the work; null while this one does. */
	#successor: string | null = null;
	/** Unfinished work that may change state. */
	#changing = 0;
	#keptBytes = 0;
	/** Settles when work is no longer held; null while none is. */
	#held: PromiseWithResolvers<void> | null = null;
	/** Settles when no work may change state any more. */
	#idle: PromiseWithResolvers<void> | null = null;

	/** @throws Refused the refusal of the work; DEADLINE_PASSED or OVERLOADED if it was held and not begun */
	do<Result>(work: Work<Result>): Promise<Result> {
		return this.#held || this.#successor !== null ? this.#keep(work) : this.#here(work);
	}

	/** Holds work from now on. Resolves when earlier work can change nothing more. */
	async hold(): Promise<void> {
		this.#held ??= Promise.withResolvers();
		if (this.#changing === 0) return;
		this.#idle ??= Promise.withResolvers();
		await this.#idle.promise;
	}

	/** Releases the held work. @param successor the process that does it, if not this one */
	open(successor: string | null = null): void {
		this.#successor = successor;
		const held = this.#held;
		this.#held = null;
		held?.resolve();
	}

	async #keep<Result>(work: Work<Result>): Promise<Result> {
		if (this.#keptBytes + work.bytes > MOST_KEPT_BYTES) throw new Refused('OVERLOADED');
		this.#keptBytes += work.bytes;
		try {
			while (this.#held) await before(this.#held.promise, work.untilMs, 'DEADLINE_PASSED');
			return await (this.#successor === null ? this.#here(work) : work.there(this.#successor));
		} finally {
			this.#keptBytes -= work.bytes;
		}
	}

	async #here<Result>({ changes, here }: Work<Result>): Promise<Result> {
		if (!changes) return await here();
		this.#changing += 1;
		try {
			return await here();
		} finally {
			this.#changing -= 1;
			if (this.#changing === 0) {
				this.#idle?.resolve();
				this.#idle = null;
			}
		}
	}
}
