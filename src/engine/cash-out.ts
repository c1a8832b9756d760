/**
 * Cashes a player out, planned on the position and the books of that moment, and keeps the targets at which it happens
 * automatically. Everything is checked first; a refusal changes nothing.
 */
import type { CashOut, ReachCashOutTarget, SetCashOutTarget } from '#engine/command.ts';
import type { Effects } from '#engine/effect.ts';
import { DONE, type EngineState } from '#engine/engine-state.ts';
import { hedgesRefusal, isDelayed, placeHedges } from '#engine/hedges.ts';
import type { Market } from '#engine/market.ts';
import type { EngineRefusal, Outcome } from '#engine/outcome.ts';
import { refuse } from '#engine/requests.ts';
import { NONE } from '#engine/rows.ts';
import { CANCELLED, endTriggersOf } from '#engine/triggers/end-triggers.ts';
import { limitIn } from '#values/currencies.ts';
import { addUnmatched, copyOf, exposureMinor } from '#values/exposure.ts';
import type { Figures } from '#values/figures.ts';
import { BOOK_DEPTH, type RunnerDepth } from '#values/hedge.ts';
import type { BetId, MarketId, WalletId } from '#values/ids.ts';
import { type CashOutSituation, type MarketCashOut, type OwnBet, planMarket } from '#values/market-cash-out.ts';
import type { AnyMinor } from '#values/money.ts';
import { currencyOf } from '#values/pools.ts';
import { BACK, LAY } from '#values/sides.ts';

/** A player's part in a market. */
interface Part {
	market: Market;
	/** NONE without a bet in it. */
	position: number;
}

export function cashOut(state: EngineState, command: CashOut & { atMs: number }, effects: Effects): Outcome {
	const { share, agreed } = command;
	const part = openPartOf(state, command);
	if (typeof part === 'string') return refuse(part);
	if (!(share > 0 && share <= 1)) return refuse('INVALID_SIZE');
	if (part.position === NONE) return refuse('NOTHING_TO_CASH_OUT');
	const situation = situationOf(state, part);
	const whole = planMarket(situation, 1);
	if (typeof whole === 'string') return refuse(whole);
	const plan = share === 1 ? whole : planMarket(situation, share);
	if (typeof plan === 'string') return refuse(plan);
	const worse = whole.certain < agreed.certain || (whole.lines ?? 0) < agreed.lines;
	if (worse || Math.max(whole.cancelled, plan.cancelled) > agreed.cancelled) {
		return refuse('QUOTE_MOVED', { certain: whole.certain });
	}
	return carryOut(state, part, plan, { ...command, target: null }, effects);
}

export function reachCashOutTarget(
	state: EngineState,
	command: ReachCashOutTarget & { atMs: number },
	effects: Effects,
): Outcome {
	const part = openPartOf(state, command);
	if (typeof part === 'string') return refuse(part);
	const { market, position } = part;
	const target = market.targets.get(command.walletId);
	if (target === undefined) return refuse('NOTHING_TO_CASH_OUT');
	const plan = position === NONE ? 'NOTHING_TO_CASH_OUT' : planMarket(situationOf(state, part), 1);
	if (plan === 'NOTHING_TO_CASH_OUT') {
		state.setTarget(market, command.walletId, null, effects);
		return DONE;
	}
	if (typeof plan === 'string') return refuse(plan);
	if (plan.certain < target) return refuse('CASH_OUT_TOO_DEAR');
	return carryOut(state, part, plan, { ...command, target }, effects);
}

export function setCashOutTarget(state: EngineState, command: SetCashOutTarget, effects: Effects): Outcome {
	const { walletId, target } = command;
	const part = partOf(state, command);
	if (typeof part === 'string') return refuse(part);
	const { market, position } = part;
	if (market.ended) return refuse('MARKET_CLOSED');
	if (target !== null) {
		if (!Number.isSafeInteger(target)) return refuse('INVALID_SIZE');
		const isLevel = position === NONE || planMarket(situationOf(state, part), 1) === 'NOTHING_TO_CASH_OUT';
		if (isLevel) return refuse('NOTHING_TO_CASH_OUT');
	}
	if (position !== NONE) forgetTargetInFlight(state, part, effects);
	state.setTarget(market, walletId, target, effects);
	return DONE;
}

/** The player's latest choice counts: hedges in progress do not restore an earlier target. */
function forgetTargetInFlight(state: EngineState, { market, position }: Part, effects: Effects): void {
	for (let bet = state.positions.lastBet(position); bet !== NONE; bet = state.bets.before(bet)) {
		const betId = state.bets.id(bet);
		const waits = market.pending.get(betId);
		if (waits?.cashOut?.target == null) continue;
		market.pending.set(betId, { ...waits, cashOut: { ...waits.cashOut, target: null } });
		effects.betDelayed(betId, waits.dueAtMs, waits.version, waits.minFill);
	}
}

function carryOut(
	state: EngineState,
	{ market, position }: Part,
	plan: MarketCashOut,
	{ betId, walletId, atMs, target }: { betId: BetId; walletId: WalletId; atMs: number; target: AnyMinor | null },
	effects: Effects,
): Outcome {
	const hedging = { market, position, hedges: plan.hedges, first: betId, atMs, target };
	const refused = hedgesRefusal(state, hedging);
	if (refused !== null) return refuse(refused);
	if (target !== null) state.setTarget(market, walletId, null, effects);
	// They were made for the position that it changes.
	endTriggersOf(state, { walletId, marketId: market.marketId }, CANCELLED, effects);
	for (const { betId: own, remaining } of plan.cancels) {
		effects.betCancelled(own, remaining);
		state.cancelRemaining(market, state.bets.find(own), remaining);
	}
	return { ok: true, hedges: placeHedges(state, hedging, effects), cancelled: plan.cancelled };
}

function partOf(state: EngineState, { walletId, marketId }: { walletId: WalletId; marketId: MarketId }) {
	const market = state.markets.get(marketId);
	if (market === undefined) return 'UNKNOWN_MARKET' satisfies EngineRefusal;
	const { wallets } = state.accounts;
	const wallet = wallets.find(walletId);
	if (wallet === NONE) return 'UNKNOWN_USER' satisfies EngineRefusal;
	return { market, position: market.paid ? NONE : state.positions.find(market, wallet) };
}

/** The same for a market that takes bets. */
function openPartOf(state: EngineState, of: { walletId: WalletId; marketId: MarketId }): Part | EngineRefusal {
	const part = partOf(state, of);
	if (typeof part === 'string' || part.market.status === 'OPEN') return part;
	return part.market.ended ? 'MARKET_CLOSED' : 'MARKET_SUSPENDED';
}

/** The row of a position that exists. */
function situationOf(state: EngineState, { market, position }: Part): CashOutSituation {
	const { positions, books } = state;
	const { wallets } = state.accounts;
	const wallet = positions.walletOf(position);
	const own = wallets.limits(wallet);
	const { firstBook } = state.sideOf(market, position);
	const depths = Array.from(
		{ length: market.terms.runners },
		(_, runner): RunnerDepth => ({
			back: books.levels(firstBook + runner, LAY, BOOK_DEPTH),
			lay: books.levels(firstBook + runner, BACK, BOOK_DEPTH),
		}),
	);
	const figures = figuresWithoutTriggers(state, position);
	const heldNow = positions.held(position);
	const held = Math.min(heldNow, exposureMinor(figures));
	const inPool = (limit: AnyMinor) => limitIn(currencyOf(wallets.pool(wallet)), limit);
	const { maxStake, maxProfit, maxExposure } = market.terms;
	const ofMarket = { maxStake: inPool(maxStake), maxProfit: inPool(maxProfit) };
	const mostInMarket = inPool(maxExposure) || Number.POSITIVE_INFINITY;
	const mostInAll = own?.maxExposure || Number.POSITIVE_INFINITY;
	const mostHeld = Math.min(mostInMarket, mostInAll - (wallets.exposure(wallet) - heldNow));
	return {
		figures,
		bets: betsOf(state, { market, position }),
		depths,
		limits: own === null ? [ofMarket] : [ofMarket, own],
		suspended: market.suspended,
		delay: isDelayed(market) ? { held, cash: wallets.cash(wallet) + heldNow - held, mostHeld } : null,
	};
}

/** The position as it is without the player's triggers, which a cash-out cancels. */
function figuresWithoutTriggers({ positions, triggers, accounts }: EngineState, position: number): Figures {
	const figures = copyOf(positions.figures(position));
	const walletId = accounts.wallets.id(positions.walletOf(position));
	if (triggers.countOfWallet(walletId) === 0) return figures;
	for (const { place, terms, counted } of triggers.ofWallet(walletId)) {
		if (place.position !== position) continue;
		for (const { side, price, stake } of counted) addUnmatched(figures, terms.runner, side, price, -stake);
	}
	return figures;
}

/** Oldest first. */
function betsOf({ bets, positions }: EngineState, { market, position }: Part): OwnBet[] {
	const own: OwnBet[] = [];
	for (let bet = positions.lastBet(position); bet !== NONE; bet = bets.before(bet)) {
		const betId = bets.id(bet);
		const waits = market.pending.get(betId);
		own.push({
			betId,
			runner: bets.runner(bet),
			side: bets.side(bet),
			price: bets.price(bet),
			matched: bets.matched(bet),
			matchedValue: bets.matchedValue(bet),
			remaining: bets.remaining(bet),
			// One on close is outside the book, too, and was made for the position that a cash-out changes.
			delayed: waits?.cashOut ? 'HEDGE' : waits || bets.isOnClose(bet) ? 'BET' : null,
		});
	}
	return own.reverse();
}
