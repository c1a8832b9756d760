import type { RequestOf, ResultOf } from '#contract/call.ts';
import type { Calls } from '#contract/registry.ts';
import { betHistory } from '#server/calls/bet-history.ts';
import { cashOut, cashOutQuote, getCashOutTarget, setCashOutTarget } from '#server/calls/cash-out.ts';
import {
	activeListingOf,
	type Caller,
	type HandlersOf,
	listingOf,
	type Parts,
	playerOf,
} from '#server/calls/handler.ts';
import { betTerms, ownBet, submitBet, submitOnClose, submitReplacement } from '#server/calls/order-bet.ts';
import { orderedOnce, requestKey } from '#server/calls/request-key.ts';
import type { Receipt } from '#server/exchange/exchange.ts';
import type { MarketListing } from '#server/exchange/views/market-listing.ts';
import {
	averageDecimal,
	betStatus,
	commitView,
	isoTime,
	matchedView,
	netsView,
	openBetView,
} from '#server/exchange/views/wire-views.ts';
import { type AnyMinor, majorFromMinor } from '#values/money.ts';
import { decimalFromPrice } from '#values/price-ladder.ts';
import { BACK, type SideCode, sideCode } from '#values/sides.ts';
import { EVENS } from '#values/starting-price.ts';

export const betHandlers = (
	parts: Parts,
): HandlersOf<
	| 'placeBetV2'
	| 'placeOnClose'
	| 'replaceBet'
	| 'cancelBet'
	| 'cancelAll'
	| 'getSelfMatch'
	| 'setSelfMatch'
	| 'cashOutQuote'
	| 'cashOut'
	| 'getCashOutTarget'
	| 'setCashOutTarget'
	| 'getUserOpenBets'
	| 'getUserExpectedProfitLoss'
	| 'getUserBetHistory'
> => ({
	placeBetV2: (input, caller) => placeBet(parts, input, caller),
	placeOnClose: (input, caller) => placeOnClose(parts, input, caller),
	replaceBet: (input, caller) => replaceBet(parts, input, caller),
	cancelBet: (input, caller) => cancelBet(parts, input, caller),
	cancelAll: (input, caller) => cancelAll(parts, input, caller),
	getSelfMatch: (_, caller) => ({ selfMatch: parts.exchange.wallet(playerOf(caller).playerId)?.selfMatch ?? 'REFUSE' }),
	setSelfMatch: async ({ selfMatch }, caller) => {
		const { playerId: walletId } = playerOf(caller);
		await parts.exchange.submit({ kind: 'set-self-match', walletId, choice: selfMatch }, undefined, {
			untilMs: caller.untilMs,
		});
		return { selfMatch };
	},
	cashOutQuote: (input, caller) => cashOutQuote(parts, input, caller),
	cashOut: (input, caller) => cashOut(parts, input, caller),
	getCashOutTarget: (input, caller) => getCashOutTarget(parts, input, caller),
	setCashOutTarget: (input, caller) => setCashOutTarget(parts, input, caller),
	getUserOpenBets: ({ maxResultCount, skipCount }, caller) => {
		const { playerId } = playerOf(caller);
		const wallet = parts.exchange.wallet(playerId);
		const bets = parts.exchange.openBets(playerId);
		const page = bets.slice(skipCount, skipCount + maxResultCount);
		return {
			openBets: page.map((bet) => openBetView(bet, parts)),
			totalCount: bets.length,
			balance: majorFromMinor(wallet?.cash ?? 0),
			exposure: majorFromMinor(wallet?.exposure ?? 0),
		};
	},
	getUserExpectedProfitLoss: ({ eventId }, caller) => {
		const { playerId } = playerOf(caller);
		const marketIds = new Set(parts.exchange.openBets(playerId).map(({ marketId }) => marketId));
		return [...marketIds].flatMap((marketId) => {
			const listing = parts.fixtures.market(marketId);
			const expected = parts.exchange.profitLoss(playerId, marketId);
			if (!listing || !expected || (eventId !== undefined && String(listing.fixtureId) !== eventId)) return [];
			return [
				{
					eventId: String(listing.fixtureId),
					marketId: String(marketId),
					runners: netsView(listing, expected),
					worst: majorFromMinor(-expected.exposure) + 0,
				},
			];
		});
	},
	getUserBetHistory: (input, caller) => betHistory(parts, playerOf(caller).playerId, input),
});

async function placeBet(parts: Parts, input: RequestOf<Calls['placeBetV2']>, caller: Caller) {
	const { playerId } = playerOf(caller);
	// The book that the player saw is not part of the order: a repetition may have seen a newer one.
	const { bookVersion, ...order } = input;
	const key = requestKey('PlaceBetV2', playerId, order);
	const side = sideCode(input.side);
	const receipt = await orderedOnce(parts.exchange, key, caller.untilMs, (onOrdered) => {
		const listing = activeListingOf(parts.fixtures, input.marketId, caller);
		const asked = {
			listing,
			runner: listing.runners.findIndex(({ id }) => id === input.runnerId),
			side,
			decimal: input.price,
			stake: input.stake,
			persist: input.persistence === 'PERSIST',
			takesStart: input.persistence === 'MARKET_ON_CLOSE',
			fillOrKill: input.timeInForce === 'FILL_OR_KILL',
			minFill: input.minFill,
			terms: betTerms(input, input.goodUntilMatched, () => parts.exchange.now()),
			marketVersion: input.marketVersion,
			bookVersion,
		};
		return submitBet(parts, asked, caller, { key, onOrdered });
	});
	const listing = parts.fixtures.market(Number(input.marketId)) ?? null;
	return placedBet({ side, stake: input.stake, listing, price: input.price }, receipt);
}

async function placeOnClose(parts: Parts, input: RequestOf<Calls['placeOnClose']>, caller: Caller) {
	const { playerId } = playerOf(caller);
	const { size, limit = null, marketVersion } = input;
	const side = sideCode(input.side);
	const key = requestKey('PlaceOnClose', playerId, input);
	const receipt = await orderedOnce(parts.exchange, key, caller.untilMs, async (onOrdered) => {
		const listing = activeListingOf(parts.fixtures, input.marketId, caller);
		const runner = listing.runners.findIndex(({ id }) => id === input.runnerId);
		const asked = { listing, runner, side, size, limit, marketVersion };
		return await submitOnClose(parts, asked, caller, { key, onOrdered });
	});
	const listing = parts.fixtures.market(Number(input.marketId)) ?? null;
	return placedBet({ side, stake: size, listing, price: limit ?? decimalFromPrice(EVENS) }, receipt);
}

/** The answer to a bet just placed. Stake that is neither matched nor resting has lapsed. */
function placedBet(
	{ side, stake, listing, price }: { side: SideCode; stake: AnyMinor; listing: MarketListing | null; price: number },
	receipt: Receipt,
): ResultOf<Calls['placeBetV2']> {
	const { matched, matchedValue, remaining, dueAtMs } = receipt;
	const lapsed = stake - matched - remaining;
	const status = betStatus({ matched, remaining, lapsed, voided: 0, result: null });
	return {
		betId: String(receipt.betId),
		status: dueAtMs === null ? status : 'PENDING',
		price: receipt.price === undefined ? price : decimalFromPrice(receipt.price),
		stake: majorFromMinor(stake),
		matchedStake: majorFromMinor(matched),
		averagePrice: averageDecimal(matched, matchedValue),
		matched: matchedView({ side, matched, matchedValue }, listing),
		remainingStake: majorFromMinor(remaining),
		placedAt: isoTime(receipt.atMs),
		...(dueAtMs === null ? {} : { delayUntil: isoTime(dueAtMs) }),
		balance: majorFromMinor(receipt.balance),
		exposure: majorFromMinor(receipt.exposure),
		...commitView(receipt),
	};
}

async function replaceBet(parts: Parts, input: RequestOf<Calls['replaceBet']>, caller: Caller) {
	const { playerId } = playerOf(caller);
	const { betId, bet } = await ownBet(parts, input.betId, playerId);
	const key = requestKey('ReplaceBet', playerId, input);
	const receipt = await orderedOnce(parts.exchange, key, caller.untilMs, (onOrdered) =>
		submitReplacement(parts, { betId, bet, decimal: input.price }, caller, { key, onOrdered }),
	);
	const listing = bet && parts.fixtures.market(bet.marketId);
	return placedBet({ side: bet?.side ?? BACK, stake: receipt.stake, listing, price: input.price }, receipt);
}

async function cancelAll(parts: Parts, input: RequestOf<Calls['cancelAll']>, caller: Caller) {
	const { playerId } = playerOf(caller);
	const only = input.marketId === undefined ? {} : { marketId: listingOf(parts.fixtures, input.marketId).id };
	const receipt = await parts.exchange.submit(
		{ kind: 'cancel-all', walletId: playerId, ...only },
		requestKey('CancelAll', playerId, input),
		{ untilMs: caller.untilMs, requestId: caller.requestId, trace: caller.trace },
	);
	return {
		cancelledStake: majorFromMinor(receipt.cancelled),
		balance: majorFromMinor(receipt.balance),
		exposure: majorFromMinor(receipt.exposure),
		...commitView(receipt),
	};
}

async function cancelBet(parts: Parts, input: RequestOf<Calls['cancelBet']>, caller: Caller) {
	const { playerId } = playerOf(caller);
	const { betId } = await ownBet(parts, input.betId, playerId);
	const receipt = await parts.exchange.submit(
		{
			kind: 'cancel-bet',
			walletId: playerId,
			betId,
			...(input.sizeReduction === undefined ? {} : { size: input.sizeReduction }),
		},
		requestKey('CancelBet', playerId, input),
		{ untilMs: caller.untilMs, requestId: caller.requestId, trace: caller.trace },
	);
	const { matched, remaining, cancelled } = receipt;
	return {
		betId: input.betId,
		status: betStatus({ matched, remaining, lapsed: 0, voided: 0, result: null }),
		cancelledStake: majorFromMinor(cancelled),
		remainingStake: majorFromMinor(remaining),
		matchedStake: majorFromMinor(matched),
		balance: majorFromMinor(receipt.balance),
		exposure: majorFromMinor(receipt.exposure),
		...commitView(receipt),
	};
}
