/**
 * A planned hand-over to a standby. This file lets work through, holds it while the lease changes hands, and says then which
 * process does it.
 */
import { before } from '#server/exchange/order/deadline.ts';
import { Refused } from '#values/error-catalogue.ts';

/** Work that waits or is passed on takes no more memory; more of it is refused. */
const MOST_KEPT_BYTES = 128 * 1024 * 1024;

/** A call or a request. */
interface Work<Result> {
	/** False when it only reads. */
	changes: boolean;
	untilMs: number;
	/** About how much memory it takes while it waits. */
	bytes: number;
	here: () => Promise<Result>;
	/** @param address of the successor */
	there: (address: string) => Promise<Result>;
}

export class Gate {
	/** Of the process that does the work; null while this one does. */
	#successor: string | null = null;
	/** Work that may change something and has not ended. */
	#changing = 0;
	#keptBytes = 0;
	/** Settles when work is held no longer; null while it is not. */
	#held: PromiseWithResolvers<void> | null = null;
	/** Settles when no work may change anything. */
	#idle: PromiseWithResolvers<void> | null = null;

	/** @throws Refused what the work is refused with; DEADLINE_PASSED or OVERLOADED when it was held and not begun */
	do<Result>(work: Work<Result>): Promise<Result> {
		return this.#held || this.#successor !== null ? this.#keep(work) : this.#here(work);
	}

	/** Holds work from now on. Resolves when what was let through can change nothing more. */
	async hold(): Promise<void> {
		this.#held ??= Promise.withResolvers();
		if (this.#changing === 0) return;
		this.#idle ??= Promise.withResolvers();
		await this.#idle.promise;
	}

	/** Lets the work that was held go on. @param successor who does it, if no longer this process */
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
