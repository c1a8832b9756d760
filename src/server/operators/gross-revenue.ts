/**
 * Players' stakes, winnings and commission: the results of markets and the rounds of the casino, as one relation; demo
 * players are left out. Today and the reports group the same rows, so a figure is the same on every page.
 */
import { COMMISSION, GAIN, MARKET_RESULT_KINDS } from '#server/exchange/ledger/result-gain.ts';
import { riskByEvent } from '#server/money/funds/money-at-risk.ts';
import { type AnyMinor, majorFromMinor } from '#values/money.ts';
import { DAY_MS } from '#values/time.ts';

/**
 * The results of markets from $1 to before $2. A result counts from its settlement, and what takes it back or settles
 * the market otherwise counts by its difference and at its own time, so no day changes after it is over. The row of a
 * settlement is replaced by the next one, so of a market that was reopened the postings are read: those of a reopening
 * since then have an index, and a market that was settled again in the period is looked up by its key.
 */
const MARKETS = `
	settled as materialized (
		select market_id, wallet_id, at, net, commission from player_settlement where at >= $1 and at < $2
	), reopened as materialized (
		select distinct ref as market_id from posting where kind = 'MARKET_REOPENED' and at >= $1
		union
		select market_id from (select distinct market_id from settled) as again
			where (select true from posting where kind = 'MARKET_REOPENED' and ref = again.market_id limit 1)
	), decided as materialized (
		select market_id, wallet_id, at, net, commission, 1 as results from settled
			where market_id not in (select market_id from reopened)
		union all
		select * from (
			select market_id, wallet_id, at, sum(net)::bigint, sum(commission)::bigint,
				(at = min(at) over (partition by market_id, wallet_id))::int
			from reopened cross join lateral (
				select wallet_id, at, ${GAIN} + ${COMMISSION} as net, ${COMMISSION} as commission from posting
				where kind in ${MARKET_RESULT_KINDS} and ref = reopened.market_id
				union all select wallet_id, at, 0, 0 from player_settlement as latest where latest.market_id = reopened.market_id
				offset 0
			) as move group by market_id, wallet_id, at
		) as moved where at >= $1 and at < $2
	)`;

/**
 * The rounds that ended or were corrected from $1 to before $2. A round counts from its end, and a correction by its
 * difference and at its own time (`ledger/result-gain`), so no day changes after it is over. `at` of a round is the time of
 * its last step. Rounds are found by their ids, from one that was opened a day before; those that are later than that after
 * their opening have an index of their own, and so have corrections, which are few.
 */
const ROUNDS = `
	before as materialized (
		select coalesce((select id from workflow where kind = 'CASINO' and opened_at < $1 - ${DAY_MS}
			order by kind desc, id desc limit 1), 0) as id
	), corrected as materialized (
		select distinct id from workflow_step where kind = 'CASINO' and from_state in ('SETTLED', 'VOID') and at >= $1
	), round as materialized (
		select wallet_id, id, at, data ->> 'game' as game, coalesce((data ->> 'round')::bigint, id) as ref,
			(data ->> 'payout')::bigint - (data ->> 'stake')::bigint as won
		from (
			select * from workflow where kind = 'CASINO' and id > (select id from before) and at >= $1 and at < $2
			union all
			select * from workflow where kind = 'CASINO' and at - opened_at > ${DAY_MS} and at >= $1 and at < $2
				and id <= (select id from before)
			union all
			select workflow.* from corrected join workflow using (id) where kind = 'CASINO' and at >= $2
		) as candidate where not is_open and opened_at < $2
	), played as materialized (
		select wallet_id, id, at, game, ref, won, 1 as results from round where id not in (select id from corrected)
		union all
		select wallet_id, id, moved.at, game, ref, moved.won, (moved.at = ended.at)::int
		from round join corrected using (id) cross join lateral (
			select min(at) as at from workflow_step as step
			where step.kind = 'CASINO' and step.id = round.id and to_state <> 'OPEN'
		) as ended cross join lateral (
			select at, sum(gain)::bigint as won from (
				select ended.at, 0 as gain union all
				select greatest(posting.at, ended.at), ${GAIN} from posting where kind = 'CASINO' and ref = round.id
			) as move group by at
		) as moved where moved.at >= $1 and moved.at < $2
	)`;

/**
 * A row for each result of a player in a market, and each ended round, from $1 to before $2 of the brands $3; minor units.
 * `results` is 1, and 0 for a later correction. The turnover is the money at risk: an event's is in the row of its first market
 * in the period, and a round's in the row of the player's first bet on it.
 */
export const RESULTS = `
	with ${MARKETS}, risked as materialized (
		select holder as wallet_id, amount, (select min(ref) from unnest(refs) as ref) as market_id from (${riskByEvent(`
			select wallet_id as holder, money_at_risk.* from (select market_id, wallet_id from decided where results = 1) as counted
			join money_at_risk using (wallet_id) where what = 'market' and ref = market_id`)}) as event
	), ${ROUNDS}, result as (
		select brand, player.pool, wallet_id, at, market_id, null as game,
			case results when 1 then coalesce(amount, 0) else 0 end as turnover, net as won, commission, results
		from decided join player on player_id = wallet_id left join risked using (market_id, wallet_id)
		where brand = any ($3) and not is_demo
		union all
		select brand, player.pool, wallet_id, at, null, game,
			case when results = 1 and row_number() over (partition by wallet_id, game, ref order by results desc, id) = 1
				then coalesce(amount, 0) else 0 end,
			won, 0, results
		from played join player on player_id = wallet_id
		left join (select wallet_id, what as game, ref, amount from money_at_risk) as risk
			using (wallet_id, game, ref)
		where brand = any ($3) and not is_demo
	)`;

export interface Revenue {
	turnover: AnyMinor;
	/** Players' winnings, before commission; negative for losses. */
	won: AnyMinor;
	commission: AnyMinor;
}

export const REVENUE = `sum(turnover)::bigint as turnover, sum(won)::bigint as won, sum(commission)::bigint as commission`;

/** Gross gaming revenue: players' losses and their commission. */
export const grossRevenue = ({ won, commission }: Pick<Revenue, 'won' | 'commission'>): AnyMinor => commission - won;

/** The sums of rows, in the form for answers. */
export function revenueOf(rows: readonly Revenue[]) {
	const sum = (name: keyof Revenue) => rows.reduce((total, row) => total + row[name], 0);
	const [turnover, won, commission] = [sum('turnover'), sum('won'), sum('commission')];
	return {
		turnover: majorFromMinor(turnover),
		playersWon: majorFromMinor(won),
		commission: majorFromMinor(commission),
		ggr: majorFromMinor(grossRevenue({ won, commission })),
	};
}
