/**
 * The amount a player has wagered since a moment: for each settled market, the largest possible loss of the player's
 * matched bets, and what each round of the casino lost. Backing and laying the same runner can lose nothing, so it counts
 * nothing; nor does betting on red and black. The ledger is read each time, so a market that is reopened or voided stops
 * counting.
 */
import type pg from 'pg';
import type { MarketView } from '#engine/engine.ts';
import type { BetRecord } from '#server/exchange/exchange.ts';
import { positionOf } from '#server/exchange/own-position.ts';
import { storedMarkets } from '#server/exchange/stored-markets.ts';
import { MET_LINKED } from '#server/persons/linked-accounts.ts';
import { exposurePaise } from '#values/exposure.ts';
import type { MarketId, PlayerId } from '#values/ids.ts';
import type { AnyPaise } from '#values/money.ts';

/** Hundredths. At shorter odds a bet risks next to nothing of its stake. */
const SHORTEST_ODDS = 150;

/** How much of it counts, in per cent. */
export interface Weights {
	sportsWeight: number;
	casinoWeight: number;
}

/** A settled bet of the player. */
interface SettledBet extends BetRecord {
	isSince: boolean;
	/** A part of it was matched with a linked account. */
	isLinked: boolean;
}

/** Paise, from bets that were placed and rounds that began since then. Matches with linked accounts count nothing. */
export async function wageredSince(
	db: pg.Pool,
	playerId: PlayerId,
	sinceMs: number,
	{ sportsWeight, casinoWeight }: Weights,
): Promise<AnyPaise> {
	const weighed = (paise: AnyPaise, weight: number) => Math.floor((paise * weight) / 100);
	const markets = sportsWeight > 0 ? await wageredByMarket(db, playerId, sinceMs) : new Map<MarketId, AnyPaise>();
	const inMarkets = [...markets.values()].reduce((sum, wagered) => sum + wagered, 0);
	const inRounds = casinoWeight > 0 ? await lostInRounds(db, playerId, sinceMs) : 0;
	return weighed(inMarkets, sportsWeight) + weighed(inRounds, casinoWeight);
}

/** What each ended round lost, winning rounds aside. All bets in one round of a table count together. */
async function lostInRounds(db: pg.Pool, playerId: PlayerId, sinceMs: number): Promise<AnyPaise> {
	const { rows } = await db.query<{ lost: AnyPaise }>({
		name: 'lost-in-rounds-since',
		text: `select coalesce(sum(-gain) filter (where gain < 0), 0)::bigint as lost from (
		   select sum(case when credit = 'cash' then amount else -amount end) as gain
		   from workflow as round join posting on posting.kind = 'CASINO' and ref = round.id
		   where round.kind = 'CASINO' and round.wallet_id = $1 and round.at >= $2 and opened_at >= $2
		     and state = 'SETTLED' and (debit = 'cash' or credit = 'cash')
		   group by data ->> 'game', coalesce('round ' || (data ->> 'round'), 'alone ' || round.id)
		 ) as played`,
		values: [playerId, sinceMs],
	});
	return rows[0]?.lost ?? 0;
}

/** What settled markets have wagered, market by market. */
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
