/**
 * The clock of recordings in step mode: recorded time stands until a program lets it go on, and then goes to the next
 * message, or by as much as was asked for. A step is over when all that it changed is durable, so what the program does next
 * meets the same books whenever the recording is played: the result of a strategy is that of its replay.
 */

import { Turns } from '#server/platform/pacing/turns.ts';
import type { FeedParts } from '#server/world/feeds/feed.ts';
import { confirmEveryMs } from '#server/world/feeds/feed.ts';
import type { StepAsked, Stepped } from '#server/world/markets/markets.ts';
import type { MarketId } from '#values/ids.ts';

/** An event that is played step by step. */
export interface SteppedEvent {
	/** Recorded milliseconds from the event's beginning to its next message; null when it is over. */
	readonly nextMs: number | null;
	readonly marketIds: readonly MarketId[];
	/** Plays the messages up to that time. */
	playTo(elapsedMs: number): Promise<void>;
}

export class SteppedClock {
	readonly #events: readonly SteppedEvent[];
	readonly #turns = new Turns();
	/** Keeps the markets open while the clock stands. */
	readonly #renewing: NodeJS.Timeout;
	#elapsedMs = 0;

	constructor(parts: Pick<FeedParts, 'exchange' | 'leaseMs'>, events: readonly SteppedEvent[]) {
		this.#events = events;
		const renew = () => parts.exchange.renewLeases(events.flatMap(({ marketIds }) => marketIds));
		this.#renewing = setInterval(renew, confirmEveryMs(parts)).unref();
		renew();
	}

	/** One step after another. A call that names another time than that of the clock is a repeated one, and moves nothing. */
	async step({ afterMs, byMs }: StepAsked): Promise<Stepped> {
		return await this.#turns.take('', async () => {
			const next = this.#next;
			if (next !== null && (afterMs === null || afterMs === this.#elapsedMs)) {
				this.#elapsedMs = byMs === null ? Math.max(next, this.#elapsedMs) : this.#elapsedMs + byMs;
				// In one order, so that a replay is the same.
				for (const event of this.#events) await event.playTo(this.#elapsedMs);
			}
			return { elapsedMs: this.#elapsedMs, isEnded: this.#next === null };
		});
	}

	get #next(): number | null {
		const due = this.#events.flatMap(({ nextMs }) => nextMs ?? []);
		return due.length > 0 ? Math.min(...due) : null;
	}

	/** Resolves when no step is under way. */
	async stop(): Promise<void> {
		clearInterval(this.#renewing);
		await this.#turns.take('', async () => undefined);
	}
}
