/**
 * Prices a market from chances: quotes around the fair price, with a margin for the house. In a market the same chance always
 * gives the same quotes, so the market maker leaves unmoved prices alone.
 */
import { marketType } from '#engine/market-types/all-market-types.ts';
import type { MarketListing } from '#server/fixtures/fixtures.ts';
import type { QuotedRunner } from '#server/markets/market-maker.ts';
import { linesOf } from '#values/line-range.ts';
import { LADDERS, type Ladder } from '#values/price-ladder.ts';

type Level = { price: number; size: number };
const NOTHING: QuotedRunner = { back: [], lay: [] };

/** Share of the fair price, added on both sides before rounding to the ladder. */
const MARGIN = 0.006;
/** The house quotes lines whose chance differs from a half by more than this. */
const LINE_MARGIN = 0.015;
/** Hundredths between two quotes on a ladder with a tick for each hundredth. */
const FINE_STEP = 2;
/** Size of a quote at evens, paise. Sizes at other prices carry about the same risk. */
const OFFER_PAISE = 8_000_000;
const MIN_OFFER_PAISE = 5_000;
const MAX_OFFER_PAISE = 40_000_000;

/** Share of the fair rate per 100, on both sides. */
const RATE_MARGIN = 0.04;
/** Size of a house quote in largest stakes: a bet is taken whole or not at all. */
const HOUSE_OFFERS = 8;
/** Lines quoted on each side of the most even one. Chances nearer than CLEAR_CHANCE to 0 or 1 are not quoted. */
const LINES_BESIDE = 1;
const CLEAR_CHANCE = 0.12;

/**
 * @param chances of each runner; in a fancy that its line is reached, in a line market that each line is passed
 * @param depth price levels on each side of a runner of an EXCHANGE market
 */
export function quotesFromChances(
	listing: Pick<MarketListing, 'id' | 'type' | 'lines' | 'lineRange' | 'maxStake'>,
	chances: readonly number[],
	depth: number,
): QuotedRunner[] {
	const { model, ladder } = marketType(listing.type);
	const sizes = sizesOf(listing.id);
	if (listing.lineRange) return [lineQuotes(chances, linesOf(listing.lineRange), depth, sizes)];
	if (model === 'EXCHANGE')
		return chances.map((chance, runner) =>
			exchangeQuotes(chance, LADDERS[ladder], depth, (price) => sizes(runner, price)),
		);
	const size = listing.maxStake * HOUSE_OFFERS;
	if (model === 'BOOKMAKER') return chances.map((chance) => rateQuotes(chance, size, true));
	if (!listing.lines) return chances.map((chance) => rateQuotes(chance, size, false));
	const even = evenLine(chances);
	return chances.map((chance, line) =>
		Math.abs(line - even) <= LINES_BESIDE ? rateQuotes(chance, size, true) : NOTHING,
	);
}

/** The line whose chance is nearest to a half. */
function evenLine(chances: readonly number[]): number {
	let best = 0;
	chances.forEach((chance, line) => {
		if (Math.abs(chance - 0.5) < Math.abs((chances[best] as number) - 0.5)) best = line;
	});
	return best;
}

function exchangeQuotes(
	chance: number,
	ladder: Ladder,
	depth: number,
	sizeAt: (price: number) => number,
): QuotedRunner {
	if (chance <= 0 || chance >= 1) return NOTHING;
	const fair = 100 / chance;
	const step = ladder === LADDERS.FINE ? FINE_STEP : 1;
	const { below } = ladder.nearest(fair * (1 - MARGIN));
	const { above } = ladder.nearest(fair * (1 + MARGIN));
	const levels = (from: number | null, direction: 1 | -1): Level[] => {
		if (from === null) return [];
		const ticks = Array.from({ length: depth }, (_, level) => ladder.tickOf(from) + level * step * direction);
		return ticks.flatMap((tick) => {
			if (tick < 0 || tick >= ladder.tickCount) return [];
			const price = ladder.priceAt(tick);
			return [{ price, size: sizeAt(price) }];
		});
	};
	return { back: levels(below, -1), lay: levels(above, 1) };
}

/** Quotes for buyers at lines above the even one, and for sellers below. */
function lineQuotes(chances: readonly number[], lines: readonly number[], depth: number, sizes: Sizes): QuotedRunner {
	const level = (line: number): Level => ({ price: line, size: sizes(0, line) });
	const above = lines.filter((_, at) => (chances[at] as number) < 0.5 - LINE_MARGIN).slice(0, depth);
	const below = lines.filter((_, at) => (chances[at] as number) > 0.5 + LINE_MARGIN).slice(-depth);
	return { back: below.reverse().map(level), lay: above.map(level) };
}

type Sizes = (runner: number, price: number) => number;

/** Sizes that are fixed for a market's runner and price, and differ from those of other prices, runners and markets. */
const sizesOf =
	(marketId: number): Sizes =>
	(runner, price) => {
		let mixed = Math.imul(marketId, 0x85ebca6b) ^ Math.imul(price * 31 + runner + 1, 0x9e3779b1);
		mixed = Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b) >>> 0;
		const share = 0.2 + 1.6 * (mixed / 4_294_967_296) ** 2;
		const size = (OFFER_PAISE * share * 100) / Math.max(100, price - 100);
		return Math.min(MAX_OFFER_PAISE, Math.max(MIN_OFFER_PAISE, Math.round(size / 1000) * 1000));
	};

/** A rate per 100 on each side; without `both` for backers alone. */
function rateQuotes(chance: number, size: number, both: boolean): QuotedRunner {
	if (chance < CLEAR_CHANCE || chance > 1 - CLEAR_CHANCE) return NOTHING;
	const rate = (100 * (1 - chance)) / chance;
	const back = Math.floor(rate * (1 - RATE_MARGIN));
	const lay = Math.ceil(rate * (1 + RATE_MARGIN));
	return { back: [{ price: 100 + back, size }], lay: both ? [{ price: 100 + lay, size }] : [] };
}
