/** A bet of the exchange as the service's reports show an order. */

import type { TriggerView } from '#engine/effect.ts';
import {
	askedOf,
	handicapOf,
	orderTypeOf,
	selectionIdOf,
	wireAverage,
	wireMarketId,
	wirePersistence,
	wirePrice,
	wireSide,
	wireSize,
	wireTime,
} from '#server/doors/bots-api/fields.ts';
import type { BetRecord } from '#server/exchange/exchange.ts';
import type { MarketListing } from '#server/exchange/views/market-listing.ts';

/** The value of the regulator field in reports: there is none. */
const REGULATOR = { regulatorAuthCode: '', regulatorCode: 'NONE' } as const;

/** EXECUTABLE: something of it can still be matched. */
const orderStatus = ({ remaining }: Pick<BetRecord, 'remaining'>): 'EXECUTABLE' | 'EXECUTION_COMPLETE' =>
	remaining > 0 ? 'EXECUTABLE' : 'EXECUTION_COMPLETE';

const referencesOf = ({ references }: Pick<BetRecord, 'references'>) => ({
	...(references?.orderRef == null ? {} : { customerOrderRef: references.orderRef }),
	...(references?.strategyRef == null ? {} : { customerStrategyRef: references.strategyRef }),
});

/** Fields of this exchange, of an order that can still be matched. */
const termsOf = ({ terms, remaining }: Pick<BetRecord, 'terms' | 'remaining'>) =>
	terms === null || remaining === 0
		? {}
		: {
				...(terms.postOnly === null ? {} : { postOnly: terms.postOnly }),
				...(terms.expiresAtMs === null ? {} : { goodTill: wireTime(terms.expiresAtMs) }),
				...(terms.untilMatched == null ? {} : { goodUntilMatched: wireSize(terms.untilMatched) }),
				...(terms.group == null ? {} : { group: terms.group }),
				...(terms.selfMatch === null ? {} : { selfMatch: terms.selfMatch }),
			};

/** A trigger as it stands, or as it ended: with the order that it placed, or with why it placed none. */
export function currentTrigger(trigger: TriggerView, listing: MarketListing) {
	const priceOf = (price: number | null) => (price === null ? null : wirePrice(price));
	const { watches, moves, trail, status, betId, reason } = trigger;
	return {
		betId: String(trigger.triggerId),
		marketId: wireMarketId(trigger.marketId),
		selectionId: selectionIdOf(listing, trigger.runner),
		handicap: handicapOf(listing, trigger.runner),
		priceSize: { price: wirePrice(trigger.price), size: wireSize(trigger.stake) },
		side: wireSide(trigger.side),
		persistenceType: wirePersistence(trigger),
		placedDate: wireTime(trigger.placedAtMs),
		trigger: { watches, moves, at: priceOf(trigger.at), trail, best: priceOf(trigger.best), status },
		...(trigger.plan == null ? {} : { plan: planOf(trigger) }),
		...(betId === null ? {} : { placedBetId: String(betId) }),
		...(reason === null ? {} : { reason }),
	};
}

function planOf({ plan, whole, stake, exitId }: TriggerView) {
	const shown = plan?.kind === 'ICEBERG' ? { visible: wireSize(plan.visible) } : {};
	return {
		...plan,
		...shown,
		size: wireSize(whole ?? stake),
		...(exitId == null ? {} : { exitBetId: String(exitId) }),
	};
}

export function currentOrder(bet: BetRecord, listing: MarketListing) {
	const { price, size, bspLiability } = askedOf(bet);
	return {
		betId: String(bet.betId),
		marketId: wireMarketId(bet.marketId),
		selectionId: selectionIdOf(listing, bet.runner),
		handicap: handicapOf(listing, bet.runner),
		priceSize: { price, size },
		bspLiability,
		side: wireSide(bet.side),
		status: orderStatus(bet),
		persistenceType: wirePersistence(bet),
		orderType: orderTypeOf(bet),
		placedDate: wireTime(bet.placedAtMs),
		...(bet.matchedAtMs === null ? {} : { matchedDate: wireTime(bet.matchedAtMs) }),
		averagePriceMatched: wireAverage(bet.matched, bet.matchedValue),
		sizeMatched: wireSize(bet.matched),
		sizeRemaining: wireSize(bet.remaining),
		sizeLapsed: wireSize(bet.lapsed),
		sizeCancelled: wireSize(bet.cancelled),
		sizeVoided: wireSize(bet.voided),
		...REGULATOR,
		...referencesOf(bet),
		...termsOf(bet),
	};
}
