/** What a market is opened with, and what its runners can come to. */

import type { AnyPaise } from '#values/money.ts';
import type { Pool } from '#values/pools.ts';
import type { LadderTerms } from '#values/price-ladder.ts';

/**
 * PLACED: of an each-way market, behind the winner. TIE: the runner shares what places are left with the others that tie. A half is a quarter of a goal's: one half of the
 * stake wins or loses, the other half is void.
 */
export type RunnerResult = 'WIN' | 'PLACED' | 'LOSE' | 'VOID' | 'TIE' | 'HALF_WIN' | 'HALF_LOSE';

/** EXCHANGE: players bet against each other. In the others the house is the other side of every bet. */
export type BettingModel = 'EXCHANGE' | 'BOOKMAKER' | 'FANCY';

export interface MarketTerms {
	pools: readonly Pool[];
	runners: number;
	/** 0 when any number may win; -1 when the runners are rising lines, of which a result reaches the first; -2 when the prices are lines. */
	numberOfWinners: number;
	/** An each-way market pays so many places, at the odds less one divided by this; 0 in others. */
	eachWayDivisor: number;
	model: BettingModel;
	/** A range of lines makes them the prices; the market then has one runner. */
	ladder: LadderTerms;
	/** By pool, the wallet of the house: in BOOKMAKER and FANCY markets its bets alone wait to be taken. */
	houses: readonly number[];
	commissionBp: number;
	minStake: AnyPaise;
	maxStake: AnyPaise;
	/** Largest profit of one bet and largest exposure of one player, paise; 0 sets no limit. */
	maxProfit: AnyPaise;
	maxExposure: AnyPaise;
	/** False switches INVALID_PROFIT_RATIO off (scenario files). */
	profitRatioRule: boolean;
	/** REFUSE is the rule; ALLOW exists for benchmarks and scenario files. */
	selfMatch: 'REFUSE' | 'ALLOW';
	/**
	 * Bets are filled by those on all the other runners together, too; the house, whose wallets it names, stands between. For
	 * one winner, and no runner is ever taken out.
	 */
	crossMatching: boolean;
	/** How long a bet waits in-play before it reaches the book. */
	betDelayMs: number;
	/** A bet that meets nothing does not wait: it goes straight in to rest. */
	passiveGoesIn: boolean;
	/** Runners may be taken out and the prices of the others reduced, so every fill is remembered by its price. */
	reducible: boolean;
	/** Reductions below this many basis points change no matched price. */
	minReductionBp: number;
	/** From this many on unmatched lays of the others lapse or are cut. */
	lapseReductionBp: number;
	/** The server suspends the market when its feed shows no life for so long; 0 in markets without a feed. */
	feedLeaseMs: number;
}
