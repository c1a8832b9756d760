/**
 * The bets of unsettled markets, a row each, see src/kernel/bets.ts. A row number is good as long as its bet is known; ids
 * are for the outside.
 */
import { IdIndex } from '#engine/id-index.ts';
import { BLOCK_WIDE, BLOCK_WORDS, type Kernel } from '#engine/kernel.ts';
import { BET_ROW, BETS } from '#engine/kernel-layout.ts';
import { ROW_KIND } from '#engine/rows.ts';
import type { Hasher } from '#engine/state-hash.ts';
import type { SideCode } from '#values/sides.ts';

const { SIDE: SIDE_FLAG, PERSIST: PERSIST_FLAG, PENDING: PENDING_FLAG, DIRTY: DIRTY_FLAG } = BETS;
const HASHED_FLAGS = SIDE_FLAG | PERSIST_FLAG | PENDING_FLAG;

const WIDE = BLOCK_WIDE;
const WORDS = BLOCK_WORDS;
const {
	id: ID,
	matchedValue: MATCHED_VALUE,
	position: POSITION,
	runner: RUNNER,
	flags: FLAGS,
	rung: RUNG,
	price: PRICE,
	stake: STAKE,
	remaining: REMAINING,
	matched: MATCHED,
	older: OLDER,
	newer: NEWER,
	before: BEFORE,
} = BET_ROW;

/** Whose bet it is, in which market, and whether it is a quote. */
export interface BetOwner {
	walletId: number;
	marketId: number;
	quotes: boolean;
}

export class BetTable {
	readonly #kernel: Kernel;
	readonly #index: IdIndex;

	constructor(kernel: Kernel) {
		this.#kernel = kernel;
		this.#index = new IdIndex(kernel, ROW_KIND.BET);
	}

	/** Row of a bet that is known, or NONE. */
	find(betId: number): number {
		return this.#index.find(betId);
	}

	/**
	 * A bet with nothing matched; it belongs to its position when it is linked, and to its book when it rests.
	 * @param market its row
	 */
	add(
		market: number,
		betId: number,
		position: number,
		runner: number,
		side: SideCode,
		price: number,
		rung: number,
		stake: number,
		persist: boolean,
	): number {
		const row = this.#kernel.call.addBet(market, betId, position, runner, side, price, rung, stake, persist ? 1 : 0);
		this.#index.set(betId, row);
		return row;
	}

	id(row: number): number {
		return this.#kernel.wide[row * WIDE + ID] as number;
	}
	/** Row of the position it belongs to. */
	position(row: number): number {
		return this.#kernel.words[row * WORDS + POSITION] as number;
	}
	runner(row: number): number {
		return this.#kernel.words[row * WORDS + RUNNER] as number;
	}
	side(row: number): SideCode {
		return ((this.#kernel.words[row * WORDS + FLAGS] as number) & SIDE_FLAG) as SideCode;
	}
	persists(row: number): boolean {
		return ((this.#kernel.words[row * WORDS + FLAGS] as number) & PERSIST_FLAG) !== 0;
	}
	rung(row: number): number {
		return this.#kernel.words[row * WORDS + RUNG] as number;
	}
	setRung(row: number, rung: number): void {
		this.#kernel.words[row * WORDS + RUNG] = rung;
	}
	price(row: number): number {
		return this.#kernel.words[row * WORDS + PRICE] as number;
	}
	setPrice(row: number, price: number): void {
		this.#kernel.words[row * WORDS + PRICE] = price;
	}
	stake(row: number): number {
		return this.#kernel.words[row * WORDS + STAKE] as number;
	}
	remaining(row: number): number {
		return this.#kernel.words[row * WORDS + REMAINING] as number;
	}
	setRemaining(row: number, stake: number): void {
		this.#kernel.words[row * WORDS + REMAINING] = stake;
	}
	matched(row: number): number {
		return this.#kernel.words[row * WORDS + MATCHED] as number;
	}
	setMatched(row: number, stake: number): void {
		this.#kernel.words[row * WORDS + MATCHED] = stake;
	}
	/** Σ stake × price of its fills, as reduced since. */
	matchedValue(row: number): number {
		return this.#kernel.wide[row * WIDE + MATCHED_VALUE] as number;
	}
	setMatchedValue(row: number, value: number): void {
		this.#kernel.wide[row * WIDE + MATCHED_VALUE] = value;
	}
	/** Counts a part as matched; what remains is the order book's to lower. */
	addMatched(row: number, stake: number, value: number): void {
		this.setMatched(row, this.matched(row) + stake);
		this.setMatchedValue(row, this.matchedValue(row) + value);
		this.touch(row);
	}
	/** Neighbours in the queue of its price. */
	older(row: number): number {
		return this.#kernel.words[row * WORDS + OLDER] as number;
	}
	newer(row: number): number {
		return this.#kernel.words[row * WORDS + NEWER] as number;
	}
	/** The bet that its position had before it, or NONE. */
	before(row: number): number {
		return this.#kernel.words[row * WORDS + BEFORE] as number;
	}
	/** How it stands: what who placed it is told. */
	outcome(row: number) {
		const { words, wide } = this.#kernel;
		const at = row * WORDS;
		return {
			ok: true as const,
			betId: wide[row * WIDE + ID] as number,
			stake: words[at + STAKE] as number,
			matched: words[at + MATCHED] as number,
			matchedValue: wide[row * WIDE + MATCHED_VALUE] as number,
			remaining: words[at + REMAINING] as number,
		};
	}
	/** Accepted, and not in the book before its delay is over. */
	isPending(row: number): boolean {
		return ((this.#kernel.words[row * WORDS + FLAGS] as number) & PENDING_FLAG) !== 0;
	}
	setPending(row: number, pending: boolean): void {
		const flags = this.#kernel.words[row * WORDS + FLAGS] as number;
		this.#kernel.words[row * WORDS + FLAGS] = pending ? flags | PENDING_FLAG : flags & ~PENDING_FLAG;
		this.touch(row);
	}

	touch(row: number): void {
		this.#kernel.call.markBetDirty(row);
	}

	/** Forgets a bet; its row may be another's next. */
	remove(market: number, row: number): void {
		this.#index.remove(this.id(row));
		this.#kernel.call.removeBet(market, row);
	}

	/** For the digest, which then has heard of it; false when there is no bet. Of a quote only what is matched counts. */
	describe(row: number, hasher: Hasher, owner: (position: number) => BetOwner): boolean {
		const flags = this.#kernel.words[row * WORDS + FLAGS] as number;
		this.#kernel.words[row * WORDS + FLAGS] = flags & ~DIRTY_FLAG;
		if (this.stake(row) === 0) return false;
		const { walletId, marketId, quotes } = owner(this.position(row));
		if (quotes && this.matched(row) === 0) return false;
		hasher.start(3);
		hasher.add(this.id(row));
		hasher.add(walletId);
		hasher.add(marketId);
		hasher.add(this.runner(row) * 8 + (flags & HASHED_FLAGS));
		hasher.add(this.price(row));
		hasher.add(this.matched(row));
		hasher.add(this.matchedValue(row));
		hasher.add(quotes ? 0 : this.remaining(row));
		return true;
	}
}
