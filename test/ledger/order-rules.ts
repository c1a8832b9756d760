/** What holds of orders that live on the server whenever nothing is under way, as questions to the ledger's tables. */

export const LAST_ID = `select greatest(
	(select coalesce(max(bet_id), 0) from bet), (select coalesce(max(trigger_id), 0) from bet_trigger)) as id`;

/** What is still to be done. */
export const DUE = `(
	select trigger_id from bet_trigger where status = 'DUE'
	union all select bet_id from bet join bet_terms using (bet_id)
		where remaining > 0 and expires_at < extract(epoch from now()) * 1000
) due`;

/** What still waits, in the book or for its turn. */
export const LIVE = `(
	select trigger_id from bet_trigger where status in ('WAITING', 'DUE')
	union all select bet_id from bet where remaining > 0
) live`;

/** The bets of a plan whose player has no other bets on its runner, by side: OWN is the plan's. */
const bets = (side: 'OWN' | 'OTHER') => `
	select coalesce(sum(stake), 0) as staked, coalesce(sum(matched), 0) as matched, coalesce(sum(remaining), 0) as waits,
		coalesce(sum(matched_value), 0) as value, coalesce(sum(matched * price), 0) as asked_value,
		coalesce(sum(remaining * price), 0) as waits_value, count(*) as count, count(*) filter (where remaining > 0) as live
	from bet where bet.wallet_id = plan_of.wallet_id and bet.market_id = plan_of.market_id
		and bet.runner = plan_of.runner and (bet.side = plan_of.side) = ${side === 'OWN'}`;

const plans = (kind: string, isBroken: string) => `bet_trigger as plan_of,
	lateral (${bets('OWN')}) own, lateral (${bets('OTHER')}) other
	where trigger_id > $1 and plan ->> 'kind' = '${kind}' and (${isBroken})`;

const MATCHED_BY_OTHERS = `(
	select coalesce(sum(bet_match.stake), 0) from bet_match
	where bet_match.market_id = bet.market_id and bet_match.runner = bet.runner and bet_match.at`;
const WITHOUT_IT = `and bet.bet_id not in (taker_bet_id, maker_bet_id))`;

/** Each is empty, by what it would mean if it were not: of orders with ids above $1, of which no player cancelled any. */
export const BROKEN = {
	'a plan ended otherwise': `bet_trigger where trigger_id > $1 and status not in ('WAITING', 'PLACED')`,
	'a plan has a bet and does not know': `bet_trigger where trigger_id > $1 and bet_id is not null and not exists (
		select 1 from bet where bet.bet_id = bet_trigger.bet_id)`,
	'the parts of an iceberg are not its whole': plans(
		'ICEBERG',
		`own.staked + case status when 'WAITING' then plan_of.stake else 0 end <> whole or other.count > 0`,
	),
	'an iceberg shows more than a part, or none': plans(
		'ICEBERG',
		`own.live > 1 or (status = 'WAITING' and own.live <> 1) or own.waits > (plan ->> 'visible')::bigint`,
	),
	'the bets of a peg are not its whole': plans(
		'PEG',
		`(bet_id is not null and own.matched + own.waits <> whole) or (bet_id is null and own.count > 0) or other.count > 0`,
	),
	'a peg has no bet, or two': plans(
		'PEG',
		`own.live > 1 or (bet_id is not null and (status = 'WAITING') <> (own.live = 1))`,
	),
	'the bet of a bracket is not its whole': plans(
		'BRACKET',
		`(bet_id is not null and (own.staked <> whole or own.count <> 1)) or other.live > 1`,
	),
	// What is left open is less than the smallest coin. A bet that closes may be matched at a better price than it asks.
	'a bracket closes more than is open, or less': plans(
		'BRACKET',
		`own.value < least(other.value, other.asked_value) + other.waits_value
			or own.value >= greatest(other.value, other.asked_value) + other.waits_value + 300`,
	),
	'a bet outlives what others matched': `bet join bet_terms using (bet_id)
		where bet_id > $1 and remaining > 0 and ${MATCHED_BY_OTHERS} > bet.placed_at ${WITHOUT_IT} >= until_matched`,
	'a bet ends before others matched enough': `bet join bet_terms using (bet_id)
		where bet_id > $1 and lapsed > 0 and ${MATCHED_BY_OTHERS} >= bet.placed_at ${WITHOUT_IT} < until_matched`,
	'a bet of a closed group waits': `bet join bet_terms using (bet_id) join order_group
		on order_group.wallet_id = bet.wallet_id and name = bet_terms.order_group where bet_id > $1 and remaining > 0 and closed_at is not null`,
	'a group of which too much was matched is open': `order_group where $1 >= 0 and closed_at is null and most < (
		select sum((entry ->> 1)::bigint) from jsonb_array_elements(recent) entry)`,
};
