/**
 * What changed what a player has, newest first, with the number of lines that each row is shown as where the bets of a market
 * are listed one by one.
 */
import { MONEY_MOVES, type MoneyCategory, NEWEST_FIRST } from '#server/money/funds/money-rows.ts';
import type { HeavyReads } from '#server/platform/postgres/heavy-reads.ts';
import type { BetId, MarketId, PlayerId } from '#values/ids.ts';
import type { AnyMinor } from '#values/money.ts';
import type { SideCode } from '#values/sides.ts';

export type { MoneyCategory } from '#server/money/funds/money-rows.ts';

/**
 * The rows with the number of their items, and how many items are newer. A result that was not reversed has the bets of its
 * market; a large market is settled player by player, so its status does not say whether this player's is.
 */
const ROWS = `
	select *, sum(items) over (order by ${NEWEST_FIRST}) - items as newer from (
	  select moves.*, case when is_standing then bets + (commission <> 0)::int else 1 end as items
	  from (
	    select moves.*, sum(amount) over (order by at, batch, line, rank)::bigint as balance_after, coalesce(bets, 0) as bets,
	      kind = 'MARKET_SETTLED' and coalesce(bets, 0) > 0
	        and row_number() over (partition by category, moves.market_id order by ${NEWEST_FIRST}) = 1
	        and not exists (select from detached_bets as detached
	          where detached.wallet_id = $1 and detached.market_id = moves.market_id) as is_standing
	    from (${MONEY_MOVES}) as moves left join (
	      select market_id, count(*)::int as bets from bet
	      where wallet_id = $1 and result in ('WON', 'LOST') group by market_id
	    ) as counted on counted.market_id = moves.market_id and moves.market_id > 0
	    where category <> 'HELD'
	  ) as moves
	  where ($2::text[] is null or category = any($2)) and ($3::bigint is null or at >= $3) and ($4::bigint is null or at <= $4)
	) as counted`;

export interface StatementRow {
	kind: string;
	ref: number;
	/** 0 where no market is concerned. */
	marketId: MarketId;
	/** Signed, after commission. */
	amount: AnyMinor;
	commission: AnyMinor;
	/** What the player has after it, free and held. */
	balanceAfter: AnyMinor;
	atMs: number;
	/** The result of a market as its bets have it: the row is an item for each, and one for the commission. */
	isStanding: boolean;
	/** Items of newer rows. */
	newer: number;
}

interface Asked {
	/** Null for all. */
	categories: readonly MoneyCategory[] | null;
	from?: number | undefined;
	to?: number | undefined;
	/** Items that are skipped, and the first that is not asked for any more. */
	fromItem: number;
	toItem: number;
}

/** The rows with an item within the limits, and the one after them. */
export async function statementRows(
	reads: Pick<HeavyReads, 'query'>,
	playerId: PlayerId,
	{ categories, from, to, fromItem, toItem }: Asked,
): Promise<StatementRow[]> {
	const { rows } = await reads.query<StatementRow>(
		`select kind, ref, market_id as "marketId", amount, commission, balance_after as "balanceAfter", at as "atMs",
		   is_standing as "isStanding", newer::int as newer
		 from (${ROWS}) as statement where newer <= $6 and newer + items > $5 order by ${NEWEST_FIRST}`,
		[playerId, categories, from ?? null, to ?? null, fromItem, toItem],
	);
	return rows;
}

export interface SettledBet {
	betId: BetId;
	marketId: MarketId;
	runner: number;
	side: SideCode;
	matched: AnyMinor;
	matchedValue: number;
	result: 'WON' | 'LOST';
	placedAtMs: number;
}

/** By market, in the order in which they were placed. */
export async function settledBets(
	reads: Pick<HeavyReads, 'query'>,
	playerId: PlayerId,
	marketIds: readonly MarketId[],
): Promise<Map<MarketId, SettledBet[]>> {
	if (marketIds.length === 0) return new Map();
	const { rows } = await reads.query<SettledBet>(
		`select bet_id as "betId", market_id as "marketId", runner, side, matched, matched_value as "matchedValue", result,
		   placed_at as "placedAtMs"
		 from bet where wallet_id = $1 and market_id = any($2) and result in ('WON', 'LOST') order by bet_id`,
		[playerId, marketIds],
	);
	return Map.groupBy(rows, ({ marketId }) => marketId);
}
