/**
 * Instructions of a player that are with the exchange. The exchange takes a limited number of one player's requests at a
 * time, so calls with many instructions wait for each other, first come, first served.
 */
import { Refused } from '#values/error-catalogue.ts';
import type { PlayerId } from '#values/ids.ts';

/** Below the exchange's own limit, so that the player's site stays usable. */
const MOST_INSTRUCTIONS = 220;
/** Calls that wait; one more is refused. */
const MOST_WAITING = 100;

interface OfPlayer {
	count: number;
	waiting: { count: number; start: () => void }[];
}

export class InFlight {
	readonly #players = new Map<PlayerId, OfPlayer>();

	/** @throws Refused THROTTLED */
	async run<Result>(playerId: PlayerId, count: number, work: () => Promise<Result>): Promise<Result> {
		const of = this.#players.get(playerId) ?? { count: 0, waiting: [] };
		this.#players.set(playerId, of);
		if (of.waiting.length > 0 || of.count + count > MOST_INSTRUCTIONS) {
			if (of.waiting.length >= MOST_WAITING) throw new Refused('THROTTLED');
			await new Promise<void>((start) => {
				of.waiting.push({ count, start });
			});
		} else of.count += count;
		try {
			return await work();
		} finally {
			of.count -= count;
			this.#startNext(playerId, of);
		}
	}

	#startNext(playerId: PlayerId, of: OfPlayer): void {
		for (let next = of.waiting[0]; next && of.count + next.count <= MOST_INSTRUCTIONS; next = of.waiting[0]) {
			of.waiting.shift();
			of.count += next.count;
			next.start();
		}
		if (of.count === 0) this.#players.delete(playerId);
	}
}
