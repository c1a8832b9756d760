/**
 * What many markets have in common: their terms, the shape of their figures, their ladder. Operators open thousands of
 * markets on a few dozen terms; sharing them keeps what every bet is checked against in the processor's cache.
 */
import type { MarketTerms } from '#engine/market.ts';
import { type FigureShape, ON_A_LINE } from '#values/exposure.ts';
import { type LineRange, lineCount } from '#values/line-range.ts';
import { type Ladder, ladderOf } from '#values/price-ladder.ts';

export interface MarketKind {
	readonly terms: MarketTerms;
	/** Of its positions' figures. */
	readonly shape: FigureShape;
	/** The prices it takes. */
	readonly ladder: Ladder;
}

export class MarketKinds {
	readonly #byTerms = new Map<string, MarketKind>();

	/** The kind with these terms; the same object for the same terms. */
	of(terms: MarketTerms): MarketKind {
		const key = JSON.stringify(Object.entries(terms).sort(([one], [other]) => (one < other ? -1 : 1)));
		let kind = this.#byTerms.get(key);
		if (!kind) {
			kind = newKind(terms);
			this.#byTerms.set(key, kind);
		}
		return kind;
	}
}

function newKind(terms: MarketTerms): MarketKind {
	const line = terms.numberOfWinners === ON_A_LINE ? (terms.ladder as LineRange) : null;
	const runners = line ? lineCount(line) : terms.runners;
	const shape = { runners, winners: terms.numberOfWinners, eachWay: terms.eachWayDivisor, line };
	return { terms, shape, ladder: ladderOf(terms.ladder) };
}
