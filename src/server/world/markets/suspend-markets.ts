/** Suspends many markets at once, as one deed of an operator. */
import type { Exchange } from '#server/exchange/exchange.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { MarketId } from '#values/ids.ts';

const SUSPENDABLE: ReadonlySet<string> = new Set(['OPEN', 'BALL_RUNNING', 'SUSPENDED']);
/** Refusals of a market that ended meanwhile. */
const ENDED: ReadonlySet<string> = new Set(['WRONG_MARKET_STATE', 'MARKET_CLOSED']);

/** A market that one deed suspended. */
export interface SuspendedMarket {
	marketId: MarketId;
	/** Right after the suspension. Another suspension at the same instant makes it higher, so this one is not undone alone. */
	version: number;
	/** It took bets before. */
	wasOpen: boolean;
}

/**
 * Suspends every market that has not ended. One that an operator holds already is suspended again, which raises its
 * version: a trader who has not seen this deed cannot resume it. It is not among what this deed suspended.
 * @returns what was suspended, when it is durable
 */
export async function suspendMarkets(
	exchange: Exchange,
	marketIds: readonly MarketId[],
	{ lapseUnmatched }: { lapseUnmatched: boolean },
): Promise<SuspendedMarket[]> {
	const asked = marketIds.flatMap((marketId) => {
		const market = exchange.market(marketId);
		if (!market || !SUSPENDABLE.has(market.status)) return [];
		const isSuspended = market.status === 'SUSPENDED';
		const wasHeld = isSuspended && market.heldByOperator;
		return [{ marketId, version: market.version + 1, wasOpen: !isSuspended, wasHeld }];
	});
	const outcomes = await Promise.allSettled(
		asked.map(({ marketId }) => exchange.submit({ kind: 'suspend-market', marketId, lapseUnmatched })),
	);
	const failed = outcomes.find(
		(outcome) =>
			outcome.status === 'rejected' && !(outcome.reason instanceof Refused && ENDED.has(outcome.reason.code)),
	);
	if (failed?.status === 'rejected') throw failed.reason;
	return asked.flatMap(({ wasHeld, ...market }, at) =>
		outcomes[at]?.status === 'fulfilled' && !wasHeld ? [market] : [],
	);
}
