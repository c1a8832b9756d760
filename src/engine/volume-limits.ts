/**
 * Bets that lapse once others have matched a volume of their runner, by the row of their book. Each waits for a volume of the
 * book without what is matched of the bet itself. An entry names the volume of the book at which that is as long as nothing
 * more is matched of the bet; one that comes up too early for that is entered again. A bet that is forgotten leaves its entry
 * there until it comes up, or until more than half of the entries are left over.
 */
import { Heap } from '#engine/heap.ts';
import type { BetId } from '#values/ids.ts';
import type { AnyMinor } from '#values/money.ts';

interface Entry {
	volume: AnyMinor;
	betId: BetId;
}
interface Limit {
	book: number;
	/** Minor units. */
	at: AnyMinor;
}
interface LimitedBook {
	bets: Set<BetId>;
	entries: Heap<Entry>;
}

/** Entries that may be left over before a heap is rebuilt. */
const MOST_LEFT_OVER = 100;

const comesBefore = (one: Entry, other: Entry): boolean =>
	one.volume < other.volume || (one.volume === other.volume && one.betId < other.betId);

export class VolumeLimits {
	/** By bet id: as long as the engine knows the bet. */
	readonly #limits = new Map<BetId, Limit>();
	readonly #books = new Map<number, LimitedBook>();

	get size(): number {
		return this.#limits.size;
	}

	/** The volume at which a bet lapses, without what is matched of itself, minor units; null for a bet that does not. */
	of(betId: BetId): AnyMinor | null {
		return this.#limits.get(betId)?.at ?? null;
	}

	bookOf(betId: BetId): number | null {
		return this.#limits.get(betId)?.book ?? null;
	}

	countOf(book: number): number {
		return this.#books.get(book)?.bets.size ?? 0;
	}

	inBook(book: number): BetId[] {
		return [...(this.#books.get(book)?.bets ?? [])];
	}

	add(betId: BetId, limit: Limit, matched: AnyMinor): void {
		this.#limits.set(betId, limit);
		const known = this.#books.get(limit.book);
		const book = known ?? { bets: new Set<BetId>(), entries: new Heap<Entry>(comesBefore) };
		if (!known) this.#books.set(limit.book, book);
		book.bets.add(betId);
		book.entries.push({ volume: limit.at + matched, betId });
	}

	/** Less is matched of a bet than before. */
	enterAgain(betId: BetId, matched: AnyMinor): void {
		const limit = this.#limits.get(betId);
		if (limit) this.#books.get(limit.book)?.entries.push({ volume: limit.at + matched, betId });
	}

	forget(betId: BetId): void {
		const limit = this.#limits.get(betId);
		const book = limit && this.#books.get(limit.book);
		if (!book) return;
		this.#limits.delete(betId);
		book.bets.delete(betId);
		if (book.bets.size === 0) this.#books.delete(limit.book);
		else if (book.entries.size > 2 * book.bets.size + MOST_LEFT_OVER) this.#dropLeftOver(book);
	}

	#dropLeftOver({ entries }: LimitedBook): void {
		const kept: Entry[] = [];
		for (let entry = entries.pop(); entry; entry = entries.pop()) if (this.#limits.has(entry.betId)) kept.push(entry);
		for (const entry of kept) entries.push(entry);
	}

	/** The volume of a book from which on one of its bets may lapse; Infinity for none. */
	next(book: number): AnyMinor {
		return this.#books.get(book)?.entries.first()?.volume ?? Number.POSITIVE_INFINITY;
	}

	/** Takes the bets of a book that lapse at a volume of it. @param matchedOf what is matched of a bet */
	takeDue(book: number, volume: AnyMinor, matchedOf: (betId: BetId) => AnyMinor): BetId[] {
		const due = new Set<BetId>();
		const entries = this.#books.get(book)?.entries;
		for (let entry = entries?.first(); entry && entry.volume <= volume; entry = entries?.first()) {
			const { betId } = entry;
			entries?.pop();
			const limit = this.#limits.get(betId);
			if (!limit) continue;
			const now = limit.at + matchedOf(betId);
			if (now <= volume) due.add(betId);
			else entries?.push({ volume: now, betId });
		}
		return [...due];
	}
}
