/** Accounts that may be one person's, or act as one: what they match with each other earns nothing. */

/** SQL: players who share a mobile, payment details, a document or a browser with the player `$1`, who may be one of them. */
export const SAME_PERSON = `
	select other.player_id from player as own join player as other on other.mobile = own.mobile where own.player_id = $1
	union select other.player_id from payout_details as own join payout_details as other using (fingerprint)
	  where own.player_id = $1
	union select other.player_id from player_identity as own join player_identity as other using (fingerprint)
	  where own.player_id = $1
	union select other_id from shared_device where player_id = $1`;

/** SQL: the same, and players who share a referral with the player `$1`. */
export const LINKED = `${SAME_PERSON}
	union select (data ->> 'refereeId')::bigint from workflow where kind = 'REFERRAL' and wallet_id = $1
	union select wallet_id from workflow where kind = 'REFERRAL' and (data ->> 'refereeId')::bigint = $1`;

/** SQL: whether some of the row of `bet` was matched with an account that is linked with the player `$1`. */
export const MET_LINKED = `exists (
	select 1 from bet_match join bet as met on met.bet_id = case bet_match.taker_bet_id
	    when bet.bet_id then bet_match.maker_bet_id else bet_match.taker_bet_id end
	where bet.bet_id in (bet_match.taker_bet_id, bet_match.maker_bet_id) and bet_match.market_id = bet.market_id
	  and met.wallet_id in (${LINKED}) and met.wallet_id <> $1
)`;

/**
 * SQL: what connects the referee `$2` with the referrer `$1`, or with a player who referred the referrer, directly or
 * through others; those nearest first.
 */
export const SELF_REFERRAL = `
	with recursive above (player_id, depth) as (
	  select $1::bigint, 0
	  union
	  select referral.wallet_id, above.depth + 1 from above
	    join workflow_claim as claim on claim.name = 'referral:' || above.player_id
	    join workflow as referral using (kind, id)
	  where above.depth < 20
	), shared (player_id, reason) as (
	  select other.player_id, 'PERSON' from player as own join player as other on other.mobile = own.mobile
	    where own.player_id = $2
	  union all select other.player_id, 'PERSON' from player_identity as own join player_identity as other using (fingerprint)
	    where own.player_id = $2
	  union all select other_id, 'DEVICE' from shared_device where player_id = $2
	  union all select other.player_id, 'DETAILS' from payout_details as own join payout_details as other using (fingerprint)
	    where own.player_id = $2
	)
	select depth, reason from above join shared using (player_id) order by depth, reason desc limit 1`;
