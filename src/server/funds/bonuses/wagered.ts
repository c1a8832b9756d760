/**
 * What a player has wagered since a moment: of each settled market the most that the player's matched bets could have lost.
 * Backing and laying the same runner could lose nothing, so it counts nothing. It is worked out from the ledger each
 * time, so a market that is reopened or voided takes its share back.
 */
import type pg from 'pg';
import type { BetRecord } from '#server/exchange/exchange.ts';
import { positionOf } from '#server/exchange/own-position.ts';
import { storedMarkets } from '#server/exchange/stored-markets.ts';
import { exposurePaise } from '#values/exposure.ts';
import type { MarketId, PlayerId } from '#values/ids.ts';

/** Matched at shorter odds than these, in hundredths, a bet risks next to nothing of what it stakes. */
const SHORTEST_ODDS = 150;

/** Players who share a mobile, payment details or a referral with this one: `$1`. */
const LINKED = `
	select other.player_id from player as own join player as other on other.mobile = own.mobile where own.player_id = $1
	union select other.player_id from payout_details as own join payout_details as other using (fingerprint)
	  where own.player_id = $1
	union select (data ->> 'refereeId')::bigint from workflow where kind = 'REFERRAL' and wallet_id = $1
	union select wallet_id from workflow where kind = 'REFERRAL' and (data ->> 'refereeId')::bigint = $1`;

/** Paise, from bets that were placed since then. Matches with linked accounts count nothing. */
export async function wageredSince(db: pg.Pool, playerId: PlayerId, sinceMs: number): Promise<number> {
	const { rows } = await db.query<BetRecord & { marketId: MarketId }>(
		`select bet_id as "betId", market_id as "marketId", runner, side, price, matched, matched_value as "matchedValue", fills,
		   0 as remaining
		 from bet where wallet_id = $1 and placed_at >= $2 and result in ('WON', 'LOST') and matched > 0
		   and (matched_value >= matched * $3 or fills is not null)
		   and not exists (
		     select 1 from bet_match join bet as met on met.bet_id = case bet_match.taker_bet_id
		         when bet.bet_id then bet_match.maker_bet_id else bet_match.taker_bet_id end
		     where bet.bet_id in (bet_match.taker_bet_id, bet_match.maker_bet_id) and bet_match.market_id = bet.market_id
		       and met.wallet_id in (${LINKED}) and met.wallet_id <> $1
		   )`,
		[playerId, sinceMs, SHORTEST_ODDS],
	);
	const byMarket = Map.groupBy(rows, ({ marketId }) => marketId);
	const markets = await storedMarkets(db, 'market_id = any($1)', [[...byMarket.keys()]]);
	return markets.reduce((sum, { market }) => {
		const bets = byMarket.get(market.marketId) ?? [];
		return sum + exposurePaise(positionOf(market, bets));
	}, 0);
}
