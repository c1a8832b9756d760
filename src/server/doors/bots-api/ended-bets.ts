/**
 * The bets of a player that ended lately, from the tables: what this process does not remember because another one led
 * the exchange, or because the player had no subscription then.
 */
import type { BotParts } from '#server/doors/bots-api/operation.ts';
import type { DatedBet } from '#server/doors/bots-api/order-log.ts';
import type { BetRecord } from '#server/exchange/exchange.ts';
import { ENDED_BETS } from '#server/exchange/ledger/bet-ends.ts';
import type { MarketListing } from '#server/exchange/views/market-listing.ts';
import type { MarketId, PlayerId } from '#values/ids.ts';

/** Bets in one answer. */
const MOST_ENDED = 10_000;

export interface EndedBets {
	/** The latest to end first. */
	bets: DatedBet[];
	/** False when more bets ended than are told. */
	areAll: boolean;
	/** Of their markets, which may have left memory. */
	listings: ReadonlyMap<MarketId, MarketListing>;
}

interface Row extends BetRecord {
	endedAtMs: number;
	orderRef: string | null;
	strategyRef: string | null;
}

/** A bet that no result ended was cancelled or lapsed at its end; which came before, if both did, is not written down. */
function datedBet({ endedAtMs, orderRef, strategyRef, ...bet }: Row): DatedBet {
	const isNamed = orderRef !== null || strategyRef !== null;
	const { result, lapsed, cancelled } = bet;
	return {
		...bet,
		...(isNamed ? { references: { orderRef, strategyRef } } : {}),
		lapsedAtMs: result === null && lapsed > 0 ? endedAtMs : null,
		changed: null,
		cancelledAtMs: result === null && lapsed === 0 && cancelled > 0 ? endedAtMs : null,
	};
}

/**
 * Waits until the exchange leads, so that no process which was deposed answers from what it had.
 * @param sinceMs of the exchange's clock
 * @throws Refused DRAINING, STARTING, DEADLINE_PASSED, OVERLOADED
 */
export async function endedBets(
	{ exchange, fixtures, reads }: Pick<BotParts, 'exchange' | 'fixtures' | 'reads'>,
	playerId: PlayerId,
	{ sinceMs, untilMs }: { sinceMs: number; untilMs: number },
): Promise<EndedBets> {
	await exchange.fresh(untilMs);
	const { rows } = await reads.query<Row>(
		`select bet_id as "betId", wallet_id as "walletId", market_id as "marketId", pool, runner, side, price, stake, persist,
		   on_close as "onClose", coalesce(takes_start, false) as "takesStart",
		   matched, matched_value as "matchedValue", remaining, cancelled, lapsed, voided, placed_at as "placedAtMs",
		   matched_at as "matchedAtMs", fill_or_kill as "fillOrKill", null as delay, fills, result, ended_at as "endedAtMs",
		   order_ref as "orderRef", strategy_ref as "strategyRef"
		 from ${ENDED_BETS} left join bet_reference using (bet_id)
		 where wallet_id = $1 and ended_at >= $2 order by ended_at desc limit ${MOST_ENDED + 1}`,
		[playerId, sinceMs],
	);
	const bets = rows.slice(0, MOST_ENDED).map(datedBet);
	const named = await fixtures.named([...new Set(bets.map(({ marketId }) => marketId))]);
	const listings = new Map([...named].map(([marketId, { listing }]) => [marketId, listing]));
	return { bets, areAll: rows.length <= MOST_ENDED, listings };
}
