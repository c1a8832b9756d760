/** Details that few bets have, kept besides their rows. */
import type { SelfMatchChoice } from '#engine/wallets.ts';
import type { AnyMinor } from '#values/money.ts';
import type { AnyPrice } from '#values/price-ladder.ts';

/**
 * What happens to a post-only bet that would be matched as it arrives: it is refused, or moved to the nearest price at
 * which it rests. At the end of a delay it lapses: its price was answered already.
 */
export type PostOnly = 'REFUSE' | 'REPRICE';

/** What few bets ask. It says nothing any more of a bet without an unmatched part. */
export interface BetTerms {
	/** Never the one that is matched as it arrives; null for other bets. */
	postOnly: PostOnly | null;
	/** When the unmatched part lapses, milliseconds since 1970; null for a bet that is good till cancelled. */
	expiresAtMs: number | null;
	/** What happens where it would be matched with its own player's resting bet; null for what the wallet says. */
	selfMatch: SelfMatchChoice | null;
	/** Once others have matched this volume of its runner, backers' stake, the unmatched part lapses; minor units, without it never. */
	untilMatched?: AnyMinor | null | undefined;
	/** The volume of the book at which that is, without what is matched of the bet itself: the engine adds it. */
	untilVolume?: AnyMinor | null | undefined;
	/** The player's group that it is of: see order-groups.ts; null or left out without one. */
	group?: string | null | undefined;
}

/**
 * A bet on close: it waits outside the book for the starting price. Until then it counts at evens, where a lay's stake is its
 * liability; the auction gives it its price and its stake.
 */
export interface OnClose {
	/** The worst starting price that it takes; null for any. */
	limit: AnyPrice | null;
	/** As it was placed: the stake of a back, or what a lay can lose at most. */
	liability: AnyMinor;
}

/** A bet in its delay. */
export interface PendingBet {
	dueAtMs: number;
	/** The market's version when the bet was accepted; the bet lapses when it has risen since. */
	version: number;
	/** Of a fill-or-kill bet; 0 for others. */
	minFill: AnyMinor;
	/** Of a hedge. */
	cashOut?: CashOutInFlight;
}

/** Hedges of one cash-out in their delay: all of them are matched, or none is. */
export interface CashOutInFlight {
	/** Id of the first hedge, and their number. */
	first: number;
	hedges: number;
	/** The planned Σ stake × price of this hedge: at least for a back, at most for a lay. */
	value: number;
	/** The target that placed the hedges; it is restored if they lapse. */
	target: AnyMinor | null;
}

/** A fill of a bet, in markets that count each fill by its price. */
export interface BetFill {
	stake: AnyMinor;
	/** As it counts now. */
	price: AnyPrice;
	/** In reducible markets: how many of the market's removals there were before it. Later ones reduce its price. */
	after?: number;
	/** The price at which it was matched, where removals reduced it. */
	matchedAt?: AnyPrice;
}

/** A runner that was taken out, in the order in which this happened. It stays on record when it takes part after all. */
export interface RunnerRemoval {
	runner: number;
	/** Basis points; 0 for a runner that was returned. */
	reductionBp: number;
	returned: boolean;
}
