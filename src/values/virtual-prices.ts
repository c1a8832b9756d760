/**
 * Virtual prices in a market with one winner: what the best bets on all the other runners together offer for this one. The
 * engine matches by these functions, and what is shown beside the books is found by them, so both are the same. A side is
 * the taker's: a backer is offered something by backs of all the others, a layer by lays. docs/MARKETS.md has the proof.
 * Source: exchange rules, "Matching".
 */
import { type AnyMinor, MAX_AMOUNT_MINOR } from '#values/money.ts';
import { type AnyPrice, type Ladder, MAX_PRICE, MIN_PRICE } from '#values/price-ladder.ts';
import { BACK, type SideCode } from '#values/sides.ts';

/** How many stakes are tried, each one smaller, to find one whose legs are whole coins without a loss. */
const MOST_TRIES = 200;

/** What rests at one price, hundredths and minor units of backers' stake. */
interface Level {
	price: AnyPrice;
	size: AnyMinor;
}

/** Stakes of a fill: the taker's own, and each leg's. */
export interface FillAcross {
	stake: AnyMinor;
	legs: AnyMinor[];
}

/**
 * 1 / (1 − Σ 1/p) in hundredths, rounded so that the house does not pay for it: down for a backer, up for a layer.
 * @param prices of all other runners, hundredths
 * @returns null when the prices imply none of a ladder
 */
export function impliedPrice(prices: readonly AnyPrice[], side: SideCode): AnyPrice | null {
	let product = 1n;
	for (const price of prices) product *= BigInt(price);
	let share = 0n;
	for (const price of prices) share += (product * 100n) / BigInt(price);
	const rest = product - share;
	if (rest <= 0n) return side === BACK ? MAX_PRICE : null;
	const whole = (product * 100n) / rest;
	const implied = Number(side === BACK || whole * rest === product * 100n ? whole : whole + 1n);
	if (implied < MIN_PRICE) return null;
	return side === BACK ? Math.min(implied, MAX_PRICE) : implied;
}

/** The implied price as one of the ladder, rounded once more in the house's favour; null for none. */
export function priceAcross(ladder: Ladder, prices: readonly AnyPrice[], side: SideCode): AnyPrice | null {
	const implied = impliedPrice(prices, side);
	if (implied === null) return null;
	const { below, above } = ladder.nearest(implied);
	return side === BACK ? below : above;
}

/** Whose offer it is: the side of the taker, its price of priceAcross, and the best of each other runner. */
interface OfferAcross {
	side: SideCode;
	price: AnyPrice;
	legs: readonly Level[];
	/** Minor units of a coin of the currency. */
	step: number;
}

/**
 * The largest stake, and those of its legs, that the resting bets cover without an outcome that costs the house. Counted in
 * coins, so that none stakes a part of one. What a larger stake would not be matched with, a smaller one is not, either: so
 * beside the largest stakes the largest is tried whose legs come out even.
 * @param wanted the taker's stake at most, minor units
 */
export function fillAcross(wanted: AnyMinor, offer: OfferAcross): FillAcross | null {
	const { legs, step } = offer;
	// A price level sums many bets; a leg is one bet, and no larger than one may be.
	const sizes = legs.map(({ size }) => coinsIn(Math.min(MAX_AMOUNT_MINOR, size), step));
	const most = Math.min(
		coinsIn(wanted, step),
		...legs.map((leg, at) => mostFor({ price: leg.price, size: sizes[at] as number }, offer)),
	);
	for (let stake = most; stake > 0 && stake > most - MOST_TRIES; stake--) {
		const stakes = legStakes(stake, offer);
		const isCovered = stakes.every((legStake, at) => legStake > 0 && legStake <= (sizes[at] as number));
		if (isCovered && costsNothing(stake, stakes, offer)) return inMinor(stake, stakes, step);
	}
	const even = most - (most % evenStake(offer, most));
	return even > 0 ? inMinor(even, legStakes(even, offer), step) : null;
}

/** The largest stake whose leg is no larger than what rests, in coins: legs against a backer are rounded down. */
function mostFor({ price: ofLeg, size }: Level, { side, price }: OfferAcross): number {
	return side === BACK ? Math.ceil(((size + 1) * ofLeg) / price) - 1 : Math.floor((size * ofLeg) / price);
}

const coinsIn = (minor: AnyMinor, step: number): number => Math.floor(minor / step);
const inMinor = (stake: number, legs: readonly number[], step: number): FillAcross => ({
	stake: stake * step,
	legs: legs.map((legStake) => legStake * step),
});

const legStakes = (stake: number, { side, price, legs }: OfferAcross): number[] =>
	legs.map((leg) => (side === BACK ? Math.floor((stake * price) / leg.price) : Math.ceil((stake * price) / leg.price)));

/** The smallest stake of which no leg is rounded, in coins; above `most` when there is none up to it. */
function evenStake({ price, legs }: OfferAcross, most: number): number {
	let even = 1;
	for (const leg of legs) {
		const ofLeg = leg.price / divisor(price, leg.price);
		even *= ofLeg / divisor(even, ofLeg);
		if (even > most) return most + 1;
	}
	return even;
}

const divisor = (one: number, other: number): number => (other === 0 ? one : divisor(other, one % other));

/** Whether the house, on the other side of the taker and of every leg, loses in no outcome. */
function costsNothing(stake: number, stakes: readonly number[], { side, price, legs }: OfferAcross): boolean {
	const received = stakes.reduce((sum, legStake) => sum + legStake, stake) * 100;
	const payouts = [stake * price, ...legs.map((leg, at) => leg.price * (stakes[at] as number))];
	// Against a backer the house receives the stakes and pays the winner; against a layer it pays the stakes and is
	// paid.
	return side === BACK ? received >= Math.max(...payouts) : received <= Math.min(...payouts);
}

/** What may be taken of a runner, best first: `back` by a backer, `lay` by a layer. */
export interface BookSides {
	back: readonly Level[];
	lay: readonly Level[];
}

/** What is known of a market, and how much of it is asked for. */
interface AcrossTerms {
	ladder: Ladder;
	/** Minor units of a coin. */
	step: number;
	/** The number of levels of each side that are known; a side with as many may have more. */
	known: number;
	/** Most levels of the answer, at most as many as are known. */
	depth: number;
}

/** The levels of a side as they are taken, best first. */
class Offers {
	readonly #levels: readonly Level[];
	#next = 0;
	#taken = 0;

	constructor(levels: readonly Level[]) {
		this.#levels = levels;
	}

	get best(): Level | null {
		const level = this.#levels[this.#next];
		return level === undefined ? null : { price: level.price, size: level.size - this.#taken };
	}

	/** Takes from the best level, which has as much. */
	take(size: AnyMinor): void {
		this.#taken += size;
		if (this.#taken < (this.#levels[this.#next] as Level).size) return;
		this.#next++;
		this.#taken = 0;
	}

	/** Whether all that is known was taken, and more may rest. */
	isCutOff(known: number): boolean {
		return this.#next >= known;
	}
}

/**
 * What a player without bets in the market is offered on a runner by its own book and by all the others: an order that asks
 * a shown price is matched with exactly what is shown at that price and at better ones. A fill-or-kill order takes the book
 * alone. A level whose whole size is not known is left out, with all that are worse.
 * @param books of all runners
 * @returns best first
 */
export function levelsAcross(books: readonly BookSides[], runner: number, side: SideCode, terms: AcrossTerms): Level[] {
	const { ladder, step, known } = terms;
	const depth = Math.min(terms.depth, known);
	const own = new Offers((side === BACK ? books[runner]?.back : books[runner]?.lay) ?? []);
	const others = books.filter((_, at) => at !== runner).map(({ back, lay }) => new Offers(side === BACK ? lay : back));
	const shown = new Map<AnyPrice, AnyMinor>();
	const show = (price: AnyPrice, size: AnyMinor) => shown.set(price, (shown.get(price) ?? 0) + size);
	const isAsGood = (one: AnyPrice, other: AnyPrice) => (side === BACK ? one >= other : one <= other);
	/** All that is as good as a price; with null, all. */
	const showOwn = (limit: AnyPrice | null) => {
		const isWanted = ({ price }: Level) => limit === null || isAsGood(price, limit);
		for (let { best } = own; best !== null && isWanted(best); { best } = own) {
			show(best.price, best.size);
			own.take(best.size);
		}
	};
	while (shown.size <= depth) {
		const legs = others.flatMap((offers) => offers.best ?? []);
		const prices = legs.map((leg) => leg.price);
		const price = legs.length < others.length ? null : priceAcross(ladder, prices, side);
		showOwn(price);
		const fill = price === null ? null : fillAcross(MAX_AMOUNT_MINOR, { side, price, legs, step });
		if (price === null || fill === null) {
			showOwn(null);
			break;
		}
		show(price, fill.stake);
		others.forEach((offers, at) => {
			offers.take(fill.legs[at] as AnyMinor);
		});
		if (!others.some((offers) => offers.isCutOff(known))) continue;
		// What is offered across from here on is no better than this price, and not known.
		for (const each of shown.keys()) if (isAsGood(price, each)) shown.delete(each);
		break;
	}
	return [...shown].slice(0, depth).map(([price, size]) => ({ price, size }));
}
