/**
 * The triggers that wait for prices of one book, by price: what a price reaches is found without looking at the others. An
 * entry of a trigger that is gone, or has moved, stays until it comes up, or until there are more of them than triggers.
 */
import { Heap } from '#engine/heap.ts';
import type { OrderBooks } from '#engine/order-book.ts';
import type { Trigger, TriggerTerms, WatchedPrice } from '#engine/triggers/trigger.ts';
import type { MarketId } from '#values/ids.ts';
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

	/** The highest turned tick that reaches a trigger, and the lowest that one follows. */
	get reachedFrom(): number {
		return this.#firstReached()?.tick ?? NEVER_BELOW;
	}
	get followedFrom(): number {
		const first = this.#firstFollowing();
		return first === undefined ? NEVER_ABOVE : Math.max(first.tick, NEVER_BELOW) + 1;
	}

	#firstReached(): Entry | undefined {
		return this.#first(this.#reached, ({ trigger, tick }) => trigger.at === tick);
	}
	#firstFollowing(): Entry | undefined {
		return this.#first(this.#following, ({ trigger, tick }) => trigger.best === tick);
	}

	/** The first entry that is not left over. */
	#first(heap: Heap<Entry>, isNow: (entry: Entry) => boolean): Entry | undefined {
		let first = heap.first();
		for (; first && !(this.#triggers.has(first.trigger) && isNow(first)); first = heap.first()) heap.pop();
		return first;
	}

	/** The trigger that a turned tick reaches first, or null. */
	reached(tick: number): Trigger | null {
		const first = this.#firstReached();
		return first && tick <= first.tick ? first.trigger : null;
	}

	/** Lets trailing triggers follow a turned tick that is better than all that they have seen. */
	follow(tick: number): Trigger[] {
		const moved: Trigger[] = [];
		for (let first = this.#firstFollowing(); first && tick > first.tick; first = this.#firstFollowing()) {
			this.#following.pop();
			const { trigger } = first;
			trigger.best = tick;
			trigger.at = tick - (trigger.terms.trail ?? 0);
			this.#enter(trigger);
			moved.push(trigger);
		}
		return moved;
	}
}

export class WatchedBook {
	readonly marketId: MarketId;
	readonly runner: number;
	readonly #book: number;
	readonly #orderBooks: OrderBooks;
	/** See `queuesAt`. */
	readonly #queues: Queue[] = Array.from({ length: 6 }, () => new Queue());

	/** @param book its row */
	constructor({ marketId, runner }: Pick<TriggerTerms, 'marketId' | 'runner'>, book: number, orderBooks: OrderBooks) {
		this.marketId = marketId;
		this.runner = runner;
		this.#book = book;
		this.#orderBooks = orderBooks;
	}

	get size(): number {
		return this.#queues.reduce((sum, { size }) => sum + size, 0);
	}

	add(trigger: Trigger): void {
		const at = queuesAt(trigger.terms.watches, trigger.terms.side);
		this.#queue(at + turnOf(trigger)).add(trigger);
		this.#orderBooks.watch(this.#book);
		this.#bound(at);
	}

	remove(trigger: Trigger): void {
		const at = queuesAt(trigger.terms.watches, trigger.terms.side);
		this.#queue(at + turnOf(trigger)).remove(trigger);
		this.#bound(at);
	}

	/** Prices between these concern none of the two queues. */
	#bound(at: number): void {
		const [falls, rises] = [this.#queue(at), this.#queue(at + 1)];
		const below = Math.max(falls.reachedFrom, -rises.followedFrom);
		const above = Math.min(falls.followedFrom, -rises.reachedFrom);
		this.#orderBooks.bound(this.#book, at / 2, below, above);
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
 * Where the two queues of a price are, for its fall and its rise: twice its number in WATCHES. Bets of both sides are placed
 * at the last price of a match, but each side has a best price of its own.
 */
const queuesAt = (watches: WatchedPrice, side: SideCode): number => (watches === 'LAST_TRADED' ? 0 : 2 + side * 2);

function takeReached(queue: Queue, tick: number, due: (trigger: Trigger) => void): void {
	for (let trigger = queue.reached(tick); trigger; trigger = queue.reached(tick)) due(trigger);
}
