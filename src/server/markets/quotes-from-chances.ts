/**
 * From chances to quotes: prices around the fair one, a little worse for those who take them. The same chance always
 * gives the same quotes, so that what did not move is left alone.
 */
import { marketType } from '#engine/market-types/all-market-types.ts';
import type { MarketListing } from '#server/fixtures/fixtures.ts';
import type { QuotedRunner } from '#server/markets/market-maker.ts';
import { linesOf } from '#values/line-range.ts';
import { LADDERS, type Ladder } from '#values/price-ladder.ts';

type Level = { price: number; size: number };
const NOTHING: QuotedRunner = { back: [], lay: [] };

/** Of the fair price, to both sides, before it is rounded to the ladder. */
const MARGIN = 0.006;
/** How far from evens a line is that the house trades. */
const LINE_MARGIN = 0.015;
/** Hundredths between two levels of a ladder that has every hundredth. */
const FINE_STEP = 2;
/** What a level of an even chance offers, paise; others offer what risks about the same. */
const OFFER_PAISE = 8_000_000;
const LEAST_OFFER_PAISE = 5_000;
const MOST_OFFER_PAISE = 40_000_000;

/** Of the fair rate per 100, to both sides. */
const RATE_MARGIN = 0.04;
/** Several times what one bet may stake: it is taken whole or not at all. */
const HOUSE_OFFERS = 8;
/** Lines quoted on each side of the even one, and the chances beyond which a line is no question any more. */
const LINES_BESIDE = 1;
const CLEAR_CHANCE = 0.12;

/**
 * @param chances of each runner; of a fancy that the line is reached, of lines as prices that each is passed
 * @param depth levels on each side of an exchange market's runner
 */
export function quotesFromChances(
	listing: Pick<MarketListing, 'type' | 'lines' | 'lineRange' | 'maxStake'>,
	chances: readonly number[],
	depth: number,
): QuotedRunner[] {
	const { model, ladder } = marketType(listing.type);
	if (listing.lineRange) return [lineQuotes(chances, linesOf(listing.lineRange), depth)];
	if (model === 'EXCHANGE')
		return chances.map((chance, runner) => exchangeQuotes(chance, runner, LADDERS[ladder], depth));
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

function exchangeQuotes(chance: number, runner: number, ladder: Ladder, depth: number): QuotedRunner {
	if (chance <= 0 || chance >= 1) return NOTHING;
	const fair = 100 / chance;
	const step = ladder === LADDERS.FINE ? FINE_STEP : 1;
	const { below } = ladder.nearest(fair * (1 - MARGIN));
	const { above } = ladder.nearest(fair * (1 + MARGIN));
	const levels = (from: number | null, direction: 1 | -1): Level[] => {
		if (from === null) return [];
		const rungs = Array.from({ length: depth }, (_, level) => ladder.rungOf(from) + level * step * direction);
		return rungs.flatMap((rung) => {
			if (rung < 0 || rung >= ladder.rungs) return [];
			const price = ladder.priceAt(rung);
			return [{ price, size: offered(runner, price) }];
		});
	};
	return { back: levels(below, -1), lay: levels(above, 1) };
}

/** Lines that are bought of the house above the even one, and sold to it below. */
function lineQuotes(chances: readonly number[], lines: readonly number[], depth: number): QuotedRunner {
	const level = (line: number): Level => ({ price: line, size: offered(0, line) });
	const above = lines.filter((_, at) => (chances[at] as number) < 0.5 - LINE_MARGIN).slice(0, depth);
	const below = lines.filter((_, at) => (chances[at] as number) > 0.5 + LINE_MARGIN).slice(-depth);
	return { back: below.reverse().map(level), lay: above.map(level) };
}

/** Always the same for a price of a runner, and different from its neighbours'. */
function offered(runner: number, price: number): number {
	const mixed = Math.imul(price * 31 + runner + 1, 0x9e3779b1) >>> 0;
	const share = 0.2 + 1.6 * (mixed / 4_294_967_296) ** 2;
	const size = (OFFER_PAISE * share * 100) / Math.max(100, price - 100);
	return Math.min(MOST_OFFER_PAISE, Math.max(LEAST_OFFER_PAISE, Math.round(size / 1000) * 1000));
}

/** A rate per 100 each way; without `both`, only what can be backed. */
function rateQuotes(chance: number, size: number, both: boolean): QuotedRunner {
	if (chance < CLEAR_CHANCE || chance > 1 - CLEAR_CHANCE) return NOTHING;
	const rate = (100 * (1 - chance)) / chance;
	const back = Math.floor(rate * (1 - RATE_MARGIN));
	const lay = Math.ceil(rate * (1 + RATE_MARGIN));
	return { back: [{ price: 100 + back, size }], lay: both ? [{ price: 100 + lay, size }] : [] };
}
