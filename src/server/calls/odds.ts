import {
	activeListingOf,
	type Caller,
	type HandlersOf,
	type Parts,
	playerOf,
	poolOf,
	type Shown,
} from '#server/calls/handler.ts';
import type { BetRecord } from '#server/exchange/exchange.ts';
import { freeCash } from '#server/exchange/free-cash.ts';
import type { MarketListing } from '#server/exchange/views/market-listing.ts';
import { pointOf } from '#server/exchange/views/price-history.ts';
import type { StartingPriceView } from '#server/exchange/views/starting-prices.ts';
import { isoTime, limitsOf, shownBookView } from '#server/exchange/views/wire-views.ts';
import { limitIn } from '#values/currencies.ts';
import { Refused } from '#values/error-catalogue.ts';
import { majorFromMinor } from '#values/money.ts';
import { currencyOf } from '#values/pools.ts';
import { decimalFromPrice } from '#values/price-ladder.ts';

/** In a book, and neither in its delay nor on close. */
const isResting = ({ remaining, delay, onClose }: BetRecord): boolean => remaining > 0 && !delay && !onClose;

/** The places of one runner, or of all of a market's. @throws Refused UNKNOWN_RUNNER */
function runnersOf(listing: MarketListing, runnerId: string | undefined): number[] {
	const asked = listing.runners.flatMap(({ id }, runner) =>
		runnerId === undefined || id === runnerId ? [runner] : [],
	);
	if (asked.length === 0) throw new Refused('UNKNOWN_RUNNER');
	return asked;
}

/** Until the turn in-play, where the market has starting prices. */
const startOf = (found: StartingPriceView | null) =>
	found && found.actual === null ? { start: { near: found.near, far: found.far } } : {};

/** The lower of a market's limit and the player's own; 0 and undefined mean no limit. */
const tighter = (ofMarket: number, own: number | undefined): number =>
	own && (ofMarket === 0 || own < ofMarket) ? own : ofMarket;

export const priceHandlers = ({ fixtures, exchange }: Shown): HandlersOf<'getUserOddsV2' | 'getUserOdds'> => {
	const bookOf = (marketId: string, caller: Caller, depth: number) => {
		const listing = activeListingOf(fixtures, marketId, caller);
		return shownBookView(exchange, listing, poolOf(caller), depth);
	};
	return {
		getUserOddsV2: ({ marketIds, depth }, caller) => marketIds.map((marketId) => bookOf(marketId, caller, depth)),
		getUserOdds: ({ marketId, depth }, caller) => bookOf(marketId, caller, depth),
	};
};

export const oddsHandlers = ({
	fixtures,
	exchange,
	priceHistory,
	traded,
	starting,
	betAdmission,
}: Parts): HandlersOf<'getPriceHistory' | 'getLadder' | 'getUserLimits'> => {
	return {
		getPriceHistory: ({ marketId, runnerId }, caller) => {
			const listing = activeListingOf(fixtures, marketId, caller);
			return {
				runners: runnersOf(listing, runnerId).map((runner) => ({
					runnerId: listing.runners[runner]?.id ?? '',
					points: priceHistory.of(listing.id, poolOf(caller), runner).map(pointOf),
				})),
				marks: fixtures.marks(listing.fixtureId).map(({ atMs, ...mark }) => ({ at: isoTime(atMs), ...mark })),
			};
		},
		getLadder: ({ marketId, runnerId }, caller) => {
			const listing = activeListingOf(fixtures, marketId, caller);
			const asked = runnersOf(listing, runnerId);
			const own = caller.login ? exchange.openBets(caller.login.playerId) : [];
			return {
				runners: asked.map((runner) => ({
					runnerId: listing.runners[runner]?.id ?? '',
					traded: traded
						.of(listing.id, poolOf(caller), runner)
						.map(({ price, size }) => ({ price: decimalFromPrice(price), size: majorFromMinor(size) })),
					...startOf(starting.of(listing.id, poolOf(caller), runner)),
				})),
				places: own
					.filter((bet) => bet.marketId === listing.id && asked.includes(bet.runner) && isResting(bet))
					.flatMap(({ betId }) => {
						const ahead = exchange.stakeAhead(betId);
						return ahead === null ? [] : [{ betId: String(betId), ahead: majorFromMinor(ahead) }];
					}),
			};
		},
		getUserLimits: ({ marketId }, caller) => {
			const listing = activeListingOf(fixtures, marketId, caller);
			const { playerId } = playerOf(caller);
			const wallet = exchange.wallet(playerId);
			const [lacked, own] = [exchange.lacked(playerId), wallet?.limits];
			const cash = freeCash(wallet?.cash ?? 0, lacked);
			const held = exchange.profitLoss(playerId, listing.id)?.exposure ?? 0;
			const market = exchange.market(listing.id);
			const ofBrand = betAdmission.brandLimits(caller.visitor.brand, listing.id);
			const currency = currencyOf(poolOf(caller));
			const { minStake, maxStake, maxProfit, betDelaySeconds } = limitsOf(listing, market, currency);
			// The part of the player's limit on all exposure that is left for this market.
			const left = own?.maxExposure ? held + Math.max(0, own.maxExposure - (wallet?.exposure ?? 0) - lacked) : 0;
			return {
				minStake: majorFromMinor(minStake),
				maxStake: majorFromMinor(tighter(tighter(maxStake, own?.maxStake), ofBrand?.maxStake)),
				maxProfit: majorFromMinor(tighter(maxProfit, own?.maxProfit)),
				maxExposure: majorFromMinor(
					Math.min(
						cash + held,
						ofBrand?.maxExposure || cash + held,
						limitIn(currency, market?.maxExposure ?? 0) || cash + held,
						own?.maxExposure ? left : cash + held,
					),
				),
				availableToBet: majorFromMinor(cash),
				betDelaySeconds,
			};
		},
	};
};
