/** A bet that a player is about to place, and the amounts of its typed stake. */

import { type Minor, minorOf, ZERO } from '#values/money.ts';
import type { LadderTerms, Price } from '#values/price-ladder.ts';
import type { Side } from '#values/sides.ts';
import type { PlacedBet } from '#web/api/answers.ts';
import type { Quoting } from '#web/betting/quoting.ts';

/** A number of a form that can be wrong. */
export type FormNumber = 'odds' | 'amount';

/** The bet was placed. */
export interface PlacedPhase {
	kind: 'placed';
	bet: PlacedBet;
	/** On `performance.now()`. */
	answeredAtMs: number;
}

/** The state of a selection. 'unknown': it was sent and no answer came; only the same request may be sent again. */
type Phase =
	| { kind: 'editing'; refusal: string | null; about?: FormNumber | null }
	| { kind: 'pending' }
	| { kind: 'unknown' }
	| PlacedPhase;

/** For how long a bet may stand, in seconds. */
export const GOOD_FOR: readonly number[] = [60, 300, 900, 3600, 6 * 3600, 24 * 3600];

/** How much others may match of a runner before a bet lapses. */
export const GOOD_UNTIL_MATCHED: readonly Minor[] = [1_000_00, 10_000_00, 100_000_00, 1_000_000_00].map(minorOf);

/** The options behind "More": what happens to the unmatched part. */
export interface BetOptions {
	/** The unmatched part stays when the market turns in-play. */
	keep: boolean;
	/** The bet is matched in full at once, or not at all. */
	fillOrKill: boolean;
	/** Never matched as it arrives: refused then, or moved to the nearest price at which it rests; empty for other bets. */
	postOnly: '' | 'REFUSE' | 'REPRICE';
	/** After how many seconds the unmatched part lapses; 0 for never. */
	goodFor: number;
	/** Once others have matched this much the unmatched part lapses; 0 for never. */
	goodUntilMatched: Minor;
	/** What the last price traded has to do before the server places the bet, or START; empty for a bet that is placed at once. */
	when: BetWhen;
	/**
	 * As a decimal: the price that it has to rise or fall to; at the start, the worst price. As typed: of a trailing one, the ticks; of an
	 * iceberg, what it shows; of a peg, how many ticks better it stays; of a bracket, the ticks to its aim and to its stop.
	 */
	whenAt: string;
}

/** What the exchange keeps in the book by one bet after another. */
const PLANS = ['ICEBERG', 'PEG', 'BRACKET'] as const;
/** START: it takes the starting price, in markets that have one. */
export const BET_WHENS = ['', 'RISES', 'FALLS', 'TRAILS_RISE', 'TRAILS_FALL', 'START', ...PLANS] as const;
type BetWhen = (typeof BET_WHENS)[number];

export const isPlan = (when: BetWhen): when is (typeof PLANS)[number] => PLANS.some((plan) => plan === when);

export const NO_OPTIONS: BetOptions = {
	keep: false,
	fillOrKill: false,
	postOnly: '',
	goodFor: 0,
	goodUntilMatched: ZERO,
	when: '',
	whenAt: '',
};

export interface Selection extends BetOptions {
	eventId: string;
	eventTitle: string;
	marketId: string;
	marketName: string;
	runnerId: string;
	runnerName: string;
	side: Side;
	/** The market's price notation, and its ladder. */
	quoting: Quoting;
	ladder: LadderTerms;
	/** Hundredths. */
	price: Price;
	/** The player set or kept this price, knowing the one on offer. */
	ownPrice: boolean;
	/** As typed; empty, incomplete or invalid text is kept. */
	stake: string;
	requestId: string;
	phase: Phase;
}

export type SelectionKey = string;
export const keyOf = ({ marketId, runnerId, side }: Pick<Selection, 'marketId' | 'runnerId' | 'side'>): SelectionKey =>
	`${marketId}|${runnerId}|${side}`;

/** The part of a selection that a pressed price determines. */
export type Picked = Omit<Selection, keyof BetOptions | 'ownPrice' | 'stake' | 'requestId' | 'phase'>;

/** A bet on a fancy's line is sent as YES or NO. */
export const askedSide = ({ side, quoting }: Pick<Selection, 'side' | 'quoting'>): Side | 'YES' | 'NO' =>
	quoting === 'LINE' ? (side === 'BACK' ? 'YES' : 'NO') : side;
