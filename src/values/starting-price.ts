/**
 * The starting price of a runner: one price at which those who take it are matched with one another. A back has a stake, a lay
 * a liability, so a lay takes the less stake the higher the price is. The price is the one at which most is matched, by
 * backers' stake; of several the one that leaves least over; of several the lowest. It is a hundredth, and need not be of the
 * market's ladder: at long odds the ladder would leave a part of every auction over.
 * Source: the service's documentation of its starting price. Amounts minor units, prices hundredths.
 */
import { MAX_AMOUNT_MINOR } from '#values/money.ts';
import { MAX_PRICE, MIN_PRICE, type Price } from '#values/price-ladder.ts';

/** Until the auction a bet on close counts at this price, where the stake of a lay is its liability. */
export const EVENS = 200 as Price;

/** Takes any price from its limit up. */
export interface BackAtStart {
	betId: number;
	/** The lowest price; null for any. */
	limit: number | null;
	stake: number;
}

/** Takes any price up to its limit. */
export interface LayAtStart {
	betId: number;
	/** The highest price; null for any. */
	limit: number | null;
	/** What it can lose. */
	liability: number;
}

interface StartingPrice {
	price: number;
	/** Backers' stake; above zero. */
	matched: number;
}

/**
 * The stake that a liability buys, rounded down, so that no more than the liability is lost.
 * @param step minor units of the smallest coin
 */
export const stakeAt = (liability: number, price: number, step: number): number =>
	Math.min(MAX_AMOUNT_MINOR, Math.floor((liability * 100) / ((price - 100) * step)) * step);

const lowest = ({ limit }: BackAtStart): number => limit ?? MIN_PRICE;
const highest = ({ limit }: LayAtStart): number => limit ?? MAX_PRICE;

/**
 * @param step minor units of the smallest coin of the bets' pool
 * @returns null where nothing would be matched at any price
 */
export function startingPrice(
	backs: readonly BackAtStart[],
	lays: readonly LayAtStart[],
	step: number,
): StartingPrice | null {
	if (backs.length === 0 || lays.length === 0) return null;
	const backed = (price: number) => backs.reduce((sum, back) => sum + (lowest(back) <= price ? back.stake : 0), 0);
	const laid = (price: number) =>
		lays.reduce((sum, lay) => sum + (highest(lay) >= price ? stakeAt(lay.liability, price, step) : 0), 0);
	// The higher the price, the more is backed and the less is laid: what is laid beyond what is backed never rises.
	const spare = (price: number) => laid(price) - backed(price);
	const crossing = lastPrice((price) => spare(price) >= 0);
	const found: StartingPrice[] = [];
	if (crossing !== null) {
		const least = spare(crossing);
		const price = (lastPrice((at) => spare(at) > least) ?? MIN_PRICE - 1) + 1;
		found.push({ price, matched: backed(price) });
	}
	const above = (crossing ?? MIN_PRICE - 1) + 1;
	if (above <= MAX_PRICE) found.push({ price: above, matched: laid(above) });
	const left = ({ price }: StartingPrice) => Math.abs(spare(price));
	const [best] = found.sort((a, b) => b.matched - a.matched || left(a) - left(b) || a.price - b.price);
	return best && best.matched > 0 ? best : null;
}

/** The highest price at which something is so that is so at every lower price; null where it is so at none. */
function lastPrice(isSo: (price: number) => boolean): number | null {
	if (!isSo(MIN_PRICE)) return null;
	let [low, high]: [number, number] = [MIN_PRICE, MAX_PRICE + 1];
	while (high - low > 1) {
		const middle = (low + high) >> 1;
		if (isSo(middle)) low = middle;
		else high = middle;
	}
	return low;
}

/** A bet's part of what is matched. */
export interface Allotment {
	betId: number;
	/** Backers' stake. */
	stake: number;
}

/**
 * The parts at the starting price: bets that take worse prices come first, of them the older ones. So a bet that takes any
 * price comes before every limit.
 */
export function allot(
	{ price, matched }: StartingPrice,
	backs: readonly BackAtStart[],
	lays: readonly LayAtStart[],
	step: number,
): { backs: Allotment[]; lays: Allotment[] } {
	const takingBacks = backs
		.filter((back) => lowest(back) <= price)
		.sort((a, b) => lowest(a) - lowest(b) || a.betId - b.betId);
	const takingLays = lays
		.filter((lay) => highest(lay) >= price)
		.sort((a, b) => highest(b) - highest(a) || a.betId - b.betId);
	return {
		backs: upTo(
			matched,
			takingBacks.map(({ betId, stake }) => ({ betId, stake })),
		),
		lays: upTo(
			matched,
			takingLays.map(({ betId, liability }) => ({ betId, stake: stakeAt(liability, price, step) })),
		),
	};
}

function upTo(matched: number, asked: readonly Allotment[]): Allotment[] {
	let left = matched;
	return asked.flatMap(({ betId, stake }) => {
		const part = Math.min(left, stake);
		left -= part;
		return part > 0 ? [{ betId, stake: part }] : [];
	});
}
