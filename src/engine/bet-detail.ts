/** Details that few bets have, kept besides their rows. */
import type { AnyPaise } from '#values/money.ts';
import type { AnyPrice } from '#values/price-ladder.ts';

/** A bet in its delay. */
export interface PendingBet {
	dueAtMs: number;
	/** The market's version when the bet was accepted; the bet lapses when it has risen since. */
	version: number;
	/** Of a fill-or-kill bet; 0 for others. */
	minFill: AnyPaise;
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
	target: AnyPaise | null;
}

/** A fill of a bet in a reducible market. */
export interface BetFill {
	stake: AnyPaise;
	price: AnyPrice;
}
