/**
 * Counts what triggers hold for into the positions of their players, and out again. A plan holds for the worst that it may
 * come to: its own order counts, and the bet that it would replace does not.
 */
import type { Effects } from '#engine/effect.ts';
import type { EngineState } from '#engine/engine-state.ts';
import type { Market } from '#engine/market.ts';
import { NONE } from '#engine/rows.ts';
import { exitsOf, otherSide } from '#engine/triggers/plan.ts';
import type { CountedOrder, Trigger } from '#engine/triggers/trigger.ts';
import type { BetId } from '#values/ids.ts';
import type { AnyMinor } from '#values/money.ts';
import { stepOf } from '#values/pools.ts';
import type { AnyPrice } from '#values/price-ladder.ts';

/** What is unmatched of a bet that may be forgotten. */
export function remainingOf({ bets }: EngineState, betId: BetId | null): AnyMinor {
	const bet = betId === null ? NONE : bets.find(betId);
	return bet === NONE ? 0 : bets.remaining(bet);
}

/** Σ stake × price of what is matched of a bet. */
export function valueOf({ bets }: EngineState, betId: BetId | null): number {
	const bet = betId === null ? NONE : bets.find(betId);
	return bet === NONE ? 0 : bets.matchedValue(bet);
}

/** Σ stake × price that is matched of a bracket's bet and not closed yet; below zero where matches were void. */
export const openValueOf = (state: EngineState, { betId, exitId, closed }: Trigger): number =>
	valueOf(state, betId) - closed - valueOf(state, exitId);

/** What a peg holds for: its limit instead of the price of its bet. */
export const ordersOfPeg = (
	{ terms: { side, price } }: Trigger,
	bet: { price: AnyPrice; stake: AnyMinor },
): CountedOrder[] => [
	{ side, price, stake: bet.stake },
	{ side, price: bet.price, stake: -bet.stake },
];

/**
 * What a bracket holds for beside its bets: all that may be open is closed at its stop, where a match of its bet pays for a part
 * of that, instead of at its aim.
 */
export function ordersOfBracket(
	state: EngineState,
	{ terms, place }: Trigger,
	{ atStop, waits, exitWaits }: Record<'atStop' | 'waits' | 'exitWaits', AnyMinor>,
): CountedOrder[] {
	const exits = exitsOf(state.positions.marketOf(place.position), terms);
	if (!exits) throw new Error(`bracket ${terms.triggerId} has no price at which it closes`);
	const side = otherSide(terms.side);
	return [
		{ side, price: exits.stop, stake: atStop },
		{ side, price: terms.price, stake: -waits },
		{ side, price: exits.aim, stake: -exitWaits },
	].filter(({ stake }) => stake !== 0);
}

/** What a trigger holds for, by the bets as they stand. @param stake of its terms, or another one */
function ordersOf(state: EngineState, trigger: Trigger, stake = trigger.terms.stake): CountedOrder[] {
	const { terms, betId, exitId } = trigger;
	const bet = betId === null ? NONE : state.bets.find(betId);
	if (terms.plan?.kind === 'PEG' && bet !== NONE) return ordersOfPeg(trigger, { price: state.bets.price(bet), stake });
	if (terms.plan?.kind !== 'BRACKET' || betId === null) return [{ side: terms.side, price: terms.price, stake }];
	const [waits, exitWaits] = [remainingOf(state, betId), remainingOf(state, exitId)];
	return ordersOfBracket(state, trigger, { atStop: stake, waits, exitWaits });
}

/** Whether a trigger holds for a stake of its terms, and for the bets as they stand. */
export function isCounted(state: EngineState, trigger: Trigger, stake: AnyMinor): boolean {
	const orders = ordersOf(state, trigger, stake);
	const isSame = (order: CountedOrder, at: number) => {
		const other = orders[at];
		return other?.side === order.side && other.price === order.price && other.stake === order.stake;
	};
	return orders.length === trigger.counted.length && trigger.counted.every(isSame);
}

/** The least whole coins with which a bracket closes Σ stake × price at a price. */
export function coinsToClose({ place }: Trigger, value: number, price: AnyPrice): AnyMinor {
	const step = stepOf(place.pool);
	return Math.ceil(value / (price * step)) * step;
}

/**
 * What a bracket would have to place at its stop, if all of its bet were matched at its price: at the stop the bets that close
 * it lose most. A match at that price changes nothing of it.
 */
export function stakeAtStop(state: EngineState, trigger: Trigger, stop: AnyPrice): AnyMinor {
	const waits = remainingOf(state, trigger.betId) * trigger.terms.price;
	return coinsToClose(trigger, Math.max(0, openValueOf(state, trigger)) + waits, stop);
}

/**
 * A bet of a bracket changed: what the bracket holds for follows at once, because its player may ask for money before the next
 * look. The caller updates the held money.
 */
export function followBracket(state: EngineState, trigger: Trigger): void {
	const exits = exitsOf(state.positions.marketOf(trigger.place.position), trigger.terms);
	if (trigger.betId !== null && exits)
		countAs(state, trigger, ordersOf(state, trigger, stakeAtStop(state, trigger, exits.stop)));
}

/** Counts a trigger in, by the bets as they stand; the caller updates the held money. */
export function countIn(state: EngineState, trigger: Trigger): void {
	countAs(state, trigger, ordersOf(state, trigger));
}

/** Counts these orders for a trigger instead of those that were counted. The caller updates the held money. */
export function countAs(state: EngineState, trigger: Trigger, orders: readonly CountedOrder[]): void {
	count(state, trigger, -1);
	trigger.counted = orders;
	count(state, trigger, 1);
}

/** Counts a trigger out. The caller updates the held money. */
export const countOut = (state: EngineState, trigger: Trigger): void => countAs(state, trigger, []);

function count({ kernel }: EngineState, { counted, place, terms }: Trigger, times: 1 | -1): void {
	for (const { side, price, stake } of counted) {
		const args = [place.position, terms.runner, side, price] as const;
		if (stake > 0) kernel.call.releaseTrigger(...args, -stake * times);
		else kernel.call.countInstead(...args, stake * times);
	}
}

/**
 * Brings the money held for a position to what its plans ask. Where a bracket is matched at a better price than it asked, whole
 * coins may ask one more than there is: a recovery then reads from the postings what is held.
 */
export function holdForPlans(state: EngineState, market: Market, position: number, effects: Effects): void {
	state.hold(market, position, effects);
	if (market.mayBeShort || state.kernel.call.exposureOf(position) <= state.positions.held(position)) return;
	market.mayBeShort = true;
	state.digest.touch(market);
	effects.marketChanged(market.marketId);
}

/** Holds for another stake beside its bets. The caller updates the held money. */
export function countAgain(state: EngineState, trigger: Trigger, stake: AnyMinor): void {
	trigger.terms = { ...trigger.terms, stake };
	countIn(state, trigger);
}
