/**
 * The bets of markets that are not settled or void, as of the last durable batch: rows of numbers instead of objects, see
 * row-pages.ts. A record is made whenever one is asked for.
 */
import { assertRule } from '#engine/kernel.ts';
import type { BetRow } from '#server/exchange/order/batch-rows.ts';
import { BetIds } from '#server/exchange/views/bet-ids.ts';
import { NONE, type Page, RowPages } from '#server/exchange/views/row-pages.ts';
import type { BetId, MarketId, WalletId } from '#values/ids.ts';
import { POOLS, type Pool, poolCode } from '#values/pools.ts';
import type { SideCode } from '#values/sides.ts';

/** Numbers of eight and of four bytes in a row. */
const ROW_WIDE = 12;
const ROW_WORDS = 24;
// The first six have eight bytes.
const ID = 0;
const WALLET = 1;
const MARKET = 2;
const MATCHED_VALUE = 3;
const PLACED_AT = 4;
/** NaN while nothing is matched. */
const MATCHED_AT = 5;
// The others have four.
const PRICE = 12;
const STAKE = 13;
const MATCHED = 14;
const REMAINING = 15;
const CANCELLED = 16;
const LAPSED = 17;
const VOIDED = 18;
/** The runner, and from bit 16 on the flags. */
const RUNNER = 19;
const OLDER_OF_WALLET = 20;
const NEWER_OF_WALLET = 21;
const OLDER_OF_MARKET = 22;
const NEWER_OF_MARKET = 23;

const RUNNER_BITS = 16;
const RUNNER_MASK = (1 << RUNNER_BITS) - 1;
const IS_LAY = 1 << 16;
const PERSISTS = 1 << 17;
const FILL_OR_KILL = 1 << 18;
const TAKES_START = 1 << 19;
const IS_QUOTE = 1 << 20;
/** What few bets have stands in `#details`. */
const HAS_DETAIL = 1 << 21;
const POOL_SHIFT = 23;
const POOL_MASK = 63;

type Detail = Pick<
	BetRow,
	'terms' | 'onClose' | 'delay' | 'fills' | 'queuedAfter' | 'references' | 'result' | 'profitExact' | 'parts'
>;

/** What is unmatched of a bet. */
export type BetRest = Pick<BetRow, 'betId' | 'marketId' | 'remaining'>;

/** Of one wallet or one market: the slot that was entered last, and through the rows the others. */
type Newest = Map<number, number>;

export class DurableBets {
	readonly #pages = new RowPages(ROW_WORDS);
	readonly #ids = new BetIds((slot) => this.#pages.pageOf(slot).wide[RowPages.rowOf(slot) * ROW_WIDE + ID] as number);
	readonly #details = new Map<number, Detail>();
	readonly #newestOfWallet: Newest = new Map();
	readonly #newestOfMarket: Newest = new Map();
	#size = 0;

	get size(): number {
		return this.#size;
	}

	get(betId: BetId): BetRow | null {
		const slot = this.#ids.find(betId);
		return slot === NONE ? null : this.#row(slot);
	}

	has(betId: BetId): boolean {
		return this.#ids.find(betId) !== NONE;
	}

	/** The market of a bet, or undefined. */
	marketOf(betId: BetId): MarketId | undefined {
		const slot = this.#ids.find(betId);
		return slot === NONE ? undefined : this.#wide(slot, MARKET);
	}

	/** The bets of a wallet, the one that came last first. */
	*ofWallet(walletId: WalletId): Generator<BetRow> {
		for (let slot = this.#newestOfWallet.get(walletId) ?? NONE; slot !== NONE; slot = this.#word(slot, OLDER_OF_WALLET))
			yield this.#row(slot);
	}

	/** Those of them in one market. */
	ofWalletIn(walletId: WalletId, marketId: MarketId): BetRow[] {
		return this.#slotsIn(walletId, marketId).map((slot) => this.#row(slot));
	}

	/**
	 * A wallet of the house has bets in all markets, and a large market bets of all wallets: both lists are followed, until the
	 * shorter one ends. In both the bet that came last is first.
	 */
	#slotsIn(walletId: WalletId, marketId: MarketId): number[] {
		const [ofWallet, ofMarket]: [number[], number[]] = [[], []];
		let own = this.#newestOfWallet.get(walletId) ?? NONE;
		let each = this.#newestOfMarket.get(marketId) ?? NONE;
		while (own !== NONE && each !== NONE) {
			if (this.#wide(own, MARKET) === marketId) ofWallet.push(own);
			if (this.#wide(each, WALLET) === walletId) ofMarket.push(each);
			own = this.#word(own, OLDER_OF_WALLET);
			each = this.#word(each, OLDER_OF_MARKET);
		}
		return own === NONE ? ofWallet : ofMarket;
	}

	/** The bets of these markets, by id. */
	inMarkets(marketIds: readonly MarketId[]): BetRow[] {
		const slots: number[] = [];
		let isSorted = true;
		let before = Number.POSITIVE_INFINITY;
		for (const marketId of new Set(marketIds)) {
			let slot = this.#newestOfMarket.get(marketId) ?? NONE;
			for (; slot !== NONE; slot = this.#word(slot, OLDER_OF_MARKET)) {
				const betId = this.#wide(slot, ID);
				isSorted &&= betId < before;
				before = betId;
				slots.push(slot);
			}
		}
		slots.reverse();
		// Bets of one market that were not reopened come in the order of their ids.
		if (isSorted) return slots.map((slot) => this.#row(slot));
		// A typed array sorts numbers ten times as fast as a comparison of records would.
		const ids = Float64Array.from(slots, (slot) => this.#wide(slot, ID)).sort();
		return Array.from(ids, (betId) => this.#row(this.#ids.find(betId)));
	}

	/**
	 * The bets of these markets, in the order in which they were entered, each as it stands when it is reached: the
	 * caller may pause. A bet that ended meanwhile is left out.
	 */
	*eachIn(marketIds: readonly MarketId[]): Generator<BetRow> {
		for (const marketId of new Set(marketIds)) {
			const ids: BetId[] = [];
			let slot = this.#newestOfMarket.get(marketId) ?? NONE;
			for (; slot !== NONE; slot = this.#word(slot, OLDER_OF_MARKET)) ids.push(this.#wide(slot, ID));
			for (let at = ids.length - 1; at >= 0; at--) {
				const bet = this.get(ids[at] as BetId);
				if (bet !== null) yield bet;
			}
		}
	}

	/** What is unmatched of the bets of a wallet, the one that came last first. */
	*restsOf(walletId: WalletId): Generator<BetRest> {
		let slot = this.#newestOfWallet.get(walletId) ?? NONE;
		for (; slot !== NONE; slot = this.#word(slot, OLDER_OF_WALLET))
			yield { betId: this.#wide(slot, ID), marketId: this.#wide(slot, MARKET), remaining: this.#word(slot, REMAINING) };
	}

	/** Enters a bet, or what became of it. */
	set(bet: BetRow): void {
		let slot = this.#ids.find(bet.betId);
		if (slot === NONE) slot = this.#add(bet);
		this.#write(slot, bet);
	}

	remove(betId: BetId): void {
		const slot = this.#ids.find(betId);
		if (slot === NONE) return;
		this.#ids.remove(betId);
		this.#details.delete(slot);
		this.#unlink(slot, this.#wide(slot, WALLET), this.#newestOfWallet, OLDER_OF_WALLET, NEWER_OF_WALLET);
		this.#unlink(slot, this.#wide(slot, MARKET), this.#newestOfMarket, OLDER_OF_MARKET, NEWER_OF_MARKET);
		this.#setWord(slot, RUNNER, 0);
		this.#pages.free(slot);
		this.#size--;
	}

	#add({ betId, walletId, marketId }: BetRow): number {
		const slot = this.#pages.allocate();
		const { wide } = this.#pages.pageOf(slot);
		const at = RowPages.rowOf(slot) * ROW_WIDE;
		wide[at + ID] = betId;
		wide[at + WALLET] = walletId;
		wide[at + MARKET] = marketId;
		this.#ids.add(betId, slot);
		this.#link(slot, walletId, this.#newestOfWallet, OLDER_OF_WALLET, NEWER_OF_WALLET);
		this.#link(slot, marketId, this.#newestOfMarket, OLDER_OF_MARKET, NEWER_OF_MARKET);
		this.#size++;
		return slot;
	}

	#link(slot: number, owner: number, newest: Newest, older: number, newer: number): void {
		const before = newest.get(owner) ?? NONE;
		this.#setWord(slot, older, before);
		this.#setWord(slot, newer, NONE);
		if (before !== NONE) this.#setWord(before, newer, slot);
		newest.set(owner, slot);
	}

	#unlink(slot: number, owner: number, newest: Newest, older: number, newer: number): void {
		const [before, after] = [this.#word(slot, older), this.#word(slot, newer)];
		if (before !== NONE) this.#setWord(before, newer, after);
		if (after !== NONE) this.#setWord(after, older, before);
		else if (before === NONE) newest.delete(owner);
		else newest.set(owner, before);
	}

	#write(slot: number, bet: BetRow): void {
		const page = this.#pages.pageOf(slot);
		const row = RowPages.rowOf(slot);
		const wide = row * ROW_WIDE;
		page.wide[wide + MATCHED_VALUE] = bet.matchedValue;
		page.wide[wide + PLACED_AT] = bet.placedAtMs;
		page.wide[wide + MATCHED_AT] = bet.matchedAtMs ?? Number.NaN;
		const words = row * ROW_WORDS;
		setWhole(page, words + PRICE, bet.price);
		setWhole(page, words + STAKE, bet.stake);
		setWhole(page, words + MATCHED, bet.matched);
		setWhole(page, words + REMAINING, bet.remaining);
		setWhole(page, words + CANCELLED, bet.cancelled);
		setWhole(page, words + LAPSED, bet.lapsed);
		setWhole(page, words + VOIDED, bet.voided);
		assertRule(bet.runner >>> RUNNER_BITS === 0, 'the runner of a bet has 16 bits');
		const detail = detailOf(bet);
		if (detail !== null) this.#details.set(slot, detail);
		else if (((page.words[words + RUNNER] as number) & HAS_DETAIL) !== 0) this.#details.delete(slot);
		page.words[words + RUNNER] = bet.runner | flagsOf(bet) | (detail === null ? 0 : HAS_DETAIL);
	}

	#row(slot: number): BetRow {
		const page = this.#pages.pageOf(slot);
		const row = RowPages.rowOf(slot);
		const { wide, words } = page;
		const [atWide, at] = [row * ROW_WIDE, row * ROW_WORDS];
		const flags = words[at + RUNNER] as number;
		const detail = (flags & HAS_DETAIL) === 0 ? NO_DETAIL : (this.#details.get(slot) as Detail);
		const matchedAtMs = wide[atWide + MATCHED_AT] as number;
		const bet: BetRow = {
			betId: wide[atWide + ID] as number,
			walletId: wide[atWide + WALLET] as number,
			marketId: wide[atWide + MARKET] as number,
			pool: POOLS[(flags >>> POOL_SHIFT) & POOL_MASK] as Pool,
			runner: flags & RUNNER_MASK,
			side: ((flags & IS_LAY) === 0 ? 0 : 1) as SideCode,
			price: words[at + PRICE] as number,
			stake: words[at + STAKE] as number,
			persist: (flags & PERSISTS) !== 0,
			fillOrKill: (flags & FILL_OR_KILL) !== 0,
			terms: detail.terms,
			onClose: detail.onClose,
			takesStart: (flags & TAKES_START) !== 0,
			quote: (flags & IS_QUOTE) !== 0,
			placedAtMs: wide[atWide + PLACED_AT] as number,
			matchedAtMs: Number.isNaN(matchedAtMs) ? null : matchedAtMs,
			matched: words[at + MATCHED] as number,
			matchedValue: wide[atWide + MATCHED_VALUE] as number,
			remaining: words[at + REMAINING] as number,
			cancelled: words[at + CANCELLED] as number,
			lapsed: words[at + LAPSED] as number,
			voided: words[at + VOIDED] as number,
			result: detail.result,
			profitExact: detail.profitExact,
			parts: detail.parts,
			fills: detail.fills,
			delay: detail.delay,
			endedAtMs: null,
			queuedAfter: detail.queuedAfter,
		};
		if (detail.references) bet.references = detail.references;
		return bet;
	}

	#wide(slot: number, column: number): number {
		return this.#pages.pageOf(slot).wide[RowPages.rowOf(slot) * ROW_WIDE + column] as number;
	}
	#word(slot: number, column: number): number {
		return this.#pages.pageOf(slot).words[RowPages.rowOf(slot) * ROW_WORDS + column] as number;
	}
	#setWord(slot: number, column: number, value: number): void {
		this.#pages.pageOf(slot).words[RowPages.rowOf(slot) * ROW_WORDS + column] = value;
	}
}

/** The kernel's amounts of a bet and its prices have 32 bits, too. */
function setWhole({ words }: Page, at: number, value: number): void {
	assertRule((value | 0) === value, 'amounts and prices of a bet are whole numbers of 32 bits');
	words[at] = value;
}

const flagsOf = (bet: BetRow): number =>
	(bet.side === 0 ? 0 : IS_LAY) |
	(bet.persist ? PERSISTS : 0) |
	(bet.fillOrKill ? FILL_OR_KILL : 0) |
	(bet.takesStart ? TAKES_START : 0) |
	(bet.quote ? IS_QUOTE : 0) |
	(poolCode(bet.pool) << POOL_SHIFT);

const NO_DETAIL: Detail = {
	terms: null,
	onClose: null,
	delay: null,
	fills: null,
	queuedAfter: null,
	result: null,
	profitExact: null,
	parts: 1,
};

/** Null for most bets. */
function detailOf(bet: BetRow): Detail | null {
	const { terms, onClose, delay, fills, queuedAfter, references, result, profitExact, parts } = bet;
	const isPlain =
		terms === null &&
		onClose === null &&
		delay === null &&
		fills === null &&
		queuedAfter === null &&
		references === undefined &&
		result === null &&
		profitExact === null &&
		parts === 1;
	if (isPlain) return null;
	const detail = { terms, onClose, delay, fills, queuedAfter, result, profitExact, parts };
	return references === undefined ? detail : { ...detail, references };
}
