/**
 * The hedges of one cash-out: ordinary bets that are filled whole, and stand or fall together. Out of play they are
 * matched at once; in play they wait out the market's delay, and then all are matched at no worse than what was planned,
 * or all lapse.
 */
import type { AdmitBet, PlaceBet } from '#engine/command.ts';
import type { Effects, LapseReason } from '#engine/effect.ts';
import type { EngineState } from '#engine/engine-state.ts';
import type { CashOutInFlight, Market, PendingBet } from '#engine/market.ts';
import { type Asked, fillable, valueOfFill, wouldMeetOwnBet } from '#engine/matching.ts';
import type { EngineRefusal, Outcome, PlacedHedge } from '#engine/outcome.ts';
import {
	delayBet,
	emitPlaced,
	figureIsTooLarge,
	holdOfMakers,
	isLate,
	lapseWhole,
	meet,
	refusalOf,
} from '#engine/place-bet.ts';
import { NONE } from '#engine/rows.ts';
import { limitRefusal } from '#values/bet-limits.ts';
import type { Hedge } from '#values/hedge.ts';
import { BACK } from '#values/sides.ts';

/** What is to be placed, and of whose position. */
export interface Hedging {
	market: Market;
	position: number;
	hedges: readonly Hedge[];
	/** Id of the first hedge; the ids of the others follow. */
	first: number;
	atMs: number;
	/** The target that asked for it, which is back if the hedges lapse. */
	target: number | null;
}

type Order = PlaceBet & { atMs: number };

/** In play bets wait before they reach the book. */
export const isDelayed = ({ inPlay, terms }: Market): boolean => inPlay && terms.betDelayMs > 0;

function ordersOf(state: EngineState, { market, position, hedges, first, atMs }: Hedging): Order[] {
	const walletId = state.accounts.wallets.id(state.positions.walletOf(position));
	return hedges.map(({ runner, side, stake, limit }, at) => ({
		kind: 'place-bet',
		betId: first + at,
		walletId,
		marketId: market.marketId,
		runner,
		side,
		price: limit,
		stake,
		persist: false,
		fillOrKill: true,
		atMs,
	}));
}

/** Why one of the hedges cannot be placed, by the rule of every bet; null when all can. */
export function hedgesRefusal(state: EngineState, hedging: Hedging): EngineRefusal | null {
	const { market, position, first } = hedging;
	if (first <= state.counters.lastBetId) return 'DUPLICATE_ORDER';
	const limits = state.accounts.wallets.limits(state.positions.walletOf(position));
	for (const order of ordersOf(state, hedging)) {
		const over = limits === null ? null : limitRefusal(limits, market.shape, order);
		const refused = refusalOf(market, order, market.ladder.tickOf(order.price), true) ?? over;
		if (refused !== null) return refused;
		if (figureIsTooLarge(state, market, position, order)) return 'EXPOSURE_LIMIT';
	}
	return null;
}

/** Places hedges that nothing refuses and that the book fills. */
export function placeHedges(state: EngineState, hedging: Hedging, effects: Effects): PlacedHedge[] {
	const { market, position } = hedging;
	const placed = ordersOf(state, hedging).map((order, at) => placeHedge(state, hedging, order, at, effects));
	state.hold(market, position, effects);
	return placed;
}

function placeHedge(state: EngineState, hedging: Hedging, order: Order, at: number, effects: Effects): PlacedHedge {
	const { bets, positions, counters } = state;
	const { market, position, hedges, first, target } = hedging;
	const { betId, runner, side, price, stake } = order;
	counters.lastBetId = betId;
	positions.addUnmatched(position, market, runner, side, price, stake);
	const rung = market.ladder.tickOf(price);
	const bet = bets.add(market.row, betId, position, runner, side, price, rung, stake, false);
	positions.link(position, bet);
	const quote = state.accounts.wallets.isQuoting(positions.walletOf(position));
	emitPlaced(state, state.sideOf(market, position).pool, order, { fillOrKill: true, quote }, effects);
	if (isDelayed(market)) {
		const dueAtMs = order.atMs + market.terms.betDelayMs;
		const value = (hedges[at] as Hedge).value;
		const cashOut: CashOutInFlight = { first, hedges: hedges.length, value, target };
		delayBet(state, market, bet, { dueAtMs, version: market.version, minFill: stake, cashOut }, effects);
		return { betId, runner, side, matched: 0, matchedValue: 0, dueAtMs };
	}
	const { matched, matchedValue } = meet(state, market, bet, wholeOf(state, market, bet), effects, false);
	if (matched !== stake) throw new Error(`hedge ${betId} was planned and not filled`);
	holdOfMakers(state, market, position, effects);
	return { betId, runner, side, matched, matchedValue, dueAtMs: null };
}

/** All of a bet at once, at its price or better. */
function wholeOf(state: EngineState, market: Market, bet: number): Asked {
	const { bets } = state;
	const stake = bets.stake(bet);
	const [side, rung] = [bets.side(bet), bets.rung(bet)];
	return { book: state.bookOf(market, bet), side, rung, stake, fillOrKill: { minFill: stake } };
}

/** The delay of a hedge is over, and so is that of those placed with it. Null when the bet is no hedge, or not due. */
export function admitHedges(
	state: EngineState,
	command: AdmitBet & { atMs: number },
	effects: Effects,
): Outcome | null {
	const { bets } = state;
	const bet = bets.find(command.betId);
	if (bet === NONE || !bets.isPending(bet)) return null;
	const position = bets.position(bet);
	const market = state.positions.marketOf(position);
	const waits = market.pending.get(command.betId);
	if (!waits?.cashOut || command.atMs < waits.dueAtMs || market.status === 'BALL_RUNNING') return null;
	const { first, hedges } = waits.cashOut;
	const waiting = [...market.pending].filter(([, { cashOut }]) => cashOut?.first === first);
	const rows = waiting.map(([betId]) => bets.find(betId));
	// The player may have cancelled one of them.
	const complete = rows.length === hedges && rows.every((row) => bets.remaining(row) === bets.stake(row));
	const reason = complete ? whyTheyLapse(state, market, waiting) : 'NOT_FILLED';
	if (complete && reason !== null) state.bringBackTarget(market, bet, effects);
	for (const row of rows) {
		state.endDelay(market, row);
		market.queuedAfter.set(bets.id(row), state.counters.lastBetId);
		effects.betAdmitted(bets.id(row));
		if (reason !== null) lapseWhole(state, row, reason, effects);
		else {
			meet(state, market, row, wholeOf(state, market, row), effects, true);
			holdOfMakers(state, market, position, effects);
		}
	}
	state.hold(market, position, effects);
	return { ok: true, betId: command.betId };
}

/** Null when each of them would be filled whole and at no worse than what was planned. */
function whyTheyLapse(
	state: EngineState,
	market: Market,
	waiting: readonly (readonly [betId: number, PendingBet])[],
): LapseReason | null {
	const { bets, books } = state;
	for (const [betId, waits] of waiting) {
		const bet = bets.find(betId);
		if (isLate(market, waits, bets.runner(bet))) return 'SUSPENDED';
		const asked = wholeOf(state, market, bet);
		const { side, stake } = asked;
		const planned = waits.cashOut?.value ?? 0;
		const worse =
			fillable(books, asked) < stake || (valueOfFill(books, asked) - planned) * (side === BACK ? 1 : -1) < 0;
		if (worse) return 'NOT_FILLED';
		const refusesOwn = market.terms.selfMatch === 'REFUSE';
		if (refusesOwn && wouldMeetOwnBet(state, asked, bets.position(bet))) return 'SELF_MATCH';
	}
	return null;
}
