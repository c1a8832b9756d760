/**
 * The terms that only some market types use. They share one column, so a new term needs no migration. The list is this
 * object; its values are the terms of markets that were written before a term existed.
 */
import type { MarketView } from '#engine/engine.ts';
import { canonicalJson } from '#values/canonical-json.ts';

const PLAIN = {
	maxProfit: 0,
	maxExposure: 0,
	betDelayMs: 0,
	passiveGoesIn: false,
	reducible: false,
	reduces: 'PRICE',
	minReductionBp: 250,
	lapseReductionBp: 250,
	mayBeShort: false,
	placesPaid: null,
	nextStep: 0,
	settlingSinceMs: null,
	roundingLeft: [],
	reversing: null,
	changing: null,
	eachWayDivisor: 0,
	model: 'EXCHANGE',
	ladder: 'CLASSIC',
	houses: [],
	crossMatching: false,
	startingPrice: false,
	startingPrices: null,
	suspended: [],
	heldRunners: [],
	heldByOperator: false,
	feedLeaseMs: 0,
} as const satisfies Partial<MarketView>;

export type TypeTerms = Pick<MarketView, keyof typeof PLAIN>;

/** The keys in the order of canonical JSON, each with what it begins there. */
const PARTS = (Object.keys(PLAIN) as (keyof TypeTerms)[])
	.sort()
	.map((key) => ({ key, beginning: `${JSON.stringify(key)}:` }));

/**
 * The terms of a market as they are written: their canonical JSON. Keys are not sorted and quoted again for each row, because
 * each match writes its market's.
 */
export function termsText(market: MarketView): string {
	let text = '';
	for (const { key, beginning } of PARTS) {
		const value: unknown = market[key];
		if (value !== undefined) text += `${text === '' ? '' : ','}${beginning}${canonicalJson(value)}`;
	}
	return `{${text}}`;
}

/** The terms of a row. Rows of earlier releases have one allowance for all pools. */
export type WrittenTerms = Partial<Omit<TypeTerms, 'roundingLeft'>> & {
	roundingLeft?: TypeTerms['roundingLeft'] | number;
};

/** The terms as they were written, completed with terms that are newer than the row. */
export const readTerms = ({ roundingLeft = [], ...written }: WrittenTerms): TypeTerms => ({
	...PLAIN,
	...newerTermsOf(written),
	...written,
	roundingLeft: typeof roundingLeft === 'number' ? [{ pool: null, coins: roundingLeft }] : roundingLeft,
});

/** Only place markets apply every factor, and theirs reduce the winnings. */
const newerTermsOf = ({ reducible, minReductionBp }: Partial<TypeTerms>): Partial<TypeTerms> =>
	reducible === true && minReductionBp === 0 ? { reduces: 'WINNINGS' } : {};
