/** What is remembered of few bets besides their rows. */
import type { AnyPaise } from '#values/money.ts';
import type { AnyPrice } from '#values/price-ladder.ts';

/** A bet in its delay. */
export interface PendingBet {
	dueAtMs: number;
	/** The market's when the bet was accepted; the bet lapses when it has risen since. */
	version: number;
	/** Of a fill-or-kill bet; 0 for others. */
	minFill: AnyPaise;
	/** Of a hedge. */
	cashOut?: CashOutInFlight;
}

/** Hedges of one cash-out that wait out a delay: all of them are matched, or none is. */
export interface CashOutInFlight {
	/** Id of the first, and how many there are. */
	first: number;
	hedges: number;
	/** Σ stake × price that was planned for this one: of a back at least, of a lay at most. */
	value: number;
	/** The target that placed them; it is back if they lapse. */
	target: AnyPaise | null;
}

/** A fill of a bet in a reducible market. */
export interface BetFill {
	stake: AnyPaise;
	price: AnyPrice;
}
