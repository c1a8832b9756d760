/**
 * News that a player is told once and that no call answers: what became of a trigger, and a bet that lapsed by its own
 * term. They are kept for a while, for a page that was not registered with the hub as they went out.
 */
import type { BusMessage } from '#server/platform/bus/bus.ts';
import type { PlayerId } from '#values/ids.ts';

/** A page that was away for longer shows where things stand now. */
const KEPT_MS = 5 * 60_000;
/** The newest of one player. */
const MOST_OF_PLAYER = 20;

interface Kept {
	atMs: number;
	message: BusMessage;
}

export class RecentNotices {
	readonly #clock: () => number;
	/** The player who got one last stands last. */
	readonly #kept = new Map<PlayerId, Kept[]>();

	constructor(clock: () => number) {
		this.#clock = clock;
	}

	keep(playerId: PlayerId, message: BusMessage): void {
		const atMs = this.#clock();
		const kept = this.#kept.get(playerId) ?? [];
		this.#kept.delete(playerId);
		this.#kept.set(playerId, [...kept, { atMs, message }].slice(-MOST_OF_PLAYER));
		for (const [other, notices] of this.#kept) {
			if (atMs - (notices.at(-1)?.atMs ?? 0) < KEPT_MS) break;
			this.#kept.delete(other);
		}
	}

	/** Those of the last milliseconds, oldest first. */
	of(playerId: PlayerId, lastMs: number): BusMessage[] {
		const sinceMs = this.#clock() - Math.min(lastMs, KEPT_MS);
		return (this.#kept.get(playerId) ?? []).filter(({ atMs }) => atMs >= sinceMs).map(({ message }) => message);
	}
}
