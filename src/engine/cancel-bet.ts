/**
 * Cancels unmatched stake: of one bet or a part of it, of all bets of a player, or to ask for another price. A smaller
 * size keeps the place in the queue. A suspended market allows all of it, except another price. The kernel decides on
 * single bets: see src/kernel/cancel-bet.ts.
 */
import type { BetTerms } from '#engine/bet-detail.ts';
import type { CancelAll, CancelBet, LapseAll, ReplaceBet } from '#engine/command.ts';
import type { Effects } from '#engine/effect.ts';
import { emitHolds, reportOf } from '#engine/emit-report.ts';
import type { EngineState } from '#engine/engine-state.ts';
import { CANCEL_BET, REFUSALS } from '#engine/kernel-layout.ts';
import { volumeLeft } from '#engine/limit-volume.ts';
import type { Market } from '#engine/market.ts';
import type { Outcome } from '#engine/outcome.ts';
import { emitAccepted } from '#engine/place-bet.ts';
import { readRequest, refusalOf, refuse, writeCancel, writeNewPrice } from '#engine/requests.ts';
import { NONE } from '#engine/rows.ts';
import { CANCELLED, endTriggersOf } from '#engine/triggers/end-triggers.ts';
import { exposureMinor, matchedOf } from '#values/exposure.ts';
import type { BetId, MarketId } from '#values/ids.ts';
import type { AnyMinor } from '#values/money.ts';

// Copied here: every cancel passes, and an imported constant is fetched and checked at each use.
const { ACCEPTED } = REFUSALS;
const { BY_OPERATOR, WHOLE } = CANCEL_BET;

export function cancelBet(state: EngineState, command: CancelBet, effects: Effects): Outcome {
	const { kernel } = state;
	const { betId, walletId, size } = command;
	const how = (walletId === undefined ? BY_OPERATOR : 0) | (size === undefined ? WHOLE : 0);
	writeCancel(kernel, betId, walletId ?? 0, size ?? 0);
	const refusal = kernel.call.cancelBet(how);
	if (refusal !== ACCEPTED) return refuse(refusalOf(refusal));
	const cancelled = reportOf.cancelled(kernel);
	const cancel = reportOf.cancel(kernel);
	effects.betCancelled(betId, cancelled);
	if (cancel !== 0) state.forgetCancelled(state.markets.at(reportOf.market(kernel)), betId, cancel);
	emitHolds(state, reportOf.marketId(kernel), effects);
	return {
		ok: true,
		betId,
		matched: reportOf.matched(kernel),
		matchedValue: reportOf.matchedValue(kernel),
		remaining: reportOf.remaining(kernel),
		cancelled,
	};
}

/** Cancels every unmatched bet of a player, in one market or in all; `cancelled` is the sum of their stakes. */
export function cancelAll(state: EngineState, command: CancelAll, effects: Effects): Outcome {
	const wallet = state.accounts.wallets.find(command.walletId);
	if (wallet === NONE) return refuse('UNKNOWN_USER');
	const only = command.marketId === undefined ? null : state.markets.get(command.marketId);
	if (only === undefined) return refuse('UNKNOWN_MARKET');
	if (only && !mayCancel(state, only, wallet)) return refuse('MARKET_SETTLING');
	endTriggersOf(state, command, CANCELLED, effects);
	const emit = (bet: BetId, stake: AnyMinor) => effects.betCancelled(bet, stake);
	return { ok: true, cancelled: cancelUnmatched(state, { wallet, only, betIds: command.bets }, effects, emit) };
}

/** Lapses every unmatched bet of a player; `cancelled` is the sum of their stakes. */
export function lapseAll(state: EngineState, { walletId, bets: betIds }: LapseAll, effects: Effects): Outcome {
	const wallet = state.accounts.wallets.find(walletId);
	if (wallet === NONE) return refuse('UNKNOWN_USER');
	endTriggersOf(state, { walletId }, { status: 'LAPSED', reason: 'SITE_SUSPENDED', betId: null }, effects);
	const emit = (bet: number, stake: AnyMinor) => effects.betLapsed(bet, stake, 'SITE_SUSPENDED');
	return { ok: true, cancelled: cancelUnmatched(state, { wallet, only: null, betIds }, effects, emit) };
}

/** The unmatched bets of a player, oldest first. @param marketId in one market; in all when left out */
export function unmatchedBets(state: EngineState, wallet: number, marketId?: MarketId): BetId[] {
	const { bets, positions } = state;
	const found: BetId[] = [];
	for (const market of state.marketList) {
		if (marketId !== undefined && market.marketId !== marketId) continue;
		const position = positions.find(market, wallet);
		if (position === NONE || !mayCancel(state, market, wallet)) continue;
		for (let bet = positions.lastBet(position); bet !== NONE; bet = bets.before(bet))
			if (bets.remaining(bet) > 0) found.push(bets.id(bet));
	}
	return found.sort((one, other) => one - other);
}

/** What is held for what a player ordered and is not matched, minor units. */
export function heldForUnmatched(state: EngineState, wallet: number): AnyMinor {
	const { accounts, bets, positions, triggers } = state;
	const touched = new Set(unmatchedBets(state, wallet).map((betId) => bets.position(bets.find(betId))));
	for (const { place } of triggers.ofWallet(accounts.wallets.id(wallet))) touched.add(place.position);
	let sum = 0;
	for (const position of touched)
		sum += Math.max(0, positions.held(position) - exposureMinor(matchedOf(positions.figures(position))));
	return sum;
}

/**
 * What is unmatched in a market that is being settled lapses by its settlement. The unmatched part of a quote is in memory
 * alone, and may be withdrawn at any time.
 */
const mayCancel = ({ accounts }: EngineState, { status }: Market, wallet: number): boolean =>
	status !== 'SETTLING' || accounts.wallets.isQuoting(wallet);

type EmitCancelled = (betId: BetId, stake: AnyMinor) => void;

/** What is cancelled of a wallet, given by its row: in one market or in all, everything unmatched or these bets alone. */
interface Unmatched {
	wallet: number;
	only: Market | null;
	betIds: readonly BetId[] | undefined;
}

/** @returns the sum of their stakes */
const cancelUnmatched = (state: EngineState, which: Unmatched, effects: Effects, emit: EmitCancelled): number =>
	which.betIds
		? cancelThese(state, { ...which, betIds: which.betIds }, effects, emit)
		: cancelAllRemaining(state, which.wallet, which.only ? [which.only] : state.marketList, effects, emit);

/** The order of the bets is that of the command, so that every engine frees and holds money in the same order. */
function cancelThese(
	state: EngineState,
	{ wallet, only, betIds }: Unmatched & { betIds: readonly BetId[] },
	effects: Effects,
	emit: EmitCancelled,
): number {
	const { bets, positions } = state;
	const touched = new Set<number>();
	let sum = 0;
	for (const betId of betIds) {
		const bet = bets.find(betId);
		if (bet === NONE) continue;
		const position = bets.position(bet);
		const remaining = bets.remaining(bet);
		const market = positions.marketOf(position);
		const isMeant = positions.walletOf(position) === wallet && (only === null || market === only);
		if (remaining === 0 || !isMeant || !mayCancel(state, market, wallet)) continue;
		emit(betId, remaining);
		state.cancelRemaining(market, bet, remaining);
		touched.add(position);
		sum += remaining;
	}
	for (const position of touched) state.hold(positions.marketOf(position), position, effects);
	return sum;
}

/** Cancels a player's unmatched stake in these markets and emits an effect for each bet; returns the sum. */
function cancelAllRemaining(
	state: EngineState,
	wallet: number,
	markets: Iterable<Market>,
	effects: Effects,
	emit: EmitCancelled,
): number {
	const { bets, positions } = state;
	let sum = 0;
	for (const market of markets) {
		const position = positions.find(market, wallet);
		if (position === NONE || !mayCancel(state, market, wallet)) continue;
		const before = sum;
		for (let bet = positions.lastBet(position); bet !== NONE; ) {
			const older = bets.before(bet);
			const remaining = bets.remaining(bet);
			if (remaining > 0) {
				emit(bets.id(bet), remaining);
				state.cancelRemaining(market, bet, remaining);
				sum += remaining;
			}
			bet = older;
		}
		// A wallet that is settled in part has nothing unmatched, and holds until the end for what is decided, too.
		if (sum > before || market.status !== 'SETTLING') state.hold(market, position, effects);
	}
	return sum;
}

/**
 * Moves the unmatched part to another price as a new bet, which loses its place in the queue. When the new bet is
 * refused, the old one stays as it is.
 */
export function replaceBet(state: EngineState, command: ReplaceBet & { atMs: number }, effects: Effects): Outcome {
	const { kernel } = state;
	const { betId, walletId, price, atMs } = command;
	const group = state.groups.member(betId)?.group;
	if (group && group.closedAtMs !== null) return refuse('ORDER_GROUP_CLOSED');
	// The kernel takes the rest of the request from the old bet.
	writeNewPrice(kernel, command, { expiresAtMs: state.expiries.of(betId), untilMatched: volumeLeft(state, betId) });
	const refusal = kernel.call.replaceBet(betId, walletId);
	if (refusal !== ACCEPTED) return refuse(refusalOf(refusal));
	effects.betCancelled(betId, reportOf.cancelled(kernel));
	state.forgetCancelled(state.markets.at(reportOf.market(kernel)), betId, reportOf.cancel(kernel));
	const bet = readRequest(kernel);
	return emitAccepted(
		state,
		{ ...bet, atMs, terms: group ? inGroup(bet.terms, group.name) : (bet.terms ?? null) },
		price,
		effects,
	);
}

/** The kernel knows nothing of groups. */
const inGroup = (terms: BetTerms | null | undefined, group: string): BetTerms => ({
	...(terms ?? { postOnly: null, expiresAtMs: null, selfMatch: null }),
	group,
});
