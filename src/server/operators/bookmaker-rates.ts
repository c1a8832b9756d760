/** The house's rates in a bookmaker market that a trader prices. */
import type { Exchange } from '#server/exchange/exchange.ts';
import type { MarketListing } from '#server/exchange/views/market-listing.ts';
import type { QuotedRunner } from '#server/world/markets/market-maker.ts';
import { POOLS } from '#values/pools.ts';

/** The win of a backer and the loss of a layer per 100 of stake; null for a side that is not quoted. */
interface RunnerRates {
	back: number | null;
	lay: number | null;
}

export const NO_RATES: RunnerRates = { back: null, lay: null };

/** The precision of sums of a few shares of 1. */
const EXACT = 1e-9;

/** The share of a stake's return at a rate: the chance at which the bet is even. */
const evenChance = (rate: number): number => 100 / (100 + rate);

/**
 * Whether no set of players' bets wins on every outcome. A chance of each runner at which no bet gains is at most the
 * even chance of a backer and at least that of a layer. A set of such chances whose sum is the number of winners exists
 * if, and only if, there is no arbitrage.
 */
export function isFair(rates: readonly RunnerRates[], winners = 1): boolean {
	const most = rates.map(({ back }) => (back === null ? 1 : evenChance(back)));
	const least = rates.map(({ lay }) => (lay === null ? 0 : evenChance(lay)));
	const sum = (chances: readonly number[]) => chances.reduce((total, chance) => total + chance, 0);
	const hasMargin = rates.every(({ back, lay }) => back === null || lay === null || back < lay);
	return hasMargin && sum(least) <= winners + EXACT && sum(most) >= winners - EXACT;
}

export const quotesAtRates = (rates: readonly RunnerRates[], size: number): QuotedRunner[] =>
	rates.map(({ back, lay }) => ({
		back: back === null ? [] : [{ price: 100 + back, size }],
		lay: lay === null ? [] : [{ price: 100 + lay, size }],
	}));

/** The rates of each runner; null for a market of another kind, or one that a feed prices. */
export function bookmakerRates(exchange: Exchange, listing: MarketListing): RunnerRates[] | null {
	const { byOperator, bettingModel } = listing;
	if (!byOperator || bettingModel !== 'BOOKMAKER') return null;
	const books = POOLS.flatMap((pool) => exchange.book(listing.id, pool) ?? []);
	return listing.runners.map((_, at) => {
		const rateOf = (side: 'back' | 'lay'): number | null => {
			const level = books.flatMap(({ runners }) => runners[at]?.[side] ?? [])[0];
			return level ? level.price - 100 : null;
		};
		return { back: rateOf('back'), lay: rateOf('lay') };
	});
}
