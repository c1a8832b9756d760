/** Markets as lists and pages name them, and what the exchange asks of the catalogue that holds them: names, for what travels. */
import type * as v from 'valibot';
import type { Silks } from '#contract/calls/market.ts';
import type { BetLimits } from '#values/bet-limits.ts';
import type { FixtureId, MarketId } from '#values/ids.ts';
import type { LineRange } from '#values/line-range.ts';
import type { AnyMinor } from '#values/money.ts';

export interface RunnerListing {
	/** Opaque id of the wire. The engine names a runner by its index in `runners`. */
	id: string;
	name: string;
	/** Racing. */
	silks?: v.InferOutput<typeof Silks>;
	jockey?: string;
	draw?: number;
	/** Of a race: by how much prices would be reduced if it did not run, basis points, as the feed says. */
	adjustmentFactorBp?: number;
}

/** A market as lists and pages name it, with the limits that its bets have in the exchange. */
export interface MarketListing extends BetLimits {
	id: MarketId;
	fixtureId: FixtureId;
	name: string;
	/** One of the engine's market types. */
	type: string;
	bettingModel: 'EXCHANGE' | 'BOOKMAKER' | 'FANCY';
	runners: RunnerListing[];
	betDelaySeconds: number;
	/** Minor units. */
	minStake: AnyMinor;
	/** Of net winnings. */
	commissionBp: number;
	numberOfWinners: number;
	/** Of a fancy, rising; a runner for each. */
	lines?: readonly number[];
	/** The first side's start in a handicap, the line in over/under; −3 is −0.75. */
	handicapQuarters?: number;
	/** Number of places that win. */
	places?: number;
	/** The lines of a line market, in hundredths; its prices are lines. */
	lineRange?: LineRange;
	/** Each way: a place is settled at 1 + (price − 1) / divisor. */
	eachWayDivisor?: number;
	/** Its runners get starting prices, by an auction at the turn in-play. */
	startingPrice?: true;
	/** Its bets are also matched across runners, so that it has virtual prices. */
	crossMatching?: true;
	rules: string;
	/** Opened by an operator: no feed moves this market. */
	byOperator?: true;
	/** The first market of a fixture is its main one. */
	sortOrder: number;
	/** The result that the feed gave last, or that it took it back, in the words of `FixtureMarket`; absent before. */
	feedResult?: string;
}

export interface Listings {
	market(id: MarketId): MarketListing | null;
	fixture(id: FixtureId): { title: string } | null;
}
