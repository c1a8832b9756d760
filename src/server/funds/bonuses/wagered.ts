/**
 * The amount a player has wagered since a moment: for each settled market, the largest possible loss of the player's
 * matched bets. Backing and laying the same runner can lose nothing, so it counts nothing. The ledger is read each
 * time, so a market that is reopened or voided stops counting.
 */
import type pg from 'pg';
import type { MarketView } from '#engine/engine.ts';
import type { BetRecord } from '#server/exchange/exchange.ts';
import { positionOf } from '#server/exchange/own-position.ts';
import { storedMarkets } from '#server/exchange/stored-markets.ts';
import { MET_LINKED } from '#server/funds/bonuses/linked-accounts.ts';
import { exposurePaise } from '#values/exposure.ts';
import type { MarketId, PlayerId } from '#values/ids.ts';
import type { AnyPaise } from '#values/money.ts';

/** Hundredths. At shorter odds a bet risks next to nothing of its stake. */
const SHORTEST_ODDS = 150;

/** A settled bet of the player. */
interface SettledBet extends BetRecord {
	isSince: boolean;
	/** A part of it was matched with a linked account. */
	isLinked: boolean;
}

/** Paise, from bets that were placed since then. Matches with linked accounts count nothing. */
export async function wageredSince(db: pg.Pool, playerId: PlayerId, sinceMs: number): Promise<AnyPaise> {
	return [...(await wageredByMarket(db, playerId, sinceMs)).values()].reduce((sum, wagered) => sum + wagered, 0);
}

/** The same, market by market. */
export async function wageredByMarket(
	db: pg.Pool,
	playerId: PlayerId,
	sinceMs: number,
): Promise<Map<MarketId, AnyPaise>> {
	const { rows } = await db.query<SettledBet>({
		name: 'settled-bets-since',
		text: `select bet_id as "betId", market_id as "marketId", runner, side, price, matched, matched_value as "matchedValue", fills,
		   0 as remaining, placed_at >= $2 as "isSince", placed_at >= $2 and ${MET_LINKED} as "isLinked"
		 from bet where wallet_id = $1 and result in ('WON', 'LOST') and matched > 0 and market_id in (
		   select market_id from bet where wallet_id = $1 and placed_at >= $2
		 )`,
		values: [playerId, sinceMs],
	});
	if (rows.length === 0) return new Map();
	const byMarket = Map.groupBy(rows, ({ marketId }) => marketId);
	const markets = await storedMarkets(db, 'market_id = any($1)', [[...byMarket.keys()]]);
	return new Map(
		markets.map(({ market }) => [market.marketId, wageredIn(market, byMarket.get(market.marketId) ?? [])]),
	);
}

/**
 * The smaller of two amounts counts: the largest possible loss of the counted bets, and the increase of the market's
 * worst outcome by all bets since. An earlier bet, one at short odds, or one with a linked account may hedge a counted
 * bet.
 */
function wageredIn(market: MarketView, bets: readonly SettledBet[]): number {
	const worst = (of: readonly SettledBet[]) => exposurePaise(positionOf(market, of));
	const counting = bets.filter((bet) => bet.isSince && !bet.isLinked && isLong(market, bet));
	const added = worst(bets) - worst(bets.filter(({ isSince }) => !isSince));
	return Math.max(0, Math.min(worst(counting), added));
}

/** Bets on lines are at evens, whatever line their price names. */
const isLong = ({ ladder }: MarketView, { matched, matchedValue }: SettledBet): boolean =>
	typeof ladder !== 'string' || matchedValue >= matched * SHORTEST_ODDS;
