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
import type { AnyMinor } from '#values/money.ts';
import { stepOf } from '#values/pools.ts';
import type { AnyPrice } from '#values/price-ladder.ts';
import { BACK, LAY, type SideCode } from '#values/sides.ts';
import { type FillAcross, fillAcross, priceAcross } from '#values/virtual-prices.ts';

const opposite = (side: SideCode): SideCode => (side === BACK ? LAY : BACK);

/** The joint offer of all the others: a price for this runner, and the best tick of each with its price and size. */
interface VirtualOffer {
	tick: number;
	price: AnyPrice;
	legs: { runner: number; tick: number; price: AnyPrice; size: AnyMinor }[];
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
		const across = { side: ofBet, price: offer.price, legs: offer.legs, step: stepOf(side.pool) };
		const fill = fillAcross(bets.remaining(bet), across);
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

/**
 * The price that the best resting bets on all other runners imply, at the tick that costs the house nothing. Each of them
 * is needed: with one suspended, whose bets are not matched meanwhile, there is none.
 */
function virtualOffer(state: EngineState, market: Market, side: PoolSide, bet: number): VirtualOffer | null {
	const { bets, books } = state;
	const [own, ofBet] = [bets.runner(bet), bets.side(bet)];
	const taken = opposite(ofBet);
	const legs: VirtualOffer['legs'] = [];
	for (let runner = 0; runner < market.terms.runners; runner++) {
		if (runner === own) continue;
		if (market.suspended.has(runner)) return null;
		const book = side.firstBook + runner;
		const tick = books.bestFor(book, taken);
		// Whether nothing rests there, or a bet of the same player is first: no player trades with their own bets
		// indirectly.
		if (tick < 0 || isOwn(state, book, taken, tick, bet)) return null;
		legs.push({ runner, tick, price: market.ladder.priceAt(tick), size: books.sizeFor(book, taken, tick) });
	}
	const prices = legs.map((leg) => leg.price);
	const price = priceAcross(market.ladder, prices, ofBet);
	return price === null ? null : { price, tick: market.ladder.tickOf(price), legs };
}

const isOwn = (state: EngineState, book: number, side: SideCode, tick: number, bet: number): boolean =>
	state.bets.position(state.books.oldestFor(book, side, tick)) === state.bets.position(bet);

function carryOut(
	state: EngineState,
	side: PoolSide,
	bet: number,
	{ offer, fill }: { offer: VirtualOffer; fill: FillAcross },
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
