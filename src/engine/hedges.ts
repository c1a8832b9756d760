/**
 * The hedges of one cash-out: ordinary bets that are matched as a whole, all of them or none. Out of play they are
 * matched at once. In play they wait for the market's bet delay, and then all are matched at no worse than planned, or
 * all lapse.
 */
import type { CashOutInFlight, PendingBet } from '#engine/bet-detail.ts';
import type { AdmitBet, PlaceBet } from '#engine/command.ts';
import type { Effects } from '#engine/effect.ts';
import { emitFills, emitHolds, emitLapse, emitPlaced, reportedOutcome } from '#engine/emit-report.ts';
import type { EngineState } from '#engine/engine-state.ts';
import { LAPSES, ORDERS, REFUSALS } from '#engine/kernel-layout.ts';
import type { Market } from '#engine/market.ts';
import type { EngineRefusal, Outcome, PlacedHedge } from '#engine/outcome.ts';
import { refusalOf, writeRequest } from '#engine/requests.ts';
import { NONE } from '#engine/rows.ts';
import type { Hedge } from '#values/hedge.ts';
import type { BetId } from '#values/ids.ts';
import type { AnyMinor } from '#values/money.ts';

/** The bets to be placed, and their position. */
interface Hedging {
	market: Market;
	position: number;
	hedges: readonly Hedge[];
	/** Id of the first hedge; the ids of the others follow. */
	first: number;
	atMs: number;
	/** The target that requested the hedges; it is restored if they lapse. */
	target: AnyMinor | null;
}

type Order = PlaceBet & { atMs: number };

/** Whether bets are delayed at present. */
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

/** The refusal of one of the hedges, by the rules of every bet; null when all can be placed. */
export function hedgesRefusal(state: EngineState, hedging: Hedging): EngineRefusal | null {
	const { kernel } = state;
	if (hedging.first <= kernel.call.lastBetId()) return 'DUPLICATE_ORDER';
	for (const order of ordersOf(state, hedging)) {
		writeRequest(kernel, order, ORDERS.HEDGE);
		const refusal = kernel.call.judgeHedge();
		if (refusal !== REFUSALS.ACCEPTED) return refusalOf(refusal);
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
	const { kernel } = state;
	const { market, hedges, first, target } = hedging;
	const { betId, runner, side, stake } = order;
	writeRequest(kernel, order, ORDERS.HEDGE);
	kernel.call.placeHedge();
	emitPlaced(state, order, effects);
	if (isDelayed(market)) {
		const dueAtMs = order.atMs + market.terms.betDelayMs;
		const value = (hedges[at] as Hedge).value;
		const cashOut: CashOutInFlight = { first, hedges: hedges.length, value, target };
		state.delay(market, betId, { dueAtMs, version: market.version, minFill: stake, cashOut }, effects);
		return { betId, runner, side, matched: 0, matchedValue: 0, dueAtMs };
	}
	emitFills(state, order, 0, effects);
	emitHolds(state, market.marketId, effects);
	const { matched, matchedValue } = reportedOutcome(kernel, betId);
	return { betId, runner, side, matched, matchedValue, dueAtMs: null };
}

/** Admits a hedge whose delay is over, with those placed beside it. Null when the bet is no hedge or not due. */
export function admitHedges(
	state: EngineState,
	command: AdmitBet & { atMs: number },
	effects: Effects,
): Outcome | null {
	const { bets } = state;
	const bet = bets.find(command.betId);
	if (bet === NONE || !bets.isDelayed(bet)) return null;
	const position = bets.position(bet);
	const market = state.positions.marketOf(position);
	const waits = market.pending.get(command.betId);
	if (!waits?.cashOut || command.atMs < waits.dueAtMs || market.status === 'BALL_RUNNING') return null;
	const { first, hedges } = waits.cashOut;
	const waiting = [...market.pending].filter(([, { cashOut }]) => cashOut?.first === first);
	// The player may have cancelled one of them.
	const isWhole = ([betId]: (typeof waiting)[number]) =>
		bets.remaining(bets.find(betId)) === bets.stake(bets.find(betId));
	const complete = waiting.length === hedges && waiting.every(isWhole);
	const lapse = complete ? lapseOfHedges(state, waiting) : LAPSES.NOT_FILLED;
	if (complete && lapse !== LAPSES.NO_LAPSE) state.bringBackTarget(market, bet, effects);
	for (const [betId] of waiting) admitHedge(state, market, betId, lapse, effects);
	state.hold(market, position, effects);
	return { ok: true, betId: command.betId };
}

function admitHedge(state: EngineState, market: Market, betId: BetId, lapse: number, effects: Effects): void {
	const { bets, kernel } = state;
	const bet = bets.find(betId);
	const { marketId } = market;
	const taker = { betId, marketId, runner: bets.runner(bet), side: bets.side(bet) };
	market.pending.delete(betId);
	market.queuedAfter.set(betId, kernel.call.lastBetId());
	effects.betAdmitted(betId);
	kernel.call.admitHedge(bet, lapse);
	emitFills(state, taker, 0, effects);
	emitLapse(state, betId, effects);
	emitHolds(state, marketId, effects);
	if (bets.find(betId) === NONE) state.forgetDetail(market, betId);
}

/** NO_LAPSE when each would be matched as a whole, at no worse than planned. */
function lapseOfHedges(state: EngineState, waiting: readonly (readonly [betId: BetId, PendingBet])[]): number {
	const { bets, kernel } = state;
	for (const [betId, { version, cashOut }] of waiting) {
		const lapse = kernel.call.lapseOfHedge(bets.find(betId), version, cashOut?.value ?? 0);
		if (lapse !== LAPSES.NO_LAPSE) return lapse;
	}
	return LAPSES.NO_LAPSE;
}
