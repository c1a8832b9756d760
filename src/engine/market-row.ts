/** Writes a market's terms into its row of the kernel, which judges bets by them: see src/kernel/markets.ts. */
import { BLOCK_WIDE, BLOCK_WORDS, type Kernel } from '#engine/kernel.ts';
import { MARKET_ROW, MARKETS, POOL_SIDE_ROW } from '#engine/kernel-layout.ts';
import type { MarketKind } from '#engine/market-kind.ts';
import type { MarketTerms } from '#engine/market-terms.ts';
import { MOST_SHARES } from '#engine/market-types/each-way-result.ts';
import { ON_A_LINE } from '#values/figures.ts';
import { MAX_AMOUNT_MINOR } from '#values/money.ts';
import { poolCode } from '#values/pools.ts';

/**
 * No figure of a position comes near the end of the safe integers, 2^53: matched and possible Σ stake × price stay
 * below half of it. One bet of the largest stake is at most 10^14.
 */
const LARGEST_FIGURE = 2 ** 52;
/** The unit of the value of an each-way result, and the same again for its stakes. */
const EACH_WAY_PARTS = 2 * MOST_SHARES;
export function writeTerms({ call, words, wide }: Kernel, row: number, { terms, shape, ladderRow }: MarketKind): void {
	const inWords = row * BLOCK_WORDS;
	const inWide = row * BLOCK_WIDE;
	words[inWords + MARKET_ROW.flags] = flagsOf(terms) | (shape.line === null ? 0 : MARKETS.ON_LINES);
	writeLimits({ words, wide }, row, terms);
	words[inWords + MARKET_ROW.ladder] = ladderRow;
	wide[inWide + MARKET_ROW.maxFigure] = shape.eachWay > 0 ? LARGEST_FIGURE / EACH_WAY_PARTS : LARGEST_FIGURE;
	wide[inWide + MARKET_ROW.maxOffer] = MAX_AMOUNT_MINOR;
	terms.pools.forEach((pool, at) => {
		wide[call.wideOfSide(row, poolCode(pool)) + POOL_SIDE_ROW.house] = terms.houses[at] ?? 0;
	});
}

type Limits = Pick<MarketTerms, 'minStake' | 'maxStake' | 'maxProfit' | 'maxExposure' | 'betDelayMs'>;

/** What can change while the market takes bets. One that had a delay once keeps details of the bets that had it. */
export function writeLimits(
	{ words, wide }: Pick<Kernel, 'words' | 'wide'>,
	row: number,
	{ minStake, maxStake, maxProfit, maxExposure, betDelayMs }: Limits,
): void {
	const inWords = row * BLOCK_WORDS;
	words[inWords + MARKET_ROW.minStake] = minStake;
	words[inWords + MARKET_ROW.maxStake] = maxStake;
	wide[row * BLOCK_WIDE + MARKET_ROW.maxProfit] = maxProfit;
	wide[row * BLOCK_WIDE + MARKET_ROW.maxExposure] = maxExposure;
	if (betDelayMs > 0)
		words[inWords + MARKET_ROW.flags] = (words[inWords + MARKET_ROW.flags] as number) | MARKETS.KEEPS_DETAILS;
}

function flagsOf(terms: MarketTerms): number {
	const keepsDetails = terms.reducible || terms.numberOfWinners === ON_A_LINE;
	return (
		(terms.selfMatch === 'REFUSE' ? MARKETS.REFUSES_SELF_MATCH : 0) |
		(terms.profitRatioRule ? MARKETS.FAIR_PROFITS : 0) |
		(terms.model === 'EXCHANGE' ? 0 : MARKETS.BY_HOUSE) |
		(terms.crossMatching ? MARKETS.CROSS_MATCHES : 0) |
		(terms.passiveGoesIn ? MARKETS.PASSIVE_GOES_IN : 0) |
		(keepsDetails ? MARKETS.KEEPS_DETAILS : 0)
	);
}
