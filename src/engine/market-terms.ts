/** The terms of a market, and the possible results of its runners. */

import type { AnyMinor } from '#values/money.ts';
import type { Pool } from '#values/pools.ts';
import type { LadderTerms } from '#values/price-ladder.ts';

/**
 * PLACED: in an each-way market, behind the winner. TIE: the runner shares the remaining places with the others that
 * tie. A half is a quarter of a goal's: one half of the stake wins or loses, the other half is void.
 */
export type RunnerResult = 'WIN' | 'PLACED' | 'LOSE' | 'VOID' | 'TIE' | 'HALF_WIN' | 'HALF_LOSE';

/** EXCHANGE: players bet against each other. In the others the house is the other side of every bet. */
export type BettingModel = 'EXCHANGE' | 'BOOKMAKER' | 'FANCY';

export interface MarketTerms {
	pools: readonly Pool[];
	runners: number;
	/** 0 when any number may win; -1 when the runners are rising lines, of which a result reaches the first; -2 when the prices are lines. */
	numberOfWinners: number;
	/** An each-way market pays that many places at the odds less one, divided by this; 0 in others. */
	eachWayDivisor: number;
	model: BettingModel;
	/** With a range of lines the lines are the prices, and the market has one runner. */
	ladder: LadderTerms;
	/** By pool, the wallet of the house: in BOOKMAKER and FANCY markets only its bets rest. */
	houses: readonly number[];
	commissionBp: number;
	minStake: AnyMinor;
	maxStake: AnyMinor;
	/** Largest profit of one bet and largest exposure of one player, minor units; 0 sets no limit. */
	maxProfit: AnyMinor;
	maxExposure: AnyMinor;
	/** False switches INVALID_PROFIT_RATIO off (scenario files). */
	profitRatioRule: boolean;
	/** REFUSE is the rule; ALLOW exists for benchmarks and scenario files. */
	selfMatch: 'REFUSE' | 'ALLOW';
	/**
	 * Bets are also matched by bets on all the other runners together, through the house, whose wallets are named here.
	 * For one winner, and without removals.
	 */
	crossMatching: boolean;
	/** Its runners get starting prices, by an auction at the turn in-play. */
	startingPrice: boolean;
	/** How long a bet is held in-play before it reaches the book. */
	betDelayMs: number;
	/** A bet that meets nothing is not delayed: it rests in the book at once. */
	passiveGoesIn: boolean;
	/** Runners may be removed and the prices of the others reduced, so every fill is kept with its price. */
	reducible: boolean;
	/**
	 * What a factor reduces: the price, or in place markets the winnings, because a place of several is as likely to be
	 * paid as before at the rest of the price.
	 */
	reduces: 'PRICE' | 'WINNINGS';
	/** Reductions below this many basis points change no matched price. */
	minReductionBp: number;
	/** From this many basis points on, unmatched lays of the others lapse or are cut. */
	lapseReductionBp: number;
	/**
	 * The server suspends the market when its feed shows no sign of life for that long; 0 in markets without a feed.
	 */
	feedLeaseMs: number;
}
