import type { HeavyReads } from '#server/platform/postgres/heavy-reads.ts';
import type { BetId, MarketId, PlayerId } from '#values/ids.ts';
import { netMinor, netMinorOfParts } from '#values/liability.ts';
import type { AnyMinor } from '#values/money.ts';

/**
 * The profits of single settled bets of a player, in minor units, before commission. A market is rounded once, over all of a
 * player's bets in it, so each bet gets its increment of the rounded running sum. Together the bets of a market equal
 * its net, and each is within a minor unit of its exact profit.
 */
export async function betProfits(
	reads: HeavyReads,
	walletId: PlayerId,
	marketIds: readonly MarketId[],
): Promise<Map<BetId, number>> {
	if (marketIds.length === 0) return new Map();
	const { rows } = await reads.query<{ betId: BetId; own: number; sum: number; parts: number }>(
		`select bet_id as "betId", parts, coalesce(profit_exact, 0) as own,
		   sum(coalesce(profit_exact, 0)) over (partition by market_id order by bet_id)::bigint as sum
		 from bet where wallet_id = $1 and market_id = any($2) and result in ('WON', 'LOST')`,
		[walletId, [...new Set(marketIds)]],
	);
	return new Map(
		rows.map(({ betId, own, sum, parts }) => [betId, netMinor(sum / parts) - netMinor((sum - own) / parts)]),
	);
}

/** What a player's settled bets made by market, in minor units, before commission: rounded once, as the market is. */
export async function settledProfits(
	reads: Pick<HeavyReads, 'query'>,
	walletId: PlayerId,
	marketIds: readonly MarketId[],
): Promise<Map<MarketId, AnyMinor>> {
	if (marketIds.length === 0) return new Map();
	const { rows } = await reads.query<{ marketId: MarketId; exact: number; parts: number }>(
		`select market_id as "marketId", sum(coalesce(profit_exact, 0))::bigint as exact, max(parts) as parts
		 from bet where wallet_id = $1 and market_id = any($2) and result in ('WON', 'LOST') group by market_id`,
		[walletId, marketIds],
	);
	return new Map(rows.map(({ marketId, exact, parts }) => [marketId, netMinorOfParts(exact, parts)]));
}
