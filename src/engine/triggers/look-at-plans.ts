/**
 * Looks what became of the bets of plans, at the end of a batch: a plan goes on in the next one, or ends with its bets. The plans
 * that have nothing to do are not visited: see plans-of-book.ts.
 */
import type { Effects, TriggerEnd } from '#engine/effect.ts';
import type { EngineState } from '#engine/engine-state.ts';
import type { Market } from '#engine/market.ts';
import { NONE } from '#engine/rows.ts';
import {
	countAgain,
	holdForPlans,
	isCounted,
	openValueOf,
	remainingOf,
	stakeAtStop,
} from '#engine/triggers/count-trigger.ts';
import { CANCELLED, endTrigger, viewOf } from '#engine/triggers/end-triggers.ts';
import { exitsOf } from '#engine/triggers/plan.ts';
import { type BestTicks, type PlansOfBook, takesFollowed } from '#engine/triggers/plans-of-book.ts';
import type { Trigger } from '#engine/triggers/trigger.ts';
import type { BetId } from '#values/ids.ts';
import type { AnyMinor } from '#values/money.ts';
import { stepOf as stepOfPool } from '#values/pools.ts';
import type { AnyPrice } from '#values/price-ladder.ts';
import { BACK } from '#values/sides.ts';

/** Whether a bet is matched whole, or ended otherwise; null while it waits. */
function endOf({ bets }: EngineState, betId: BetId): 'MATCHED' | 'ENDED' | null {
	const bet = bets.find(betId);
	if (bet === NONE) return 'ENDED';
	if (bets.remaining(bet) > 0) return null;
	return bets.matched(bet) === bets.stake(bet) ? 'MATCHED' : 'ENDED';
}

/** What a plan does next: it goes on, ends, holds for another stake; or nothing, null. */
type Step = { due: true } | { end: TriggerEnd } | { stake: AnyMinor } | null;

const placed = (betId: BetId): Step => ({ end: { status: 'PLACED', reason: null, betId } });
const ended: Step = { end: CANCELLED };

/**
 * The price at which a peg's bet would stand now; null where nothing stands that it could follow. Other pegs do not count.
 */
export function pegPrice({ books }: EngineState, { terms, place }: Trigger, best: BestTicks): AnyPrice | null {
	const { plan, side, price: limit } = terms;
	if (plan?.kind !== 'PEG') return null;
	const tick = best[takesFollowed(terms)];
	if (tick < 0) return null;
	const ladder = books.ladder(place.book);
	const atLimit = ladder.tickOf(limit);
	const wanted = side === BACK ? Math.max(tick + plan.ticks, atLimit) : Math.min(tick - plan.ticks, atLimit);
	return ladder.priceAt(Math.min(Math.max(wanted, 0), ladder.tickCount - 1));
}

/** Whether the last price of a bracket's runner is at its stop or beyond. */
export function isStopped(state: EngineState, { terms, place }: Trigger, stop: AnyPrice): boolean {
	const last = state.books.lastPriceTraded(place.book);
	return last > 0 && (terms.side === BACK ? last >= stop : last <= stop);
}

/** The stake with which a bracket closes what is open, at its aim or its stop: rounded down to whole coins, so that it closes no more. */
export function closingStake(state: EngineState, trigger: Trigger, price: AnyPrice): AnyMinor {
	const step = stepOfPool(trigger.place.pool);
	return Math.max(0, Math.floor(openValueOf(state, trigger) / (price * step)) * step);
}

function stepOfIceberg(state: EngineState, { betId }: Trigger): Step {
	if (betId === null) return null;
	const end = endOf(state, betId);
	return end === null ? null : end === 'MATCHED' ? { due: true } : ended;
}

function stepOfPeg(state: EngineState, trigger: Trigger, best: BestTicks | null): Step {
	const { betId } = trigger;
	const price = best ? pegPrice(state, trigger, best) : null;
	if (betId === null) return price === null ? null : { due: true };
	const end = endOf(state, betId);
	if (end !== null) return end === 'MATCHED' ? placed(betId) : ended;
	const bet = state.bets.find(betId);
	const remaining = state.bets.remaining(bet);
	if (!isCounted(state, trigger, remaining)) return { stake: remaining };
	const isElsewhere = price !== null && price !== state.bets.price(bet) && !state.bets.isDelayed(bet);
	return isElsewhere ? { due: true } : null;
}

function stepOfBracket(state: EngineState, market: Market, trigger: Trigger): Step {
	const { betId, exitId, terms } = trigger;
	const exits = exitsOf(market, terms);
	if (betId === null || exits === null) return null;
	const exit = exitId === null ? null : endOf(state, exitId);
	// Its player takes over.
	if (exit === 'ENDED') return ended;
	const wanted = closingStake(state, trigger, exits.aim);
	const exitWaits = remainingOf(state, exitId);
	const isClosed = remainingOf(state, betId) + wanted + exitWaits === 0;
	if (isClosed) return openValueOf(state, trigger) > 0 || exitId !== null ? placed(betId) : ended;
	const stake = stakeAtStop(state, trigger, exits.stop);
	if (terms.stake !== stake) return { stake };
	if (closingStake(state, trigger, exits.stop) > 0 && isStopped(state, trigger, exits.stop)) return { due: true };
	const isDelayed = exitWaits > 0 && state.bets.isDelayed(state.bets.find(exitId as BetId));
	return wanted !== exitWaits && !isDelayed ? { due: true } : null;
}

function stepOf(state: EngineState, market: Market, trigger: Trigger, best: BestTicks | null): Step {
	switch (trigger.terms.plan?.kind) {
		case 'ICEBERG':
			return stepOfIceberg(state, trigger);
		case 'PEG':
			return stepOfPeg(state, trigger, best);
		case 'BRACKET':
			return stepOfBracket(state, market, trigger);
		default:
			return null;
	}
}

/** A look at the plans of one book, given by its row. */
interface PlansLook {
	plans: PlansOfBook;
	market: Market;
	book: number;
	/** Whether the best prices count now. */
	seesBest: boolean;
	atMs: number;
}

/** @returns how many plans it changed */
export function lookAtPlans(
	state: EngineState,
	{ plans, market, book, seesBest, atMs }: PlansLook,
	effects: Effects,
): number {
	const ticks = plans.bestTicks();
	const best = seesBest ? ticks : null;
	const touched = new Set<number>();
	let changed = 0;
	for (const trigger of plans.take(state.books.lastPriceTraded(book), best)) {
		let step = stepOf(state, market, trigger, best);
		if (step !== null && 'stake' in step) {
			countAgain(state, trigger, step.stake);
			state.triggers.moved(trigger);
			touched.add(trigger.place.position);
			changed++;
			effects.triggerChanged(viewOf(trigger, market.ladder));
			step = stepOf(state, market, trigger, best);
		}
		if (step === null || 'stake' in step) continue;
		if ('end' in step) {
			endTrigger(state, trigger, step.end, effects);
			touched.add(trigger.place.position);
			changed++;
		} else if (trigger.dueAtMs === null) {
			state.triggers.becomeDue(trigger, atMs);
			effects.triggerChanged(viewOf(trigger, market.ladder));
			changed++;
		}
	}
	for (const position of touched) holdForPlans(state, market, position, effects);
	return changed;
}
