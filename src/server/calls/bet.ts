import type { RequestOf, ResultOf } from '#contract/call.ts';
import type { Calls } from '#contract/registry.ts';
import { betHistory } from '#server/calls/bet-history.ts';
import { cashOut, cashOutQuote, setCashOutTarget } from '#server/calls/cash-out.ts';
import {
	activeListingOf,
	type Caller,
	type HandlersOf,
	listingOf,
	type Parts,
	playerOf,
} from '#server/calls/handler.ts';
import { requestKey } from '#server/calls/request-key.ts';
import type { BetRecord, Receipt } from '#server/exchange/exchange.ts';
import { averageDecimal, betStatus, isoTime, openBetView, outcomeId } from '#server/exchange/wire-views.ts';
import type { MarketListing } from '#server/fixtures/fixtures.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { BetId, MarketId, PlayerId } from '#values/ids.ts';
import { type AnyPaise, majorFromPaise } from '#values/money.ts';
import { type AnyPrice, decimalFromPrice, ladderOf, MAX_PRICE, priceFromDecimal } from '#values/price-ladder.ts';
import { type SideCode, sideCode } from '#values/sides.ts';

/** Hundredths on the market's ladder. @throws Refused with the two nearest prices */
function ladderPrice({ exchange }: Parts, marketId: MarketId | undefined, decimal: number): number {
	// The market of a bet that has ended is unknown here. Every price passes, so that a repetition reaches its first
	// answer.
	const ladder = ladderOf(exchange.market(marketId ?? 0)?.ladder ?? { min: 1, max: MAX_PRICE, interval: 1 });
	const price = priceFromDecimal(decimal);
	if (price !== null && ladder.tickOf(price) >= 0) return price;
	const { below, above } = ladder.nearest(Math.min(decimal, 10_000) * 100);
	const nearest = [below, above].filter((near) => near !== null).map((near) => decimalFromPrice(near));
	throw new Refused('PRICE_NOT_ON_LADDER', { nearest });
}

export const betHandlers = (
	parts: Parts,
): HandlersOf<
	| 'placeBetV2'
	| 'replaceBet'
	| 'cancelBet'
	| 'cancelAll'
	| 'cashOutQuote'
	| 'cashOut'
	| 'setCashOutTarget'
	| 'getUserOpenBets'
	| 'getUserExpectedProfitLoss'
	| 'getUserBetHistory'
> => ({
	placeBetV2: (input, caller) => placeBet(parts, input, caller),
	replaceBet: (input, caller) => replaceBet(parts, input, caller),
	cancelBet: (input, caller) => cancelBet(parts, input, caller),
	cancelAll: (input, caller) => cancelAll(parts, input, caller),
	cashOutQuote: (input, caller) => cashOutQuote(parts, input, caller),
	cashOut: (input, caller) => cashOut(parts, input, caller),
	setCashOutTarget: (input, caller) => setCashOutTarget(parts, input, caller),
	getUserOpenBets: ({ maxResultCount, skipCount }, caller) => {
		const { playerId } = playerOf(caller);
		const wallet = parts.exchange.wallet(playerId);
		const bets = parts.exchange.openBets(playerId);
		const page = bets.slice(skipCount, skipCount + maxResultCount);
		return {
			openBets: page.map((bet) => openBetView(bet, parts.fixtures)),
			totalCount: bets.length,
			balance: majorFromPaise(wallet?.cash ?? 0),
			exposure: majorFromPaise(wallet?.exposure ?? 0),
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
					runners: expected.runners.map((profitLoss, outcome) => ({
						runnerId: outcomeId(listing, outcome),
						profitLoss: majorFromPaise(profitLoss),
					})),
					worst: majorFromPaise(-expected.exposure) + 0,
				},
			];
		});
	},
	getUserBetHistory: (input, caller) => betHistory(parts, playerOf(caller).playerId, input),
});

async function placeBet(parts: Parts, input: RequestOf<Calls['placeBetV2']>, caller: Caller) {
	const { playerId } = playerOf(caller);
	const listing = activeListingOf(parts.fixtures, input.marketId, caller);
	const runner = listing.runners.findIndex(({ id }) => id === input.runnerId);
	if (runner < 0) throw new Refused('UNKNOWN_RUNNER');
	const side = sideCode(input.side);
	const price = ladderPrice(parts, listing.id, input.price);
	const persist = input.persistence === 'PERSIST';
	const admission = parts.betAdmission.take(playerId, caller.visitor, staked(listing, side, price, input.stake));
	const receipt = await parts.exchange.submit(
		{
			kind: 'place-bet',
			walletId: playerId,
			marketId: listing.id,
			runner,
			side,
			price,
			stake: input.stake,
			persist,
			...(input.timeInForce === 'FILL_OR_KILL' ? { fillOrKill: true } : {}),
			...(input.minFill === undefined ? {} : { minFill: input.minFill }),
			...(input.marketVersion === undefined ? {} : { marketVersion: input.marketVersion }),
		},
		requestKey('PlaceBetV2', playerId, input),
		{ untilMs: caller.untilMs, admit: admission },
	);
	return placedBet(input.stake, receipt);
}

/** The answer to a bet just placed. Stake that is neither matched nor resting has lapsed. */
function placedBet(stake: AnyPaise, receipt: Receipt): ResultOf<Calls['placeBetV2']> {
	const { matched, matchedValue, remaining, dueAtMs } = receipt;
	const lapsed = stake - matched - remaining;
	const status = betStatus({ matched, remaining, lapsed, voided: 0, result: null });
	return {
		betId: String(receipt.betId),
		status: dueAtMs === null ? status : 'PENDING',
		stake: majorFromPaise(stake),
		matchedStake: majorFromPaise(matched),
		averagePrice: averageDecimal(matched, matchedValue),
		remainingStake: majorFromPaise(remaining),
		placedAt: isoTime(receipt.atMs),
		...(dueAtMs === null ? {} : { delayUntil: isoTime(dueAtMs) }),
		balance: majorFromPaise(receipt.balance),
		exposure: majorFromPaise(receipt.exposure),
	};
}

/** A bet's stake, and what it can lose at most. */
function staked({ lineRange }: MarketListing, side: SideCode, price: AnyPrice, stake: AnyPaise) {
	const isLay = side === 1 && !lineRange;
	return { stake, risk: isLay ? Math.ceil((stake * (price - 100)) / 100) : stake };
}

/** Of what waits of a bet, at its new price; what the old price asked is held already. */
function replacedStake({ fixtures }: Parts, bet: BetRecord | null, price: AnyPrice) {
	const listing = bet && fixtures.market(bet.marketId);
	if (!bet || !listing) return { stake: 0, risk: 0 };
	const before = staked(listing, bet.side, bet.price, bet.remaining);
	const after = staked(listing, bet.side, price, bet.remaining);
	return { stake: after.stake, risk: Math.max(0, after.risk - before.risk) };
}

async function replaceBet(parts: Parts, input: RequestOf<Calls['replaceBet']>, caller: Caller) {
	const { playerId } = playerOf(caller);
	const { betId, bet } = await ownBet(parts, input.betId, playerId);
	const price = ladderPrice(parts, bet?.marketId, input.price);
	// A new price makes a new bet. In a closed sport, bets can only be cancelled.
	if (bet) activeListingOf(parts.fixtures, String(bet.marketId), caller);
	const admission = parts.betAdmission.take(playerId, caller.visitor, replacedStake(parts, bet, price));
	const receipt = await parts.exchange.submit(
		{ kind: 'replace-bet', betId, walletId: playerId, price },
		requestKey('ReplaceBet', playerId, input),
		{ untilMs: caller.untilMs, admit: admission },
	);
	return placedBet(receipt.stake, receipt);
}

async function cancelAll(parts: Parts, input: RequestOf<Calls['cancelAll']>, caller: Caller) {
	const { playerId } = playerOf(caller);
	const only = input.marketId === undefined ? {} : { marketId: listingOf(parts.fixtures, input.marketId).id };
	const receipt = await parts.exchange.submit(
		{ kind: 'cancel-all', walletId: playerId, ...only },
		requestKey('CancelAll', playerId, input),
		{ untilMs: caller.untilMs },
	);
	return {
		cancelledStake: majorFromPaise(receipt.cancelled),
		balance: majorFromPaise(receipt.balance),
		exposure: majorFromPaise(receipt.exposure),
	};
}

/**
 * The player's bet; `bet` is null when it has ended, because the exchange holds live bets only. Another player's bet
 * and an unknown id take the same path, so neither the answer nor its time tells them apart.
 * @throws Refused UNKNOWN_ORDER
 */
async function ownBet(
	{ exchange, db }: Parts,
	wireId: string,
	playerId: PlayerId,
): Promise<{ betId: BetId; bet: BetRecord | null }> {
	const betId = Number(wireId);
	if (!Number.isSafeInteger(betId)) throw new Refused('UNKNOWN_ORDER');
	const bet = exchange.bet(betId);
	if (bet?.walletId === playerId) return { betId, bet };
	const { rowCount } = await db.query('select 1 from bet where bet_id = $1 and wallet_id = $2', [betId, playerId]);
	if (rowCount !== 1) throw new Refused('UNKNOWN_ORDER');
	return { betId, bet: null };
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
		{ untilMs: caller.untilMs },
	);
	const { matched, remaining, cancelled } = receipt;
	return {
		betId: input.betId,
		status: betStatus({ matched, remaining, lapsed: 0, voided: 0, result: null }),
		cancelledStake: majorFromPaise(cancelled),
		remainingStake: majorFromPaise(remaining),
		matchedStake: majorFromPaise(matched),
		balance: majorFromPaise(receipt.balance),
		exposure: majorFromPaise(receipt.exposure),
	};
}
