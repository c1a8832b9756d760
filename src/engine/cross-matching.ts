/**
 * Virtual prices in a market with one winner: backs of all the other runners together are a lay of this one, and lays of
 * all the others are a back. The house stands between: it takes the other side of every leg, at the resting players' own
 * prices, in stakes that leave it no outcome below zero. docs/MARKETS.md has the proof.
 * Source: exchange rules, "Matching".
 */
import type { Effects } from '#engine/effect.ts';
import type { EngineState } from '#engine/engine-state.ts';
import type { Market, PoolSide } from '#engine/market.ts';
import { meets } from '#engine/order-book.ts';
import { NONE } from '#engine/rows.ts';
import { MAX_AMOUNT_PAISE } from '#values/money.ts';
import { MAX_PRICE, MIN_PRICE } from '#values/price-ladder.ts';
import { BACK, LAY, type SideCode } from '#values/sides.ts';

/** How many stakes, each one less, are tried for one whose legs come out in whole paise without a loss. */
const MOST_TRIES = 200;

const opposite = (side: SideCode): SideCode => (side === BACK ? LAY : BACK);

/** What all the others offer together: a price for this runner, and the best rung and its price of each of them. */
interface VirtualOffer {
	rung: number;
	price: number;
	legs: { runner: number; rung: number; price: number }[];
}

/** Stakes of a fill: of the bet itself, and of each leg. */
interface VirtualFill {
	stake: number;
	legs: number[];
}

/** Matches a bet with the book and with virtual prices, always at the better of the two; the matcher has begun. */
export function matchAcross(state: EngineState, market: Market, side: PoolSide, bet: number, effects: Effects): void {
	const { bets, matcher } = state;
	const book = state.bookOf(market, bet);
	const [ofBet, rung] = [bets.side(bet), bets.rung(bet)];
	while (bets.remaining(bet) > 0) {
		const offer = virtualOffer(state, market, side, bet);
		const meetsOffer = offer !== null && meets(ofBet, rung, offer.rung);
		matcher.take(market, book, bet, bets.remaining(bet), meetsOffer ? offer.rung : rung, effects);
		if (!meetsOffer || bets.remaining(bet) === 0) return;
		const fill = virtualFill(state, side, bet, offer);
		if (!fill) {
			matcher.take(market, book, bet, bets.remaining(bet), rung, effects);
			return;
		}
		carryOut(state, market, side, bet, offer, fill, effects);
	}
}

/** The price that the best bets waiting on all other runners imply, at the rung that costs the house nothing. */
function virtualOffer(state: EngineState, market: Market, side: PoolSide, bet: number): VirtualOffer | null {
	const { bets, books } = state;
	const own = bets.runner(bet);
	const taken = opposite(bets.side(bet));
	const legs: VirtualOffer['legs'] = [];
	for (let runner = 0; runner < market.terms.runners; runner++) {
		if (runner === own) continue;
		const rung = books.bestFor(side.firstBook + runner, taken);
		// Nothing waits there, or a bet of the same player is first: nobody trades with himself in a roundabout way.
		if (rung < 0 || isOwn(state, side.firstBook + runner, taken, rung, bet)) return null;
		legs.push({ runner, rung, price: market.ladder.priceAt(rung) });
	}
	const price = impliedPrice(
		legs.map((leg) => leg.price),
		bets.side(bet),
	);
	if (price === null) return null;
	const { below, above } = market.ladder.nearest(price);
	const rounded = bets.side(bet) === BACK ? below : above;
	return rounded === null ? null : { price: rounded, rung: market.ladder.tickOf(rounded), legs };
}

const isOwn = (state: EngineState, book: number, side: SideCode, rung: number, bet: number): boolean =>
	state.bets.position(state.books.oldestFor(book, side, rung)) === state.bets.position(bet);

/**
 * 1 / (1 − Σ 1/p) in hundredths, rounded so that the house does not pay for it: down for a backer, up for a layer.
 * @param prices of all other runners, hundredths
 * @returns null when no price of a ladder is implied
 */
export function impliedPrice(prices: readonly number[], side: SideCode): number | null {
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

/** The largest stake, and those of its legs, that the waiting bets cover and no outcome of which costs the house anything. */
function virtualFill(
	{ bets, books }: EngineState,
	side: PoolSide,
	bet: number,
	offer: VirtualOffer,
): VirtualFill | null {
	const ofBet = bets.side(bet);
	// What waits at a price is the sum of many bets; a leg is one, and no larger than one may be.
	const sizes = offer.legs.map(({ runner, rung }) =>
		Math.min(MAX_AMOUNT_PAISE, books.sizeFor(side.firstBook + runner, opposite(ofBet), rung)),
	);
	let most = bets.remaining(bet);
	offer.legs.forEach(({ price }, leg) => {
		most = Math.min(most, Math.floor(((sizes[leg] as number) * price) / offer.price));
	});
	for (let stake = most; stake > 0 && stake > most - MOST_TRIES; stake--) {
		const payout = stake * offer.price;
		const legs = offer.legs.map(({ price }) =>
			ofBet === BACK ? Math.floor(payout / price) : Math.ceil(payout / price),
		);
		const covered = legs.every((legStake, leg) => legStake > 0 && legStake <= (sizes[leg] as number));
		if (covered && costsNothing(stake, offer, legs, ofBet)) return { stake, legs };
	}
	return null;
}

/** The house, on the other side of every leg, loses in no outcome. */
function costsNothing(stake: number, offer: VirtualOffer, legs: readonly number[], side: SideCode): boolean {
	const stakes = legs.reduce((sum, legStake) => sum + legStake, stake) * 100;
	const payouts = [stake * offer.price, ...legs.map((legStake, leg) => legStake * (offer.legs[leg]?.price ?? 0))];
	// A backer's house has the stakes and pays the winner; a layer's house pays the stakes and is paid.
	return side === BACK ? stakes >= Math.max(...payouts) : stakes <= Math.min(...payouts);
}

function carryOut(
	state: EngineState,
	market: Market,
	side: PoolSide,
	bet: number,
	offer: VirtualOffer,
	fill: VirtualFill,
	effects: Effects,
): void {
	const { bets, matcher } = state;
	const ofHouse = opposite(bets.side(bet));
	const own = bets.runner(bet);
	const house = houseBet(state, market, side, { runner: own, side: ofHouse, ...offer, stake: fill.stake }, effects);
	matcher.matchOutsideBook(market, bet, house, fill.stake, effects);
	offer.legs.forEach((leg, at) => {
		const stake = fill.legs[at] as number;
		const taker = houseBet(state, market, side, { ...leg, side: ofHouse, stake }, effects);
		matcher.take(market, side.firstBook + leg.runner, taker, stake, leg.rung, effects);
	});
	state.hold(market, bets.position(house), effects);
}

interface HouseBet {
	runner: number;
	side: SideCode;
	price: number;
	rung: number;
	stake: number;
}

/** A bet of the house, about to be matched whole; the engine gives it the next number. */
function houseBet(
	state: EngineState,
	market: Market,
	side: PoolSide,
	{ runner, side: ofBet, price, rung, stake }: HouseBet,
	effects: Effects,
): number {
	const { bets, positions } = state;
	const walletId = market.terms.houses[market.terms.pools.indexOf(side.pool)] as number;
	const wallet = state.accounts.wallets.find(walletId);
	if (wallet === NONE) throw new Error(`market ${market.marketId} matches across without a house`);
	const position = state.positionOf(market, side, wallet);
	const betId = ++state.counters.lastBetId;
	const bet = bets.add(market.row, betId, position, runner, ofBet, price, rung, stake, false);
	positions.link(position, bet);
	positions.addUnmatched(position, market, runner, ofBet, price, stake);
	Object.assign(state.placed, { betId, walletId, marketId: market.marketId, pool: side.pool, runner });
	Object.assign(state.placed, { side: ofBet, price, stake, persist: false, fillOrKill: true });
	state.placed.quote = state.accounts.wallets.isQuoting(wallet);
	effects.betPlaced(state.placed);
	return bet;
}
