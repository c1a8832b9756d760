/**
 * What a market's type asks for beyond what every market has: kept together in one column, so that a new term needs no
 * new one. The list is this object; its values are those of markets written before a term was there.
 */
import type { MarketView } from '#engine/engine.ts';

const PLAIN = {
	maxProfit: 0,
	maxExposure: 0,
	betDelayMs: 0,
	passiveGoesIn: false,
	reducible: false,
	minReductionBp: 250,
	lapseReductionBp: 250,
	mayBeShort: false,
	placesPaid: null,
	nextStep: 0,
	eachWayDivisor: 0,
	model: 'EXCHANGE',
	ladder: 'CLASSIC',
	houses: [],
	crossMatching: false,
	suspended: [],
	heldByOperator: false,
	feedLeaseMs: 0,
} as const satisfies Partial<MarketView>;

export type TypeTerms = Pick<MarketView, keyof typeof PLAIN>;

const KEYS = Object.keys(PLAIN) as (keyof TypeTerms)[];

/** The terms of a market, as they are written. */
export const termsOf = (market: MarketView): Partial<TypeTerms> =>
	Object.fromEntries(KEYS.map((key) => [key, market[key]]));

/** The terms as they were written, with those that are newer than the row. */
export const readTerms = (written: Partial<TypeTerms>): TypeTerms => ({ ...PLAIN, ...written });
