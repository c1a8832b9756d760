/**
 * The resting bets of one runner in one pool: per side and rung a queue, oldest first. A resting back waits for layers
 * (lowest price first), a resting lay for backers (highest price first).
 */
import type { Level } from '#engine/engine.ts';
import type { Position } from '#engine/market.ts';
import { Hashed, type Hasher } from '#engine/state-hash.ts';
import { priceAt, RUNGS } from '#values/price-ladder.ts';
import { BACK, type SideCode } from '#values/sides.ts';

/** A bet of an unsettled market with a resting or a matched part. */
export class Bet extends Hashed {
	readonly betId: number;
	readonly position: Position;
	readonly runner: number;
	readonly side: SideCode;
	readonly rung: number;
	readonly price: number;
	readonly stake: number;
	readonly persist: boolean;
	matched = 0;
	/** Σ stake × price of its fills. */
	matchedValue = 0;
	remaining: number;
	/** Neighbours in the queue while it rests. */
	older: Bet | null = null;
	newer: Bet | null = null;
	/** Neighbours among the bets of its market and pool. */
	before: Bet | null = null;
	after: Bet | null = null;

	constructor(
		betId: number,
		position: Position,
		runner: number,
		side: SideCode,
		rung: number,
		stake: number,
		persist: boolean,
	) {
		super();
		this.betId = betId;
		this.position = position;
		this.runner = runner;
		this.side = side;
		this.rung = rung;
		this.price = priceAt(rung);
		this.stake = stake;
		this.persist = persist;
		this.remaining = stake;
	}

	describe(hasher: Hasher): boolean {
		hasher.start(3);
		hasher.add(this.betId);
		hasher.add(this.position.wallet.walletId);
		hasher.add(this.position.marketId);
		hasher.add(this.runner * 4 + this.side * 2 + (this.persist ? 1 : 0));
		hasher.add(this.price);
		hasher.add(this.matched);
		hasher.add(this.matchedValue);
		hasher.add(this.remaining);
		return true;
	}
}

/** Bets of one market and pool, any number, each able to leave at once. */
export class BetList {
	#last: Bet | null = null;

	add(bet: Bet): void {
		bet.before = this.#last;
		if (this.#last) this.#last.after = bet;
		this.#last = bet;
	}

	remove(bet: Bet): void {
		if (bet.before) bet.before.after = bet.after;
		if (bet.after) bet.after.before = bet.before;
		else this.#last = bet.before;
		bet.before = null;
		bet.after = null;
	}

	/** By bet id: the same order on every machine and after every recovery. */
	inOrder(): Bet[] {
		const bets: Bet[] = [];
		for (let bet = this.#last; bet; bet = bet.before) bets.push(bet);
		return bets.sort((a, b) => a.betId - b.betId);
	}
}

interface Queue {
	oldest: Bet | null;
	newest: Bet | null;
	size: number;
}

/** One side: queues by rung, and which of them hold something, a bit each. */
class BookSide {
	readonly #queues: (Queue | undefined)[] = [];
	readonly #filled = new Int32Array(Math.ceil(RUNGS / 32));

	queue(rung: number): Queue | undefined {
		const queue = this.#queues[rung];
		return queue && queue.oldest ? queue : undefined;
	}

	append(bet: Bet): void {
		let queue = this.#queues[bet.rung];
		if (!queue) {
			queue = { oldest: null, newest: null, size: 0 };
			this.#queues[bet.rung] = queue;
		}
		bet.older = queue.newest;
		if (queue.newest) queue.newest.newer = bet;
		else queue.oldest = bet;
		queue.newest = bet;
		queue.size += bet.remaining;
		this.#filled[bet.rung >> 5] = (this.#filled[bet.rung >> 5] as number) | (1 << (bet.rung & 31));
	}

	/** Takes stake off a resting bet; one with nothing left leaves its queue. */
	reduce(bet: Bet, stake: number): void {
		const queue = this.#queues[bet.rung] as Queue;
		bet.remaining -= stake;
		queue.size -= stake;
		if (bet.remaining > 0) return;
		if (bet.older) bet.older.newer = bet.newer;
		else queue.oldest = bet.newer;
		if (bet.newer) bet.newer.older = bet.older;
		else queue.newest = bet.older;
		bet.older = null;
		bet.newer = null;
		if (!queue.oldest) {
			this.#filled[bet.rung >> 5] = (this.#filled[bet.rung >> 5] as number) & ~(1 << (bet.rung & 31));
		}
	}

	/** The lowest filled rung from `from` up, or -1. */
	lowest(from: number): number {
		for (let word = from >> 5; word < this.#filled.length; word++) {
			let bits = this.#filled[word] as number;
			if (word === from >> 5) bits &= -1 << (from & 31);
			if (bits !== 0) return word * 32 + (31 - Math.clz32(bits & -bits));
		}
		return -1;
	}

	/** The highest filled rung from `from` down, or -1. */
	highest(from: number): number {
		for (let word = from >> 5; word >= 0; word--) {
			let bits = this.#filled[word] as number;
			if (word === from >> 5) bits &= -1 >>> (31 - (from & 31));
			if (bits !== 0) return word * 32 + (31 - Math.clz32(bits));
		}
		return -1;
	}
}

export class OrderBook {
	readonly #backs = new BookSide();
	readonly #lays = new BookSide();
	lastPriceTraded: number | null = null;
	/** Backers' stake. */
	totalMatched = 0;

	#side(side: SideCode): BookSide {
		return side === BACK ? this.#backs : this.#lays;
	}

	rest(bet: Bet): void {
		bet.position.openValue += bet.remaining * bet.price;
		this.#side(bet.side).append(bet);
	}

	reduce(bet: Bet, stake: number): void {
		bet.position.openValue -= stake * bet.price;
		this.#side(bet.side).reduce(bet, stake);
	}

	/** The best resting rung an incoming bet could take, or -1: a backer takes the highest lay, a layer the lowest back. */
	bestFor(side: SideCode): number {
		return side === BACK ? this.#lays.highest(RUNGS - 1) : this.#backs.lowest(0);
	}

	/** The next worse rung after `rung` for that incoming side, or -1. */
	nextFor(side: SideCode, rung: number): number {
		if (side === BACK) return rung === 0 ? -1 : this.#lays.highest(rung - 1);
		return rung === RUNGS - 1 ? -1 : this.#backs.lowest(rung + 1);
	}

	/** The oldest resting bet an incoming bet meets at a rung. */
	oldestFor(side: SideCode, rung: number): Bet | null {
		return this.#side(side === BACK ? 1 : 0).queue(rung)?.oldest ?? null;
	}

	/** Aggregated resting bets of one side, best first for those who would take them. */
	levels(side: SideCode, depth: number): Level[] {
		const incoming = side === BACK ? 1 : 0;
		const levels: Level[] = [];
		for (let rung = this.bestFor(incoming); rung >= 0 && levels.length < depth; rung = this.nextFor(incoming, rung)) {
			levels.push({ price: priceAt(rung), size: this.#side(side).queue(rung)?.size ?? 0 });
		}
		return levels;
	}

	/** Every resting bet: backs by rising price, then lays by falling price, each price oldest first. */
	resting(): Bet[] {
		const bets: Bet[] = [];
		for (const side of [1, 0] as const) {
			for (let rung = this.bestFor(side); rung >= 0; rung = this.nextFor(side, rung)) {
				for (let bet = this.oldestFor(side, rung); bet; bet = bet.newer) bets.push(bet);
			}
		}
		return bets;
	}
}
