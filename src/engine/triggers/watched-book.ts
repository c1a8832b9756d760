/**
 * The triggers that wait for prices of one book, by price: what a price reaches is found without looking at the others. An
 * entry of a trigger that is gone, or has moved, stays until it comes up, or until there are more of them than triggers.
 */
import { Heap } from '#engine/heap.ts';
import { type Trigger, type WatchedPrice } from '#engine/triggers/trigger.ts';
import type { SideCode } from '#values/sides.ts';

/** What happened to a price since it was looked at last, as ticks. */
export interface SeenPrice {
	lowest: number;
	highest: number;
	last: number;
}

interface Entry {
	trigger: Trigger;
	/** Its tick when the entry was made. */
	tick: number;
}

/** Entries that may be left over before a heap is rebuilt. */
const MOST_LEFT_OVER = 100;

const byId = (one: Entry, other: Entry): boolean => one.trigger.terms.triggerId < other.trigger.terms.triggerId;

/** The triggers that wait for one price to move one way. Their ticks are turned, so that it falls. */
class Queue {
	readonly #triggers = new Set<Trigger>();
	/** The one that is reached first; the older one of the same price. */
	readonly #reached = new Heap<Entry>(
		(one, other) => one.tick > other.tick || (one.tick === other.tick && byId(one, other)),
	);
	/** Of trailing ones, the one that follows first. */
	readonly #following = new Heap<Entry>(
		(one, other) => one.tick < other.tick || (one.tick === other.tick && byId(one, other)),
	);

	get size(): number {
		return this.#triggers.size;
	}

	add(trigger: Trigger): void {
		this.#triggers.add(trigger);
		this.#enter(trigger);
	}

	remove(trigger: Trigger): void {
		this.#triggers.delete(trigger);
		if (this.#reached.size <= 2 * this.#triggers.size + MOST_LEFT_OVER) return;
		this.#reached.clear();
		this.#following.clear();
		for (const each of this.#triggers) this.#enter(each);
	}

	#enter(trigger: Trigger): void {
		if (Number.isFinite(trigger.at)) this.#reached.push({ trigger, tick: trigger.at });
		if (trigger.terms.trail !== null) this.#following.push({ trigger, tick: trigger.best });
	}

	/** Whether the worst and the best of turned ticks could concern a trigger: for most, they do not. */
	isConcerned(worst: number, best: number): boolean {
		const reached = this.#reached.first();
		if (reached && worst <= reached.tick) return true;
		const following = this.#following.first();
		return following !== undefined && best > following.tick;
	}

	/** The trigger that a turned tick reaches first, or null. */
	reached(tick: number): Trigger | null {
		for (let first = this.#reached.first(); first && tick <= first.tick; first = this.#reached.first()) {
			if (this.#triggers.has(first.trigger) && first.trigger.at === first.tick) return first.trigger;
			this.#reached.pop();
		}
		return null;
	}

	/** Lets trailing triggers follow a turned tick that is better than all that they have seen. */
	follow(tick: number): Trigger[] {
		const moved: Trigger[] = [];
		for (let first = this.#following.first(); first && tick > first.tick; first = this.#following.first()) {
			this.#following.pop();
			const { trigger } = first;
			if (!this.#triggers.has(trigger) || trigger.best !== first.tick) continue;
			trigger.best = tick;
			trigger.at = tick - (trigger.terms.trail ?? 0);
			this.#enter(trigger);
			moved.push(trigger);
		}
		return moved;
	}
}

const NOTHING_SEEN = -1;

export class WatchedBook {
	/** See `queuesAt`. */
	readonly #queues: Queue[] = Array.from({ length: 6 }, () => new Queue());

	get size(): number {
		return this.#queues.reduce((sum, { size }) => sum + size, 0);
	}

	/** What its triggers were compared with last: the price of a match, and the best tick of each side; none after a new trigger. */
	#tradeSeen = NOTHING_SEEN;
	readonly #bestSeen: [number, number] = [NOTHING_SEEN, NOTHING_SEEN];

	add(trigger: Trigger): void {
		this.#queueOf(trigger).add(trigger);
		this.#tradeSeen = NOTHING_SEEN;
		this.#bestSeen.fill(NOTHING_SEEN);
	}

	/** Whether its triggers have not been compared with these prices. */
	isNewTrade(lowestPrice: number, highestPrice: number): boolean {
		return lowestPrice !== highestPrice || lowestPrice !== this.#tradeSeen;
	}
	sawTrade(lastPrice: number): void {
		this.#tradeSeen = lastPrice;
	}
	isNewBest(side: SideCode, tick: number): boolean {
		return this.#bestSeen[side] !== tick;
	}
	sawBest(side: SideCode, tick: number): void {
		this.#bestSeen[side] = tick;
	}

	remove(trigger: Trigger): void {
		this.#queueOf(trigger).remove(trigger);
	}

	/** Whether a look at what a price did could change anything. */
	isConcerned(price: WatchedPrice, side: SideCode, lowest: number, highest: number): boolean {
		const at = queuesAt(price, side);
		return this.#queue(at).isConcerned(lowest, highest) || this.#queue(at + 1).isConcerned(-highest, -lowest);
	}

	/**
	 * Looks at what a price did. First come those that it reached, as they stood; then trailing ones follow the best of it,
	 * and the last one counts for them: what came first within a batch is not known.
	 * @param due takes a trigger out of the book
	 * @returns the trailing ones that moved and still wait
	 */
	look(price: WatchedPrice, side: SideCode, seen: SeenPrice, due: (trigger: Trigger) => void): Trigger[] {
		const moved: Trigger[] = [];
		const at = queuesAt(price, side);
		const { lowest, highest, last } = seen;
		for (const [queue, worst, best, now] of [
			[this.#queue(at), lowest, highest, last],
			[this.#queue(at + 1), -highest, -lowest, -last],
		] as const) {
			takeReached(queue, worst, due);
			const followed = queue.follow(best);
			takeReached(queue, now, due);
			for (const trigger of followed) if (trigger.dueAtMs === null) moved.push(trigger);
		}
		return moved;
	}

	#queueOf({ terms }: Trigger): Queue {
		return this.#queue(queuesAt(terms.watches, terms.side) + (terms.moves === 'FALLS' ? 0 : 1));
	}

	#queue(at: number): Queue {
		return this.#queues[at] as Queue;
	}
}

/**
 * Where the two queues of a price are, for its fall and its rise. Bets of both sides are placed at the last price of a match,
 * but each side has a best price of its own.
 */
const queuesAt = (watches: WatchedPrice, side: SideCode): number => (watches === 'LAST_TRADED' ? 0 : 2 + side * 2);

function takeReached(queue: Queue, tick: number, due: (trigger: Trigger) => void): void {
	for (let trigger = queue.reached(tick); trigger; trigger = queue.reached(tick)) due(trigger);
}
