/**
 * Parts that many markets share: terms, the shape of their figures, the ladder. Operators open thousands of markets on
 * a few dozen terms; sharing them keeps the data of every check in the processor's cache.
 */
import type { Kernel } from '#engine/kernel.ts';
import type { MarketTerms } from '#engine/market-terms.ts';
import { type FigureShape, ON_A_LINE } from '#values/figures.ts';
import { type LineRange, lineCount } from '#values/line-range.ts';
import { type Ladder, type LadderTerms, ladderOf } from '#values/price-ladder.ts';

export interface MarketKind {
	readonly terms: MarketTerms;
	/** Of its positions' figures. */
	readonly shape: FigureShape;
	/** The prices it takes. */
	readonly ladder: Ladder;
	/** Its row in the kernel. */
	readonly ladderRow: number;
}

export class MarketKinds {
	readonly #kernel: Kernel;
	readonly #byTerms = new Map<string, MarketKind>();
	/** Rows of ladders in the kernel, by their terms. */
	readonly #ladderRows = new Map<string, number>();

	constructor(kernel: Kernel) {
		this.#kernel = kernel;
	}

	/** The kind with these terms; the same object for the same terms. */
	of(terms: MarketTerms): MarketKind {
		const key = JSON.stringify(Object.entries(terms).sort(([one], [other]) => (one < other ? -1 : 1)));
		let kind = this.#byTerms.get(key);
		if (!kind) {
			kind = this.#newKind(terms);
			this.#byTerms.set(key, kind);
		}
		return kind;
	}

	#newKind(terms: MarketTerms): MarketKind {
		const line = terms.numberOfWinners === ON_A_LINE ? (terms.ladder as LineRange) : null;
		const runners = line ? lineCount(line) : terms.runners;
		const shape = { runners, winners: terms.numberOfWinners, eachWay: terms.eachWayDivisor, line };
		return { terms, shape, ladder: ladderOf(terms.ladder), ladderRow: this.#ladderRow(terms.ladder) };
	}

	#ladderRow(terms: LadderTerms): number {
		const key = JSON.stringify(terms);
		const row = this.#ladderRows.get(key) ?? addLadder(this.#kernel, ladderOf(terms));
		this.#ladderRows.set(key, row);
		return row;
	}
}

/**
 * Writes a ladder into the kernel.
 * @returns its row
 */
function addLadder({ call }: Kernel, ladder: Ladder): number {
	const { tickCount } = ladder;
	const prices = Array.from({ length: tickCount }, (_, tick) => ladder.priceAt(tick) as number);
	const [first, last] = [prices[0] as number, prices[tickCount - 1] as number];
	const step = (prices[1] as number) - first;
	const isEven = prices.every((price, tick) => price === first + tick * step);
	const row = call.addLadder(first, last, isEven ? step : 0);
	if (!isEven) for (const [tick, price] of prices.entries()) call.setTick(row, price, tick);
	return row;
}
