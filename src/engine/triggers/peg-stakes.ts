/**
 * What the bets of a book's pegs have at each tick. A tick with more than that holds a price which pegs may follow, so the best
 * one is found without a look at the bets.
 */
import type { OrderBooks, Rest } from '#engine/order-book.ts';
import type { Trigger } from '#engine/triggers/trigger.ts';

export class PegStakes {
	readonly #book: number;
	readonly #orderBooks: OrderBooks;
	/** As it was counted last. */
	readonly #rests = new Map<Trigger, Rest>();
	/** Those whose bet changed since. */
	readonly #changed = new Set<Trigger>();

	/** @param book its row */
	constructor(book: number, orderBooks: OrderBooks) {
		this.#book = book;
		this.#orderBooks = orderBooks;
	}

	/** The bet of a peg changed, or is about to, or is another one. */
	note(peg: Trigger): void {
		this.#changed.add(peg);
	}

	/** Others may follow the bet that a peg leaves. */
	remove(peg: Trigger): void {
		this.#changed.delete(peg);
		this.#replace(peg, null);
	}

	/** Counts the bets that changed: only now is it known how they stand. */
	update(): void {
		for (const peg of this.#changed) {
			this.#replace(peg, peg.betId === null ? null : this.#orderBooks.restOf(peg.betId));
		}
		this.#changed.clear();
	}

	#replace(peg: Trigger, rest: Rest | null): void {
		const old = this.#rests.get(peg);
		if (old) this.#orderBooks.countPegs(this.#book, { ...old, stake: -old.stake });
		if (rest) this.#orderBooks.countPegs(this.#book, rest);
		if (rest) this.#rests.set(peg, rest);
		else this.#rests.delete(peg);
	}
}
