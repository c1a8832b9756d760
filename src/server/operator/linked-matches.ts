/** Matches between linked accounts: who met whom, how much passed between the two, and how often beside the market. */
import type { HeavyReads } from '#server/db/heavy-reads.ts';
import { ALL_LINKS, linksOf } from '#server/funds/linked-accounts.ts';
import type { AnyPaise } from '#values/money.ts';
import { FIRST_PLAYER_ID } from '#values/pools.ts';
import { BACK } from '#values/sides.ts';

/** The pairs of the largest amounts are shown. */
export const MOST_PAIRS = 200;
/** A price so far outside the neighbouring trades is beside the market. */
const FAR = 0.1;

/** A pair of accounts; amounts are paise. */
export interface MetPair {
	oneId: number;
	oneName: string;
	oneBrand: string;
	otherId: number;
	otherName: string;
	otherBrand: string;
	pool: string;
	why: string;
	matches: number;
	/** Sum of the backers' stakes. */
	stake: AnyPaise;
	/** What the one won from the other in settled markets, before commission; below zero for a loss. */
	gain: AnyPaise;
	/** Matches in markets without a result. */
	open: number;
	farOff: number;
	markets: { marketId: string; eventId: string }[];
	lastMs: number;
}

/**
 * What a match won for its backer: its share of the backer's bet, by what each fill would have paid. In a market on lines
 * the share goes by the lines.
 */
const GAIN = `(back.profit_exact::numeric / (100 * back.parts) + back.matched)
	* met.stake * met.price / nullif(back.matched_value, 0) - met.stake`;

/** Matches of players with each other, voided ones aside, of the period from `$1` to `$2`. */
const MET = `
	select met.batch, met.line, met.at, met.market_id, met.runner, met.price, met.stake, back.pool,
	  back.wallet_id as backer, lay.wallet_id as layer,
	  case when back.result in ('WON', 'LOST') then ${GAIN} end as gain
	from bet_match as met left join void_match using (batch, line)
	join bet as back on back.bet_id = case met.taker_side when ${BACK} then met.taker_bet_id else met.maker_bet_id end
	join bet as lay on lay.bet_id = case met.taker_side when ${BACK} then met.maker_bet_id else met.taker_bet_id end
	where met.at >= $1 and met.at < $2 and void_match.batch is null and back.result is distinct from 'VOID'
	  and back.wallet_id >= ${FIRST_PLAYER_ID} and lay.wallet_id >= ${FIRST_PLAYER_ID} and back.wallet_id <> lay.wallet_id`;

/**
 * The price of the trade before or after of the same runner, by neither of the two. The matches of the runner are found by
 * their market, and not by passing over those of all others.
 */
const neighbour = (isBefore: boolean): string => `(
	select near.price from (
	  select * from bet_match where bet_match.market_id = pair.market_id and bet_match.runner = pair.runner offset 0
	) as near
	join bet as taker on taker.bet_id = near.taker_bet_id join bet as maker on maker.bet_id = near.maker_bet_id
	where (near.batch, near.line) ${isBefore ? '<' : '>'} (pair.batch, pair.line)
	  and taker.wallet_id not in (one, other) and maker.wallet_id not in (one, other)
	order by near.batch ${isBefore ? 'desc' : ''}, near.line ${isBefore ? 'desc' : ''} limit 1)`;

/** Of the period from `$1` to `$2` the pairs with a player of the brands `$3`, the largest amounts first. */
export const LINKED_MATCHES = `
	with met as materialized (${MET}), link as materialized (
	  select player_id, other_id, string_agg(why, ', ' order by why) as why
	  from (${linksOf('(select backer as player_id from met union select layer from met)', ALL_LINKS)}) as reason
	  group by player_id, other_id
	), pair as (
	  select met.*, player_id as one, other_id as other, why, case when backer = player_id then gain else -gain end as won
	  from met join link on player_id = least(backer, layer) and other_id = greatest(backer, layer)
	), priced as (
	  select pair.*, ${neighbour(true)} as before, ${neighbour(false)} as after from pair
	)
	select one as "oneId", first.user_name as "oneName", first.brand as "oneBrand",
	  other as "otherId", second.user_name as "otherName", second.brand as "otherBrand",
	  priced.pool, why, count(*)::int as matches, sum(stake)::bigint as stake, coalesce(round(sum(won)), 0)::bigint as gain,
	  count(*) filter (where won is null)::int as open,
	  count(*) filter (where price < (1 - ${FAR}) * least(before, after) or price > (1 + ${FAR}) * greatest(before, after))::int
	    as "farOff",
	  jsonb_agg(distinct jsonb_build_object('marketId', market_id::text, 'eventId', fixture_id::text)) as markets,
	  max(at) as "lastMs"
	from priced join market_listing on market_listing.id = market_id join player as first on first.player_id = one join player as second on second.player_id = other
	where first.brand = any ($3) or second.brand = any ($3)
	group by 1, 2, 3, 4, 5, 6, 7, 8 order by abs(coalesce(sum(won), 0)) desc, sum(stake) desc, one, other limit ${MOST_PAIRS}`;

export async function linkedMatches(
	reads: Pick<HeavyReads, 'query'>,
	{ fromMs, toMs, hosts }: { fromMs: number; toMs: number; hosts: readonly string[] },
): Promise<MetPair[]> {
	return (await reads.query<MetPair>(LINKED_MATCHES, [fromMs, toMs, hosts])).rows;
}
