/**
 * Places a bet, and admits one whose delay is over. The kernel decides and matches (src/kernel/place-bet.ts,
 * src/kernel/admit-bet.ts); this file translates the commands and emits the report.
 */
import type { BetTerms } from '#engine/bet-detail.ts';
import type { AdmitBet, PlaceBet } from '#engine/command.ts';
import { matchAcross } from '#engine/cross-matching.ts';
import type { Effects } from '#engine/effect.ts';
import { emitEntered, emitHolds, emitPlaced, reportedOutcome, reportOf } from '#engine/emit-report.ts';
import type { EngineState } from '#engine/engine-state.ts';
import { joinGroup, refusalOfGroup } from '#engine/guard-groups.ts';
import { assertRule } from '#engine/kernel.ts';
import { REFUSALS, REPORT } from '#engine/kernel-layout.ts';
import { hasMostLimits, limitVolume } from '#engine/limit-volume.ts';
import type { Outcome } from '#engine/outcome.ts';
import { type BetRequest, readRequest, refusalOf, refuse, writeRequest } from '#engine/requests.ts';
import { NONE } from '#engine/rows.ts';
import type { BetId } from '#values/ids.ts';
import type { AnyPrice } from '#values/price-ladder.ts';

// Copied here: every bet passes, and an imported constant is fetched and checked at each use.
const { ACCEPTED } = REFUSALS;
const { DELAYED, UNMATCHED, FILL_OR_KILL } = REPORT;

type Placing = BetRequest & { atMs: number };

export function placeBet(state: EngineState, command: PlaceBet & { atMs: number }, effects: Effects): Outcome {
	if (command.terms?.untilMatched != null && hasMostLimits(state, command)) return refuse('TERMS_NOT_POSSIBLE');
	const closed = command.terms == null ? null : refusalOfGroup(state, command);
	if (closed !== null) return refuse(closed);
	writeRequest(state.kernel, command);
	const refusal = state.kernel.call.placeBet();
	if (refusal !== ACCEPTED) return refuse(refusalOf(refusal));
	// The kernel may have moved the price of a post-only bet.
	const isMovable = command.terms?.postOnly === 'REPRICE';
	const bet = isMovable ? { ...command, price: readRequest(state.kernel).price } : command;
	return emitAccepted(state, bet, command.price, effects);
}

/** Emits the report of an accepted bet. @param asked the price that it asked, where a post-only bet was moved */
export function emitAccepted(state: EngineState, bet: Placing, asked: AnyPrice, effects: Effects): Outcome {
	emitPlaced(state, bet, effects);
	// What the house places for a fill across runners is emitted as a placed bet, too.
	const { terms } = state.placed;
	const outcome = emitStage(state, bet, effects);
	if (terms != null) keepTerms(state, bet.betId, terms);
	return bet.price === asked ? outcome : { ...outcome, price: bet.price };
}

/** What the engine keeps of an accepted bet's terms, as they were emitted. */
function keepTerms(state: EngineState, betId: BetId, { expiresAtMs, group, untilVolume }: BetTerms): void {
	if (expiresAtMs !== null && state.bets.find(betId) !== NONE) state.expiries.add(betId, expiresAtMs);
	if (untilVolume != null) limitVolume(state, betId, untilVolume);
	if (group != null) joinGroup(state, betId, group, 0);
}

/** What became of the bet as it was accepted. */
function emitStage(state: EngineState, bet: Placing, effects: Effects): Outcome & { ok: true } {
	const { kernel } = state;
	const stage = reportOf.stage(kernel);
	if (stage === DELAYED) return emitDelay(state, bet, effects);
	if (stage === UNMATCHED) return matchAcross(state, reportOf.bet(kernel), null, effects);
	const accounted = reportOf.matched(kernel) + reportOf.remaining(kernel) + reportOf.lapsed(kernel);
	assertRule(accounted === bet.stake, 'a placed bet is matched, remains or lapses');
	return emitEntered(state, bet, effects);
}

function emitDelay(state: EngineState, bet: Placing, effects: Effects): Outcome & { ok: true } {
	const { kernel } = state;
	const market = state.markets.at(reportOf.market(kernel));
	const isFillOrKill = (reportOf.terms(kernel) & FILL_OR_KILL) !== 0;
	const dueAtMs = bet.atMs + market.terms.betDelayMs;
	state.delay(
		market,
		bet.betId,
		{
			dueAtMs,
			version: market.version,
			minFill: isFillOrKill ? (bet.minFill ?? bet.stake) : 0,
		},
		effects,
	);
	emitHolds(state, bet.marketId, effects);
	return { ...reportedOutcome(kernel, bet.betId), dueAtMs };
}

/** Admits a bet whose delay is over. */
export function admitBet(state: EngineState, command: AdmitBet & { atMs: number }, effects: Effects): Outcome {
	const { bets, positions, kernel } = state;
	const { betId, atMs } = command;
	const bet = bets.find(betId);
	if (bet === NONE || !bets.isDelayed(bet)) return refuse('ORDER_NOT_ACTIVE');
	const market = positions.marketOf(bets.position(bet));
	const waits = market.pending.get(betId);
	if (!waits) throw new Error(`bet ${betId} is in its delay without a reason`);
	const { marketId } = market;
	const taker = { betId, marketId, runner: bets.runner(bet), side: bets.side(bet) };
	const lastBetId = kernel.call.lastBetId();
	const refusal = kernel.call.admitBet(bet, atMs, waits.dueAtMs, waits.version, waits.minFill);
	if (refusal !== ACCEPTED) return refuse(refusalOf(refusal));
	market.pending.delete(betId);
	effects.betAdmitted(betId);
	market.queuedAfter.set(betId, lastBetId);
	const isUnmatched = reportOf.stage(kernel) === UNMATCHED;
	const outcome = isUnmatched ? matchAcross(state, bet, lastBetId, effects) : emitEntered(state, taker, effects);
	if (bets.find(betId) === NONE) state.forgetDetail(market, betId);
	return outcome;
}
