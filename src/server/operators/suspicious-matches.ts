/** Matches that look arranged: between linked accounts, or far from other players' trades. */

import { LINKS_OF_PAIRS, type LinkReason, linksOf, treesOf } from '#server/people/persons/linked-accounts.ts';
import type { HeavyReads } from '#server/platform/postgres/heavy-reads.ts';
import type { AnyMinor } from '#values/money.ts';
import { FIRST_PLAYER_ID } from '#values/pools.ts';
import { BACK } from '#values/sides.ts';

/** Only the pairs with the largest amounts are shown. */
const MOST_PAIRS = 200;
/** The deviation from the neighbouring trades that counts as off-market: a tenth. */
const FAR = 0.1;

/** A pair of accounts; amounts are minor units. */
interface MetPair {
	oneId: number;
	oneName: string;
	oneBrand: string;
	otherId: number;
	otherName: string;
	otherBrand: string;
	pool: string;
	/** Their link; null for none. */
	why: string | null;
	matches: number;
	/** Sum of the backers' stakes. */
	stake: AnyMinor;
	/** The first account's winnings from the second in settled markets, before commission; negative for a loss. */
	gain: AnyMinor;
	/** Matches in markets without a result. */
	open: number;
	farOff: number;
	markets: { marketId: string; eventId: string }[];
	lastMs: number;
}

/**
 * The profit of a match for its backer: its share of the backer's bet, weighted by the payout of each fill. In a market
 * on lines the share is weighted by the lines.
 */
const GAIN = `(back.profit_exact::numeric / (100 * back.parts) + back.matched)
	* met.stake * met.price / nullif(back.matched_value, 0) - met.stake`;

/**
 * SQL: matches that meet a condition over `bet_match as met`, `bet as back` and `bet as lay`, including those of the
 * house; voided ones and demo players are left out. `gain` is the backer's, null in a market without a result.
 */
export const metWhere = (condition: string): string => `
	select met.batch, met.line, met.at, met.market_id, met.runner, met.price, met.stake, back.pool, back.bet_id as back_bet,
	  back.wallet_id as backer, lay.wallet_id as layer,
	  least(back.wallet_id, lay.wallet_id) as one, greatest(back.wallet_id, lay.wallet_id) as other,
	  case when back.result in ('WON', 'LOST') then ${GAIN} end as gain
	from bet_match as met left join void_match using (batch, line)
	join bet as back on back.bet_id = case met.taker_side when ${BACK} then met.taker_bet_id else met.maker_bet_id end
	join bet as lay on lay.bet_id = case met.taker_side when ${BACK} then met.maker_bet_id else met.taker_bet_id end
	where ${condition} and void_match.batch is null and back.result is distinct from 'VOID' and back.pool not like 'DEMO%'`;

/** SQL: the matches of the relation `met` with the number of their run: consecutive trades of one pair on a runner. */
export const NUMBERED = `
	select *, sum(starts) over (partition by market_id, runner, pool order by batch, line) as run
	from (
	  select *, ((one, other) is distinct from (lag(one) over of_runner, lag(other) over of_runner))::int as starts
	  from met window of_runner as (partition by market_id, runner, pool order by batch, line)
	) as started`;

/**
 * SQL: the runs of the relation `numbered`, each with the price of the trade before it and of the trade after it. A run
 * counts as one, so that many matches of a pair do not define the market price.
 */
export const RUNS = `
	select market_id, runner, pool, run, lag(last) over of_runner as before, lead(first) over of_runner as after
	from (
	  select market_id, runner, pool, run, (array_agg(price order by batch, line))[1] as first,
	    (array_agg(price order by batch desc, line desc))[1] as last
	  from numbered group by 1, 2, 3, 4
	) as run window of_runner as (partition by market_id, runner, pool order by run)`;

/** SQL: whether a match of a run is far off the market. */
export const IS_FAR = `price < (1 - ${FAR}) * least(before, after) or price > (1 + ${FAR}) * greatest(before, after)`;

const PLAYERS_MET = `(select one as player_id from met where one >= ${FIRST_PLAYER_ID} union select other from met)`;

const IN_TREE: LinkReason = 'same invitation tree';

/** Both are in one invitation tree, directly or by another account of theirs. */
const SHARE_TREE = `exists (select 1 from tree as first_tree join tree as second_tree using (root)
	where first_tree.player_id = one and second_tree.player_id = other
	  and exists (select 1 from player where invitation_root = root))`;

/**
 * For the period from `$1` to `$2`, the pairs with a player of the brands `$3`: linked ones, and others matched far off
 * the market. Linked ones come first, then the largest amounts.
 */
export const SUSPICIOUS_MATCHES = `
	with met as materialized (${metWhere('met.at >= $1 and met.at < $2')}), numbered as materialized (${NUMBERED}
	), link as materialized (
	  select player_id, other_id, string_agg(why, ', ' order by why) as why
	  from (${linksOf(PLAYERS_MET, LINKS_OF_PAIRS)}) as reason
	  group by player_id, other_id
	), tree as materialized (${treesOf(PLAYERS_MET)}), linked_pair as materialized (
	  select one, other, coalesce(why, case when ${SHARE_TREE} then '${IN_TREE}' end) as why
	  from (select distinct one, other from met where one >= ${FIRST_PLAYER_ID}) as met_pair
	  left join link on player_id = one and other_id = other
	), pair as (
	  select numbered.*, why, case when backer = one then gain else -gain end as won, coalesce(${IS_FAR}, false) as "isFar"
	  from numbered join (${RUNS}) as around using (market_id, runner, pool, run)
	  left join linked_pair using (one, other)
	  where one >= ${FIRST_PLAYER_ID} and one <> other
	)
	select one as "oneId", first.user_name as "oneName", first.brand as "oneBrand",
	  other as "otherId", second.user_name as "otherName", second.brand as "otherBrand",
	  pair.pool, why, count(*)::int as matches, sum(stake)::bigint as stake, coalesce(round(sum(won)), 0)::bigint as gain,
	  count(*) filter (where won is null)::int as open, count(*) filter (where "isFar")::int as "farOff",
	  jsonb_agg(distinct jsonb_build_object('marketId', market_id::text, 'eventId', fixture_id::text)) as markets,
	  max(at) as "lastMs"
	from pair join market_listing on market_listing.id = market_id join player as first on first.player_id = one
	join player as second on second.player_id = other
	where first.brand = any ($3) or second.brand = any ($3)
	group by 1, 2, 3, 4, 5, 6, 7, 8 having why is not null or bool_or("isFar")
	order by why is null, abs(coalesce(sum(won), 0)) desc, sum(stake) desc, one, other limit ${MOST_PAIRS}`;

export async function suspiciousMatches(
	reads: Pick<HeavyReads, 'query'>,
	{ fromMs, toMs, hosts }: { fromMs: number; toMs: number; hosts: readonly string[] },
): Promise<MetPair[]> {
	return (await reads.query<MetPair>(SUSPICIOUS_MATCHES, [fromMs, toMs, hosts])).rows;
}
