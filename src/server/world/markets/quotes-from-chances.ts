/**
 * Prices a market from chances: quotes around the fair price, with a margin for the house. In a market the same chance
 * always gives the same quotes, so the market maker leaves unmoved prices alone.
 */
import { marketType } from '#engine/market-types/all-market-types.ts';
import type { MarketListing } from '#server/exchange/views/market-listing.ts';
import type { QuotedRunner } from '#server/world/markets/market-maker.ts';
import type { MarketId } from '#values/ids.ts';
import { linesOf } from '#values/line-range.ts';
import { type AnyPrice, LADDERS, type Ladder } from '#values/price-ladder.ts';

type Level = { price: AnyPrice; size: number };
const NOTHING: QuotedRunner = { back: [], lay: [] };

/** Share of the fair price, added on both sides before rounding to the ladder. */
const MARGIN = 0.006;
/** The house does not quote lines whose chance differs from a half by less than this. */
const LINE_MARGIN = 0.015;
/** Hundredths between two quotes on a ladder with a tick for each hundredth. */
const FINE_STEP = 2;
/**
 * The largest shift of a price by the market's mood, in margins: below 1, so that the fair price stays between the two
 * quotes.
 */
const MOOD_MARGINS = 0.8;
/** Size of a quote at evens, minor units. Sizes at other prices carry about the same risk. */
const OFFER_MINOR = 8_000_000;
const MIN_OFFER_MINOR = 5_000;
const MAX_OFFER_MINOR = 40_000_000;

/** Share of the fair rate per 100, on both sides. */
const RATE_MARGIN = 0.04;
/** Size of a house quote in largest stakes: a bet is taken whole or not at all. */
const HOUSE_OFFERS = 8;
/** Lines quoted on each side of the most even one. Chances nearer than CLEAR_CHANCE to 0 or 1 are not quoted. */
const LINES_BESIDE = 1;
const CLEAR_CHANCE = 0.12;

/** The market's current opinion of a runner, from -1 to 1; it moves prices within the margin. */
export type Mood = (marketId: MarketId, runner: number) => number;
const NEUTRAL: Mood = () => 0;

interface QuoteTerms {
	/** Price levels on each side of a runner of an EXCHANGE market. */
	depth: number;
	mood?: Mood | undefined;
	/** Share of the fair price, or rate, that the house keeps on both sides. */
	margin?: number;
}

/** @param chances of each runner; in a fancy that its line is reached, in a line market that each line is passed */
export function quotesFromChances(
	listing: Pick<MarketListing, 'id' | 'type' | 'lines' | 'lineRange' | 'maxStake'>,
	chances: readonly number[],
	{ depth, mood = NEUTRAL, margin }: QuoteTerms,
): QuotedRunner[] {
	const { model, ladder } = marketType(listing.type);
	const { id, lineRange } = listing;
	if (lineRange) return [lineQuotes(id, chances, linesOf(lineRange), depth)];
	if (model === 'EXCHANGE')
		return chances.map((chance, runner) => {
			if (chance <= 0 || chance >= 1) return NOTHING;
			const fair = (100 / chance) * (1 + MOOD_MARGINS * MARGIN * mood(id, runner));
			const sizeAt = (price: AnyPrice) => offered(id, runner, price);
			return exchangeQuotes({ fair, margin: margin ?? MARGIN, ladder: LADDERS[ladder], depth, sizeAt });
		});
	const size = listing.maxStake * HOUSE_OFFERS;
	const rate = { size, margin: margin ?? RATE_MARGIN };
	if (model === 'BOOKMAKER') return chances.map((chance) => rateQuotes(chance, { ...rate, both: true }));
	if (!listing.lines) return chances.map((chance) => rateQuotes(chance, { ...rate, both: false }));
	const even = evenLine(chances);
	return chances.map((chance, line) =>
		Math.abs(line - even) <= LINES_BESIDE ? rateQuotes(chance, { ...rate, both: true }) : NOTHING,
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

interface ExchangeQuotes {
	fair: number;
	margin: number;
	ladder: Ladder;
	depth: number;
	sizeAt: (price: AnyPrice) => number;
}

function exchangeQuotes({ fair, margin, ladder, depth, sizeAt }: ExchangeQuotes): QuotedRunner {
	const step = ladder === LADDERS.FINE ? FINE_STEP : 1;
	const { below } = ladder.nearest(fair * (1 - margin));
	const { above } = ladder.nearest(fair * (1 + margin));
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
function lineQuotes(
	marketId: MarketId,
	chances: readonly number[],
	lines: readonly number[],
	depth: number,
): QuotedRunner {
	const level = (line: number): Level => ({ price: line, size: offered(marketId, 0, line) });
	const above = lines.filter((_, at) => (chances[at] as number) < 0.5 - LINE_MARGIN).slice(0, depth);
	const below = lines.filter((_, at) => (chances[at] as number) > 0.5 + LINE_MARGIN).slice(-depth);
	return { back: below.reverse().map(level), lay: above.map(level) };
}

/** A size that is fixed for a price of a runner and differs from its neighbours'; some markets get larger sizes. */
function offered(marketId: MarketId, runner: number, price: AnyPrice): number {
	const interest = 0.4 + 1.8 * fraction(marketId, 0, 0);
	const share = 0.2 + 1.6 * fraction(marketId, runner + 1, price) ** 2;
	const size = (OFFER_MINOR * interest * share * 100) / Math.max(100, price - 100);
	return Math.min(MAX_OFFER_MINOR, Math.max(MIN_OFFER_MINOR, Math.round(size / 1000) * 1000));
}

/** A number from 0 up to 1, determined by these three. */
function fraction(...of: readonly [number, number, number]): number {
	let mixed = 0x811c9dc5;
	for (const part of of) {
		mixed = Math.imul(mixed ^ part, 0x9e3779b1);
		mixed ^= mixed >>> 15;
	}
	return (Math.imul(mixed, 0x85ebca6b) >>> 0) / 4_294_967_296;
}

/** Moods that rise and fall within minutes, each runner's with its own period. */
export const changingMood: Mood = (marketId, runner) => {
	const seconds = Date.now() / 1000;
	const wave = (period: number) =>
		Math.sin(
			(seconds / period + fraction(marketId, runner, period)) *
				2 *
				Math.PI *
				(0.7 + 0.6 * fraction(period, runner, marketId)),
		);
	return 0.6 * wave(700) + 0.4 * wave(140);
};

interface RateQuotes {
	size: number;
	margin: number;
	/** For layers, too. */
	both: boolean;
}

/** A rate per 100 on each side. */
function rateQuotes(chance: number, { size, margin, both }: RateQuotes): QuotedRunner {
	if (chance < CLEAR_CHANCE || chance > 1 - CLEAR_CHANCE) return NOTHING;
	const rate = (100 * (1 - chance)) / chance;
	const back = Math.floor(rate * (1 - margin));
	const lay = Math.ceil(rate * (1 + margin));
	return { back: [{ price: 100 + back, size }], lay: both ? [{ price: 100 + lay, size }] : [] };
}
