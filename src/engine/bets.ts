/**
 * The bets of unsettled markets, a row each, see src/kernel/bets.ts. A row number is valid as long as the engine knows
 * its bet; ids are for the outside.
 */
import type { Expiries } from '#engine/expiries.ts';
import { BLOCK_WIDE, BLOCK_WORDS, type Kernel } from '#engine/kernel.ts';
import { BET_ROW, BETS, ORDERS } from '#engine/kernel-layout.ts';
import { NONE, ROW_KIND } from '#engine/rows.ts';
import type { Hasher } from '#engine/state-hash.ts';
import type { VolumeLimits } from '#engine/volume-limits.ts';
import type { BetId, MarketId, WalletId } from '#values/ids.ts';
import type { AnyMinor } from '#values/money.ts';
import type { AnyPrice } from '#values/price-ladder.ts';
import type { SideCode } from '#values/sides.ts';

const { SIDE: SIDE_FLAG, PERSIST: PERSIST_FLAG, DELAYED: DELAYED_FLAG, DIRTY: DIRTY_FLAG, FOLLOWED } = BETS;
/** The terms of a bet's order. */
export const KEPT =
	ORDERS.POST_ONLY |
	ORDERS.REPRICES |
	ORDERS.EXPIRES |
	ORDERS.UNTIL_MATCHED |
	ORDERS.OWN_REFUSES |
	ORDERS.OWN_LAPSES_RESTING |
	ORDERS.OWN_LAPSES_TAKING;
const { ON_CLOSE, UNTIL_MATCHED } = ORDERS;
/** What makes a bet part of an auction. */
const AT_START = ON_CLOSE | ORDERS.TAKES_START;
const HASHED_FLAGS = SIDE_FLAG | PERSIST_FLAG | DELAYED_FLAG;

const WIDE = BLOCK_WIDE;
const WORDS = BLOCK_WORDS;
const {
	id: ID,
	matchedValue: MATCHED_VALUE,
	position: POSITION,
	runner: RUNNER,
	flags: FLAGS,
	tick: TICK,
	price: PRICE,
	stake: STAKE,
	remaining: REMAINING,
	matched: MATCHED,
	newer: NEWER,
	before: BEFORE,
} = BET_ROW;

/** The bet's wallet and market, and whether it is a quote. */
interface BetOwner {
	walletId: WalletId;
	marketId: MarketId;
	quotes: boolean;
}

export class BetTable {
	readonly #kernel: Kernel;
	readonly #expiries: Expiries;
	readonly #volumeLimits: VolumeLimits;

	constructor(kernel: Kernel, expiries: Expiries, volumeLimits: VolumeLimits) {
		this.#kernel = kernel;
		this.#expiries = expiries;
		this.#volumeLimits = volumeLimits;
	}

	/** The row of a known bet, or NONE. */
	find(betId: BetId): number {
		return this.#kernel.call.findId(ROW_KIND.BET, betId);
	}

	id(row: number): BetId {
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
	/** Of a bet on close, that of its limit, or -1. */
	tick(row: number): number {
		return this.#kernel.words[row * WORDS + TICK] as number;
	}
	price(row: number): AnyPrice {
		return this.#kernel.words[row * WORDS + PRICE] as number;
	}
	stake(row: number): AnyMinor {
		return this.#kernel.words[row * WORDS + STAKE] as number;
	}
	remaining(row: number): AnyMinor {
		return this.#kernel.words[row * WORDS + REMAINING] as number;
	}
	matched(row: number): AnyMinor {
		return this.#kernel.words[row * WORDS + MATCHED] as number;
	}
	/** Σ stake × price of its fills, as reduced since. */
	matchedValue(row: number): number {
		return this.#kernel.wide[row * WIDE + MATCHED_VALUE] as number;
	}
	/** The next bet in the queue of its price, or NONE. */
	newer(row: number): number {
		return this.#kernel.words[row * WORDS + NEWER] as number;
	}
	/** The previous bet of the same position, or NONE. */
	before(row: number): number {
		return this.#kernel.words[row * WORDS + BEFORE] as number;
	}
	/** Whether the bet is in its delay: accepted, and not in the book yet. */
	isDelayed(row: number): boolean {
		return ((this.#kernel.words[row * WORDS + FLAGS] as number) & DELAYED_FLAG) !== 0;
	}

	/** Whether the bet waits outside the book for the starting price. */
	isOnClose(row: number): boolean {
		return ((this.#kernel.words[row * WORDS + FLAGS] as number) & ON_CLOSE) !== 0;
	}
	/** Whether its unmatched part takes part in the auction of the starting price. */
	isAtStart(row: number): boolean {
		return ((this.#kernel.words[row * WORDS + FLAGS] as number) & AT_START) !== 0;
	}

	/** From now on the engine hears of each change of a bet, if it knows it: see `Triggers.betChanged`. */
	follow(betId: BetId): void {
		this.#followAs(betId, FOLLOWED);
	}
	unfollow(betId: BetId): void {
		this.#followAs(betId, 0);
	}
	#followAs(betId: BetId, flags: number): void {
		const row = this.find(betId);
		if (row === NONE) return;
		const at = row * WORDS + FLAGS;
		this.#kernel.words[at] = ((this.#kernel.words[at] as number) & ~FOLLOWED) | flags;
	}

	/**
	 * Mixes the bet into the digest, which clears the dirty flag; false when there is no bet. A quote counts as far as
	 * it is matched.
	 */
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
		const terms = flags & (KEPT | AT_START);
		if (terms !== 0 && !quotes && this.remaining(row) > 0) {
			hasher.add(terms);
			hasher.add(this.#expiries.of(this.id(row)) ?? 0);
			if ((terms & UNTIL_MATCHED) !== 0) hasher.add(this.#volumeLimits.of(this.id(row)) ?? 0);
			if ((terms & ON_CLOSE) !== 0) hasher.add(this.tick(row) + 1);
		}
		return true;
	}
}
