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

/** Beyond all ticks, turned or not. */
const NEVER_BELOW = -1_000_000;
const NEVER_ABOVE = 1_000_000;

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

	/** The highest turned tick that could reach a trigger, and the lowest that one could follow. */
	get reachedFrom(): number {
		return this.#reached.first()?.tick ?? NEVER_BELOW;
	}
	get followedFrom(): number {
		const first = this.#following.first();
		return first === undefined ? NEVER_ABOVE : Math.max(first.tick, NEVER_BELOW) + 1;
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

export class WatchedBook {
	/** See `queuesAt`. */
	readonly #queues: Queue[] = Array.from({ length: 6 }, () => new Queue());
	/**
	 * By price: a tick from the one down, or from the other up, may concern a trigger. What lies between concerns none, and
	 * nearly all looks end here.
	 */
	readonly #below = [NEVER_BELOW, NEVER_BELOW, NEVER_BELOW];
	readonly #above = [NEVER_ABOVE, NEVER_ABOVE, NEVER_ABOVE];

	get size(): number {
		return this.#queues.reduce((sum, { size }) => sum + size, 0);
	}

	add(trigger: Trigger): void {
		const at = queuesAt(trigger.terms.watches, trigger.terms.side);
		this.#queue(at + turnOf(trigger)).add(trigger);
		this.#bound(at);
	}

	remove(trigger: Trigger): void {
		const at = queuesAt(trigger.terms.watches, trigger.terms.side);
		this.#queue(at + turnOf(trigger)).remove(trigger);
		this.#bound(at);
	}

	#bound(at: number): void {
		const [falls, rises] = [this.#queue(at), this.#queue(at + 1)];
		this.#below[at / 2] = Math.max(falls.reachedFrom, -rises.followedFrom);
		this.#above[at / 2] = Math.min(falls.followedFrom, -rises.reachedFrom);
	}

	/** Whether a look at what a price did could change anything: ticks from the lowest to the highest. */
	isConcerned(price: WatchedPrice, side: SideCode, lowest: number, highest: number): boolean {
		const at = queuesAt(price, side) / 2;
		return lowest <= (this.#below[at] as number) || highest >= (this.#above[at] as number);
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
		this.#bound(at);
		return moved;
	}

	#queue(at: number): Queue {
		return this.#queues[at] as Queue;
	}
}

/** Which of the two queues of a price a trigger is in. */
const turnOf = ({ turn }: Trigger): number => (turn > 0 ? 0 : 1);

/**
 * Where the two queues of a price are, for its fall and its rise. Bets of both sides are placed at the last price of a match,
 * but each side has a best price of its own.
 */
const queuesAt = (watches: WatchedPrice, side: SideCode): number => (watches === 'LAST_TRADED' ? 0 : 2 + side * 2);

function takeReached(queue: Queue, tick: number, due: (trigger: Trigger) => void): void {
	for (let trigger = queue.reached(tick); trigger; trigger = queue.reached(tick)) due(trigger);
}
