/** All triggers of the engine: by id, by wallet, by market and by book; and those whose price was reached. */
import type { BetTable } from '#engine/bets.ts';
import type { Market } from '#engine/market.ts';
import type { OrderBooks } from '#engine/order-book.ts';
import { SparseMap } from '#engine/sparse-map.ts';
import type { StateDigest } from '#engine/state-hash.ts';
import { PlansOfBook } from '#engine/triggers/plans-of-book.ts';
import type { Trigger } from '#engine/triggers/trigger.ts';
import { WatchedBook } from '#engine/triggers/watched-book.ts';
import type { BetId, MarketId, WalletId } from '#values/ids.ts';

/** Triggers by their ids, which is the order in which they were placed. */
const inOrder = (triggers: Iterable<Trigger>): Trigger[] =>
	[...triggers].sort((one, other) => one.terms.triggerId - other.terms.triggerId);

/** Those that were reached first come first; those of one command, by their ids. */
const comesDueBefore = (one: Trigger, other: Trigger): number =>
	(one.dueAtMs ?? 0) - (other.dueAtMs ?? 0) || one.terms.triggerId - other.terms.triggerId;

class TriggersBy {
	readonly #sets = new Map<number, Set<Trigger>>();

	add(key: number, trigger: Trigger): void {
		const set = this.#sets.get(key);
		if (set) set.add(trigger);
		else this.#sets.set(key, new Set([trigger]));
	}

	remove(key: number, trigger: Trigger): void {
		const set = this.#sets.get(key);
		set?.delete(trigger);
		if (set?.size === 0) this.#sets.delete(key);
	}

	has(key: number): boolean {
		return this.#sets.has(key);
	}

	count(key: number): number {
		return this.#sets.get(key)?.size ?? 0;
	}

	of(key: number): Trigger[] {
		return inOrder(this.#sets.get(key) ?? []);
	}

	keys(): number[] {
		return [...this.#sets.keys()];
	}
}

export class Triggers {
	readonly #digest: StateDigest;
	readonly #orderBooks: OrderBooks;
	readonly #byId = new Map<BetId, Trigger>();
	readonly #byWallet = new TriggersBy();
	readonly #byMarket = new TriggersBy();
	/** Those that wait, by the row of their book. */
	readonly #books = new SparseMap<WatchedBook>();
	/** Rows of books whose prices may concern a trigger and are to be looked at, now or when their best prices count. */
	readonly concerned = new Set<number>();
	/** Those that are due, by market. */
	readonly #due = new TriggersBy();
	/** Plans, by the row of their book, and by the bets that they follow. */
	readonly #plans = new SparseMap<PlansOfBook>();
	readonly #byBet = new Map<BetId, Trigger>();
	readonly #bets: BetTable;

	constructor(digest: StateDigest, orderBooks: OrderBooks, bets: BetTable) {
		this.#digest = digest;
		this.#orderBooks = orderBooks;
		this.#bets = bets;
	}

	get size(): number {
		return this.#byId.size;
	}

	find(triggerId: BetId): Trigger | null {
		return this.#byId.get(triggerId) ?? null;
	}

	add(trigger: Trigger): void {
		const { triggerId, walletId, marketId } = trigger.terms;
		this.#byId.set(triggerId, trigger);
		this.#byWallet.add(walletId, trigger);
		this.#byMarket.add(marketId, trigger);
		if (trigger.terms.plan != null) this.#follow(trigger);
		else if (trigger.dueAtMs === null) this.#watchedBook(trigger).add(trigger);
		if (trigger.dueAtMs !== null) this.#due.add(marketId, trigger);
		this.#digest.touch(trigger);
	}

	#follow(trigger: Trigger): void {
		const { book } = trigger.place;
		const plans = this.#plans.get(book) ?? new PlansOfBook(trigger.terms, book, this.#orderBooks);
		this.#plans.set(book, plans);
		plans.add(trigger);
		this.#followBet(trigger, trigger.betId);
		this.#followBet(trigger, trigger.exitId);
	}

	/** The bet of a plan is another one. */
	hasBet(trigger: Trigger, betId: BetId): void {
		this.#unfollowBet(trigger.betId);
		trigger.betId = betId;
		this.#followBet(trigger, betId);
		this.#touch(trigger);
	}
	/** The bet that closes what is matched of a bracket is another one, or gone. */
	hasExit(trigger: Trigger, exitId: BetId | null): void {
		this.#unfollowBet(trigger.exitId);
		trigger.exitId = exitId;
		this.#followBet(trigger, exitId);
	}

	#followBet(trigger: Trigger, betId: BetId | null): void {
		if (betId === null) return;
		this.#byBet.set(betId, trigger);
		this.#bets.follow(betId);
	}
	#unfollowBet(betId: BetId | null): void {
		if (betId === null) return;
		this.#byBet.delete(betId);
		this.#bets.unfollow(betId);
	}

	/** A bet that a plan follows changed, in whatever way. @returns the plan */
	betChanged(betId: BetId): Trigger | undefined {
		const trigger = this.#byBet.get(betId);
		if (trigger) this.#touch(trigger);
		return trigger;
	}

	#touch(trigger: Trigger): void {
		this.#plans.get(trigger.place.book)?.touch(trigger);
	}

	forget(trigger: Trigger): void {
		const { triggerId, walletId, marketId } = trigger.terms;
		this.#byId.delete(triggerId);
		this.#byWallet.remove(walletId, trigger);
		this.#byMarket.remove(marketId, trigger);
		if (trigger.dueAtMs !== null) this.#due.remove(marketId, trigger);
		else if (trigger.terms.plan == null) this.#removeFromBook(trigger);
		if (trigger.terms.plan != null) this.#unfollow(trigger);
		trigger.gone = true;
		this.#digest.touch(trigger);
	}

	#unfollow(trigger: Trigger): void {
		const { book } = trigger.place;
		this.#unfollowBet(trigger.betId);
		this.#unfollowBet(trigger.exitId);
		const plans = this.#plans.get(book);
		plans?.remove(trigger);
		if (plans?.size === 0) this.#plans.delete(book);
	}

	/** Its price was reached. */
	becomeDue(trigger: Trigger, atMs: number): void {
		if (trigger.terms.plan == null) this.#removeFromBook(trigger);
		trigger.dueAtMs = atMs;
		this.#due.add(trigger.terms.marketId, trigger);
		this.#digest.touch(trigger);
	}

	/** A plan that was due waits for what becomes of its bets: the next one may be matched or lapsed already. */
	wait(trigger: Trigger): void {
		trigger.dueAtMs = null;
		this.#due.remove(trigger.terms.marketId, trigger);
		this.#digest.touch(trigger);
		this.#touch(trigger);
	}

	moved(trigger: Trigger): void {
		this.#digest.touch(trigger);
	}

	#watchedBook({ terms, place: { book } }: Trigger): WatchedBook {
		const known = this.#books.get(book);
		if (known) return known;
		const watched = new WatchedBook(terms, book, this.#orderBooks);
		this.#books.set(book, watched);
		return watched;
	}

	#removeFromBook(trigger: Trigger): void {
		const { book } = trigger.place;
		const watched = this.#books.get(book);
		watched?.remove(trigger);
		if (watched?.size !== 0) return;
		this.#books.delete(book);
		this.concerned.delete(book);
	}

	/** The triggers that wait for prices of a book; null without any. */
	watchedBook(row: number): WatchedBook | null {
		return this.#books.get(row) ?? null;
	}

	/** The plans of a book; null without any. */
	plansOf(row: number): PlansOfBook | null {
		return this.#plans.get(row) ?? null;
	}

	/** Whether a market has triggers, waiting or due. */
	isWatched(marketId: MarketId): boolean {
		return this.#byMarket.has(marketId);
	}

	countOfMarket(marketId: MarketId): number {
		return this.#byMarket.count(marketId);
	}
	countOfWallet(walletId: WalletId): number {
		return this.#byWallet.count(walletId);
	}

	/** Oldest first. */
	ofMarket(marketId: MarketId): Trigger[] {
		return this.#byMarket.of(marketId);
	}
	ofWallet(walletId: WalletId): Trigger[] {
		return this.#byWallet.of(walletId);
	}
	wallets(): WalletId[] {
		return this.#byWallet.keys();
	}

	/** Those whose bets can be placed now, in the order in which they became due. */
	dueIn(markets: { get(marketId: MarketId): Market | undefined }): Trigger[] {
		const due: Trigger[] = [];
		for (const marketId of this.#due.keys()) {
			const market = markets.get(marketId);
			if (market?.status !== 'OPEN' || market.changing) continue;
			for (const trigger of this.#due.of(marketId)) if (!market.suspended.has(trigger.terms.runner)) due.push(trigger);
		}
		return due.sort(comesDueBefore);
	}
}
