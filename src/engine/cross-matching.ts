/**
 * Virtual prices in a market with one winner: backs of all the other runners together are a lay of this one, and lays
 * of all the others are a back. The house stands between: it takes the other side of every leg, at the resting players'
 * own prices, in stakes that leave it no outcome below zero. docs/MARKETS.md has the proof.
 * Source: exchange rules, "Matching".
 */
import type { Effects } from '#engine/effect.ts';
import { emitFills, emitHolds, emitPlaced, reportedOutcome, type Taker } from '#engine/emit-report.ts';
import type { EngineState } from '#engine/engine-state.ts';
import { PLACE_BET } from '#engine/kernel-layout.ts';
import type { Market, PoolSide } from '#engine/market.ts';
import { meets } from '#engine/order-book.ts';
import type { Outcome } from '#engine/outcome.ts';
import { writeRequest } from '#engine/requests.ts';
import { NONE } from '#engine/rows.ts';
import { type AnyMinor, MAX_AMOUNT_MINOR } from '#values/money.ts';
import { stepOf } from '#values/pools.ts';
import { type AnyPrice, MAX_PRICE, MIN_PRICE } from '#values/price-ladder.ts';
import { BACK, LAY, type SideCode } from '#values/sides.ts';

/** How many stakes are tried, each one smaller, to find one whose legs are whole minor units without a loss. */
const MOST_TRIES = 200;

const opposite = (side: SideCode): SideCode => (side === BACK ? LAY : BACK);

/** The joint offer of all the others: a price for this runner, and the best tick of each with its price. */
interface VirtualOffer {
	tick: number;
	price: AnyPrice;
	legs: { runner: number; tick: number; price: AnyPrice }[];
}

/** Stakes of a fill: the bet's own, and each leg's. */
interface VirtualFill {
	stake: AnyMinor;
	legs: number[];
}

/**
 * Matches a bet with the book and with virtual prices, always at the better of the two. The kernel has accepted the bet
 * and finishes the command: the rest goes to the book, and the held money follows.
 * @param after the last bet id that was assigned when its delay ended; null for a bet without a delay
 */
export function matchAcross(
	state: EngineState,
	bet: number,
	after: number | null,
	effects: Effects,
): Outcome & { ok: true } {
	const { bets, kernel } = state;
	const market = state.positions.marketOf(bets.position(bet));
	const side = state.sideOf(market, bets.position(bet));
	meetAcross(state, market, side, bet, effects);
	kernel.call.finishAcross(bet, after === null ? PLACE_BET.NEVER : after * 2 + 1);
	emitHolds(state, market.marketId, effects);
	return reportedOutcome(kernel, bets.id(bet));
}

function meetAcross(state: EngineState, market: Market, side: PoolSide, bet: number, effects: Effects): void {
	const { bets } = state;
	const book = state.bookOf(market, bet);
	const [ofBet, tick] = [bets.side(bet), bets.tick(bet)];
	while (bets.remaining(bet) > 0) {
		const offer = virtualOffer(state, market, side, bet);
		const meetsOffer = offer !== null && meets(ofBet, tick, offer.tick);
		match(state, { book, bet, stake: bets.remaining(bet), limit: meetsOffer ? offer.tick : tick }, effects);
		if (!meetsOffer || bets.remaining(bet) === 0) return;
		const fill = virtualFill(state, side, bet, offer);
		if (!fill) {
			match(state, { book, bet, stake: bets.remaining(bet), limit: tick }, effects);
			return;
		}
		carryOut(state, side, bet, { offer, fill }, effects);
	}
}

interface Meeting {
	book: number;
	bet: number;
	stake: AnyMinor;
	/** The worst tick that the bet accepts. */
	limit: number;
}

/** Matches a bet with a book, and emits the fills. */
function match(state: EngineState, { book, bet, stake, limit }: Meeting, effects: Effects): void {
	const { kernel } = state;
	const first = kernel.fillCount;
	kernel.call.matchBet(book, bet, stake, limit);
	emitFills(state, takerOf(state, bet), first, effects);
}

function takerOf({ bets, positions }: EngineState, bet: number): Taker {
	const { marketId } = positions.marketOf(bets.position(bet));
	return { betId: bets.id(bet), marketId, runner: bets.runner(bet), side: bets.side(bet) };
}

/** The price that the best resting bets on all other runners imply, at the tick that costs the house nothing. */
function virtualOffer(state: EngineState, market: Market, side: PoolSide, bet: number): VirtualOffer | null {
	const { bets, books } = state;
	const own = bets.runner(bet);
	const taken = opposite(bets.side(bet));
	const legs: VirtualOffer['legs'] = [];
	for (let runner = 0; runner < market.terms.runners; runner++) {
		if (runner === own) continue;
		const tick = books.bestFor(side.firstBook + runner, taken);
		// Whether nothing rests there, or a bet of the same player is first: no player trades with their own bets
		// indirectly.
		if (tick < 0 || isOwn(state, side.firstBook + runner, taken, tick, bet)) return null;
		legs.push({ runner, tick, price: market.ladder.priceAt(tick) });
	}
	const price = impliedPrice(
		legs.map((leg) => leg.price),
		bets.side(bet),
	);
	if (price === null) return null;
	const { below, above } = market.ladder.nearest(price);
	const rounded = bets.side(bet) === BACK ? below : above;
	return rounded === null ? null : { price: rounded, tick: market.ladder.tickOf(rounded), legs };
}

const isOwn = (state: EngineState, book: number, side: SideCode, tick: number, bet: number): boolean =>
	state.bets.position(state.books.oldestFor(book, side, tick)) === state.bets.position(bet);

/**
 * 1 / (1 − Σ 1/p) in hundredths, rounded so that the house does not pay for it: down for a backer, up for a layer.
 * @param prices of all other runners, hundredths
 * @returns null when the prices imply none of a ladder
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

/**
 * The largest stake, and those of its legs, that the resting bets cover without an outcome that costs the house. Counted in
 * coins of the currency, so that none stakes a part of one.
 */
function virtualFill(
	{ bets, books }: EngineState,
	side: PoolSide,
	bet: number,
	offer: VirtualOffer,
): VirtualFill | null {
	const ofBet = bets.side(bet);
	const step = stepOf(side.pool);
	// A price level sums many bets; a leg is one bet, and no larger than one may be.
	const sizes = offer.legs.map(({ runner, tick }) =>
		coinsIn(Math.min(MAX_AMOUNT_MINOR, books.sizeFor(side.firstBook + runner, opposite(ofBet), tick)), step),
	);
	let most = coinsIn(bets.remaining(bet), step);
	offer.legs.forEach(({ price }, leg) => {
		most = Math.min(most, Math.floor(((sizes[leg] as number) * price) / offer.price));
	});
	for (let stake = most; stake > 0 && stake > most - MOST_TRIES; stake--) {
		const payout = stake * offer.price;
		const legs = offer.legs.map(({ price }) =>
			ofBet === BACK ? Math.floor(payout / price) : Math.ceil(payout / price),
		);
		const covered = legs.every((legStake, leg) => legStake > 0 && legStake <= (sizes[leg] as number));
		if (covered && costsNothing(stake, offer, legs, ofBet))
			return { stake: stake * step, legs: legs.map((legStake) => legStake * step) };
	}
	return null;
}

const coinsIn = (minor: AnyMinor, step: number): number => Math.floor(minor / step);

/** Whether the house, on the other side of every leg, loses in no outcome. */
function costsNothing(stake: AnyMinor, offer: VirtualOffer, legs: readonly number[], side: SideCode): boolean {
	const stakes = legs.reduce((sum, legStake) => sum + legStake, stake) * 100;
	const payouts = [stake * offer.price, ...legs.map((legStake, leg) => legStake * (offer.legs[leg]?.price ?? 0))];
	// Against a backer the house receives the stakes and pays the winner; against a layer it pays the stakes and is
	// paid.
	return side === BACK ? stakes >= Math.max(...payouts) : stakes <= Math.min(...payouts);
}

function carryOut(
	state: EngineState,
	side: PoolSide,
	bet: number,
	{ offer, fill }: { offer: VirtualOffer; fill: VirtualFill },
	effects: Effects,
): void {
	const market = state.positions.marketOf(state.bets.position(bet));
	const { bets, kernel } = state;
	const ofHouse = opposite(bets.side(bet));
	const own = bets.runner(bet);
	const house = houseBet(state, market, side, { runner: own, side: ofHouse, ...offer, stake: fill.stake }, effects);
	const first = kernel.fillCount;
	kernel.call.matchOutsideBook(bet, house, fill.stake);
	emitFills(state, takerOf(state, bet), first, effects);
	offer.legs.forEach((leg, at) => {
		const stake = fill.legs[at] as number;
		const taker = houseBet(state, market, side, { ...leg, side: ofHouse, stake }, effects);
		match(state, { book: side.firstBook + leg.runner, bet: taker, stake, limit: leg.tick }, effects);
	});
	state.hold(market, bets.position(house), effects);
}

interface HouseBet {
	runner: number;
	side: SideCode;
	price: AnyPrice;
	stake: AnyMinor;
}

/** A bet of the house that is about to be matched as a whole; the engine assigns the next number. */
function houseBet(
	state: EngineState,
	market: Market,
	side: PoolSide,
	{ runner, side: ofBet, price, stake }: HouseBet,
	effects: Effects,
): number {
	const { kernel } = state;
	const walletId = market.terms.houses[market.terms.pools.indexOf(side.pool)] as number;
	if (state.accounts.wallets.find(walletId) === NONE) {
		throw new Error(`market ${market.marketId} matches across without a house`);
	}
	const betId = kernel.call.lastBetId() + 1;
	const { marketId } = market;
	const order = { betId, walletId, marketId, runner, side: ofBet, price, stake, persist: false, fillOrKill: true };
	writeRequest(kernel, order);
	const bet = kernel.call.addGivenBet();
	emitPlaced(state, order, effects);
	return bet;
}
