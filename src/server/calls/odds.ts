import { type Caller, type HandlersOf, listingOf, type Parts, playerOf, poolOf } from '#server/calls/handler.ts';
import { shownBookView } from '#server/exchange/wire-views.ts';
import { majorFromPaise } from '#values/money.ts';

export const oddsHandlers = ({
	fixtures,
	exchange,
}: Parts): HandlersOf<'getUserOddsV2' | 'getUserOdds' | 'getUserLimits'> => {
	const bookOf = (marketId: string, caller: Caller, depth: number) => {
		const listing = listingOf(fixtures, marketId);
		return shownBookView(exchange.book(listing.id, poolOf(caller)), listing, exchange.market(listing.id), depth);
	};
	return {
		getUserOddsV2: ({ marketIds, depth }, caller) => marketIds.map((marketId) => bookOf(marketId, caller, depth)),
		getUserOdds: ({ marketId, depth }, caller) => bookOf(marketId, caller, depth),
		getUserLimits: ({ marketId }, caller) => {
			const listing = listingOf(fixtures, marketId);
			const { playerId } = playerOf(caller);
			const cash = exchange.wallet(playerId)?.cash ?? 0;
			const held = exchange.profitLoss(playerId, listing.id)?.exposure ?? 0;
			return {
				minStake: majorFromPaise(listing.minStake),
				maxStake: majorFromPaise(listing.maxStake),
				maxProfit: majorFromPaise(listing.maxProfit),
				maxExposure: majorFromPaise(cash + held),
				availableToBet: majorFromPaise(cash),
				betDelaySeconds: listing.betDelaySeconds,
			};
		},
	};
};
