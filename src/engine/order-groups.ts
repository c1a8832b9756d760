/**
 * Order groups: bets of one player that are cancelled together once more than an amount of them was matched within a while, a
 * guard against being run over. A group is closed then, and takes no bets until its player resets it.
 */
import { Hashed, type Hasher, type StateDigest } from '#engine/state-hash.ts';
import type { BetId, WalletId } from '#values/ids.ts';
import type { AnyMinor } from '#values/money.ts';

/** For how long what was matched counts. */
export const GUARDED_MS = 15_000;
/** Groups of one player. */
export const MOST_GROUPS = 20;

/** A group as it stands. */
export interface OrderGroupView {
	walletId: WalletId;
	/** A name of the player's own. */
	name: string;
	/** Minor units. */
	most: AnyMinor;
	/** What was matched of its bets of late: when it was seen, milliseconds since 1970, and stake. */
	recent: readonly (readonly [atMs: number, stake: AnyMinor])[];
	/** When it was closed; null while it takes bets. */
	closedAtMs: number | null;
}

const KIND = 9;

export class OrderGroup extends Hashed {
	readonly walletId: WalletId;
	readonly name: string;
	most: AnyMinor;
	recent: OrderGroupView['recent'];
	closedAtMs: number | null;
	/** Its bets that may be matched. */
	readonly bets = new Set<BetId>();

	constructor({ walletId, name, most, recent, closedAtMs }: OrderGroupView) {
		super();
		this.walletId = walletId;
		this.name = name;
		this.most = most;
		this.recent = recent;
		this.closedAtMs = closedAtMs;
	}

	/** What was matched of late, minor units. */
	get matched(): AnyMinor {
		return this.recent.reduce((sum, [, stake]) => sum + stake, 0);
	}

	view(): OrderGroupView {
		const { walletId, name, most, recent, closedAtMs } = this;
		return { walletId, name, most, recent, closedAtMs };
	}

	describe(hasher: Hasher): boolean {
		hasher.start(KIND);
		hasher.add(this.walletId);
		for (const letter of this.name) hasher.add(letter.codePointAt(0) ?? 0);
		hasher.add(this.most);
		hasher.add(this.closedAtMs ?? 0);
		for (const [atMs, stake] of this.recent) {
			hasher.add(atMs);
			hasher.add(stake);
		}
		return true;
	}
}

/** A bet of a group: its book, and what was matched of it when that was looked at last. */
interface Member {
	group: OrderGroup;
	book: number;
	seen: AnyMinor;
}

export class OrderGroups {
	readonly #digest: StateDigest;
	readonly #groups = new Map<WalletId, Map<string, OrderGroup>>();
	readonly #members = new Map<BetId, Member>();
	/** Bets of groups, by the row of their book. */
	readonly #books = new Map<number, Set<BetId>>();

	constructor(digest: StateDigest) {
		this.#digest = digest;
	}

	/** Bets of groups that may be matched. */
	get size(): number {
		return this.#members.size;
	}

	find(walletId: WalletId, name: string): OrderGroup | null {
		return this.#groups.get(walletId)?.get(name) ?? null;
	}

	/** By name. */
	of(walletId: WalletId): OrderGroup[] {
		return [...(this.#groups.get(walletId)?.values() ?? [])].sort((one, other) => (one.name < other.name ? -1 : 1));
	}

	add(view: OrderGroupView): OrderGroup {
		const group = new OrderGroup(view);
		const own = this.#groups.get(view.walletId) ?? new Map<string, OrderGroup>();
		own.set(view.name, group);
		this.#groups.set(view.walletId, own);
		this.#digest.touch(group);
		return group;
	}

	touch(group: OrderGroup): void {
		this.#digest.touch(group);
	}

	/** @returns whether the book had no bets of groups before */
	join(group: OrderGroup, betId: BetId, { book, seen }: Omit<Member, 'group'>): boolean {
		this.#members.set(betId, { group, book, seen });
		group.bets.add(betId);
		const bets = this.#books.get(book);
		if (bets) bets.add(betId);
		else this.#books.set(book, new Set([betId]));
		return bets === undefined;
	}

	/** @returns whether the book has no bets of groups any more */
	leave(betId: BetId): boolean {
		const member = this.#members.get(betId);
		if (!member) return false;
		this.#members.delete(betId);
		member.group.bets.delete(betId);
		const bets = this.#books.get(member.book);
		bets?.delete(betId);
		if (bets?.size === 0) this.#books.delete(member.book);
		return bets?.size === 0;
	}

	/** What is matched of a bet so far does not count. */
	saw(betId: BetId, matched: AnyMinor): void {
		const member = this.#members.get(betId);
		if (member) member.seen = matched;
	}

	/**
	 * A match of a bet is void, which was seen when its batch ended. It counts on, and what is matched next counts beside it.
	 */
	voided(betId: BetId, stake: AnyMinor): void {
		const member = this.#members.get(betId);
		if (member) member.seen -= stake;
	}

	member(betId: BetId): Member | null {
		return this.#members.get(betId) ?? null;
	}

	/** No bet of the book is of a group any more: those that ended were not looked at since. */
	forgetBook(book: number): void {
		for (const betId of this.#books.get(book) ?? []) this.leave(betId);
	}

	/** The bets of groups in a book, oldest first. */
	inBook(book: number): BetId[] {
		return [...(this.#books.get(book) ?? [])].sort((one, other) => one - other);
	}
	hasBook(book: number): boolean {
		return this.#books.has(book);
	}
}
