/** Places a trigger: judges the bet that it may place, and holds its risk from now on. */

import type { Effects } from '#engine/effect.ts';
import { emitHolds, reportOf } from '#engine/emit-report.ts';
import type { EngineState } from '#engine/engine-state.ts';
import { ORDERS, REFUSALS } from '#engine/kernel-layout.ts';
import type { Market } from '#engine/market.ts';
import type { EngineRefusal, Outcome } from '#engine/outcome.ts';
import { type BetRequest, refusalOf, refuse, writeRequest } from '#engine/requests.ts';
import { NONE } from '#engine/rows.ts';
import { viewOf } from '#engine/triggers/end-triggers.ts';
import { lookBeforeTrigger } from '#engine/triggers/look-at-triggers.ts';
import { exitsOf, MOST_TICKS, otherSide } from '#engine/triggers/plan.ts';
import { Trigger, type TriggerTerms } from '#engine/triggers/trigger.ts';
import type { PlaceTrigger } from '#engine/triggers/trigger-commands.ts';
import type { BetId } from '#values/ids.ts';
import { takesTerm } from '#values/order-terms.ts';
import { stepOf } from '#values/pools.ts';

/** What one player may have; and one market, whose end lapses its triggers in one command. */
const MOST_OF_WALLET = 100;
const MOST_OF_MARKET = 5_000;
/** Ticks. */
const LONGEST_TRAIL = 1_000;

/** The bet that a trigger places. */
export function betOf(terms: TriggerTerms, betId: BetId): BetRequest {
	const { walletId, marketId, runner, side, price, stake, persist, marketVersion } = terms;
	const seen = marketVersion === null ? {} : { marketVersion };
	return { betId, walletId, marketId, runner, side, price, stake, persist, ...seen };
}

export function placeTrigger(state: EngineState, command: PlaceTrigger & { atMs: number }, effects: Effects): Outcome {
	const { kernel } = state;
	const { kind: _, at, atMs, ...asked } = command;
	const terms: TriggerTerms = asked.plan == null ? asked : { ...asked, whole: asked.stake };
	const refusal = refusalOfTrigger(state, command);
	if (refusal) return refuse(refusal);
	writeRequest(kernel, betOf(terms, terms.triggerId));
	const refused = kernel.call.reserveTrigger();
	if (refused !== REFUSALS.ACCEPTED) return refuse(refusalOf(refused));
	const market = state.markets.at(reportOf.market(kernel));
	const position = reportOf.position(kernel);
	const book = state.sideOf(market, position).firstBook + terms.runner;
	if (terms.plan == null) lookBeforeTrigger(state, { market, book, atMs }, effects);
	const turn = terms.moves === 'FALLS' ? 1 : -1;
	const reachedAt = exitsOf(market, terms)?.stop ?? at;
	const ticks = {
		at: reachedAt === null ? Number.NEGATIVE_INFINITY : market.ladder.tickOf(reachedAt) * turn,
		best: Number.NEGATIVE_INFINITY,
	};
	const trigger = new Trigger(terms, { pool: reportOf.pool(kernel), position, book, placedAtMs: atMs }, ticks);
	trigger.counted = [{ side: terms.side, price: terms.price, stake: terms.stake }];
	// A plan begins at once, like everything that is placed for a player in the batch after.
	if (terms.plan != null) trigger.dueAtMs = atMs;
	state.triggers.add(trigger);
	// Of what was matched before, its last price counts.
	if (terms.plan == null) state.books.beginRange(book, state.books.lastPriceTraded(book));
	effects.triggerChanged(viewOf(trigger, market.ladder));
	emitHolds(state, market.marketId, effects);
	return { ok: true, betId: terms.triggerId, stake: terms.stake, matched: 0, matchedValue: 0, remaining: terms.stake };
}

/** What a trigger asks beyond its bet, which the kernel judges. */
function refusalOfTrigger(state: EngineState, command: PlaceTrigger): EngineRefusal | null {
	const { triggers, markets, accounts } = state;
	const { walletId, marketId, at, trail } = command;
	const market = markets.get(marketId);
	const wallet = accounts.wallets.find(walletId);
	if (!market || wallet === NONE) return market ? 'UNKNOWN_USER' : 'UNKNOWN_MARKET';
	const isTaken = takesTerm(market.taking, command.plan?.kind ?? 'TRIGGER');
	if (!isTaken || accounts.wallets.isQuoting(wallet)) return 'TERMS_NOT_POSSIBLE';
	const isFull =
		triggers.countOfWallet(walletId) >= MOST_OF_WALLET || triggers.countOfMarket(marketId) >= MOST_OF_MARKET;
	if (command.plan != null) return refusalOfPlan(state, market, command) ?? (isFull ? 'TOO_MANY_TRIGGERS' : null);
	if ((at === null) === (trail === null)) return 'VALIDATION_FAILED';
	if (trail !== null && !(Number.isInteger(trail) && trail > 0 && trail <= LONGEST_TRAIL)) return 'VALIDATION_FAILED';
	if (at !== null && market.ladder.tickOf(at) < 0) return 'PRICE_NOT_ON_LADDER';
	return isFull ? 'TOO_MANY_TRIGGERS' : null;
}

/** What a plan asks beyond the bet of its whole stake, which the kernel judges. */
function refusalOfPlan(state: EngineState, market: Market, command: PlaceTrigger): EngineRefusal | null {
	const { at, trail, watches, plan, stake } = command;
	const { ladder } = market;
	if (!plan || at !== null || trail !== null || watches !== 'NONE') return 'VALIDATION_FAILED';
	if (ladder.tickOf(command.price) < 0) return 'PRICE_NOT_ON_LADDER';
	const isTicks = (ticks: number, least: number) => Number.isInteger(ticks) && ticks >= least && ticks <= MOST_TICKS;
	if (plan.kind === 'PEG') return isTicks(plan.ticks, plan.follows === 'OWN' ? 0 : 1) ? null : 'VALIDATION_FAILED';
	if (plan.kind === 'BRACKET') {
		if (!isTicks(plan.profitTicks, 1) || !isTicks(plan.stopTicks, 1)) return 'VALIDATION_FAILED';
		return refusalOfExits(state, market, command);
	}
	if (!(Number.isSafeInteger(plan.visible) && plan.visible > 0 && plan.visible < stake)) return 'INVALID_SIZE';
	// Each part is a bet that has to be acceptable, the last one, too.
	for (const part of [plan.visible, stake % plan.visible || plan.visible]) {
		const refusal = refusalOfOrder(state, command, { stake: part });
		if (refusal) return refusal;
	}
	return null;
}

/** What closes a bracket has to be a bet, too: at the aim or at the stop it may be a larger one, or one that may win more. */
function refusalOfExits(state: EngineState, market: Market, command: PlaceTrigger): EngineRefusal | null {
	const { side, price, stake, walletId } = command;
	const exits = exitsOf(market, command);
	if (!exits) return 'PRICE_NOT_ON_LADDER';
	const { wallets } = state.accounts;
	const step = stepOf(wallets.pool(wallets.find(walletId)));
	for (const exit of [exits.aim, exits.stop]) {
		const closing = { side: otherSide(side), price: exit, stake: Math.ceil((stake * price) / (exit * step)) * step };
		const refusal = refusalOfOrder(state, command, closing, ORDERS.HEDGE);
		if (refusal) return refusal;
	}
	return null;
}

/** The rules of a bet but those of risk. @param flags of ORDERS */
function refusalOfOrder(
	{ kernel }: EngineState,
	command: PlaceTrigger,
	order: Partial<Pick<BetRequest, 'side' | 'price' | 'stake'>>,
	flags = 0,
): EngineRefusal | null {
	writeRequest(kernel, { ...betOf(command, command.triggerId), ...order }, flags);
	const refused = kernel.call.judgeHedge();
	return refused === REFUSALS.ACCEPTED ? null : refusalOf(refused);
}
