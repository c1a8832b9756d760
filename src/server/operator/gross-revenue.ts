/**
 * What players staked and won, and the commission they paid: the results of markets and the rounds of the casino, as one
 * relation. Today and the reports group the same rows, so a figure is the same wherever it stands.
 */
import { DAY_MS } from '#server/funds/calendar.ts';
import { INDIA_OFFSET_MS } from '#values/india-time.ts';
import { type AnyPaise, majorFromPaise } from '#values/money.ts';

export const HOUR_MS = 3_600_000;

/**
 * A row for each result of a player in a market, and each ended round, from $1 to before $2 of the brands $3; paise.
 * The turnover of a market is the matched stakes of the bets that won or lost. The bets of a settled market are read by
 * its index, and those of detached months from their sums.
 */
export const RESULTS = `
	with settled as materialized (
		select market_id, wallet_id, at, net, commission from player_settlement where at >= $1 and at < $2
	), staked as (
		select market.market_id, bets.wallet_id, bets.matched
		from (select distinct market_id from settled) as market cross join lateral (
			select wallet_id, sum(matched)::bigint as matched from (
				select wallet_id, matched from bet where bet.market_id = market.market_id and result is not null
				union all select wallet_id, matched from detached_bets where detached_bets.market_id = market.market_id
			) as decided group by wallet_id
		) as bets
	), result as (
		select brand, player.pool, wallet_id, at, market_id, null as game, coalesce(matched, 0) as turnover, net as won,
			commission
		from settled join player on player_id = wallet_id left join staked using (market_id, wallet_id)
		where brand = any ($3)
		union all
		select brand, player.pool, wallet_id, at, null, data ->> 'game', (data ->> 'stake')::bigint,
			(data ->> 'payout')::bigint - (data ->> 'stake')::bigint, 0
		from workflow join player on player_id = wallet_id
		where kind = 'CASINO' and not is_open and at >= $1 and at < $2 and brand = any ($3)
			and id > coalesce((select id from workflow where kind = 'CASINO' and opened_at < $1 - ${DAY_MS}
				order by kind desc, id desc limit 1), 0)
	)`;

/** An hour of India's calendar, such as "2026-11-23 18:00". */
export const HOUR_OF_RESULT = `to_char(to_timestamp((at + ${INDIA_OFFSET_MS}) / ${HOUR_MS} * 3600) at time zone 'UTC', 'YYYY-MM-DD HH24:00')`;

export interface Revenue {
	turnover: AnyPaise;
	/** What players won, before commission; below zero they lost. */
	won: AnyPaise;
	commission: AnyPaise;
}

export const REVENUE = `sum(turnover)::bigint as turnover, sum(won)::bigint as won, sum(commission)::bigint as commission`;

/** Gross gaming revenue: what players lost, and their commission. */
export const grossRevenue = ({ won, commission }: Pick<Revenue, 'won' | 'commission'>): AnyPaise => commission - won;

/** The figures of rows together, as answers have them. */
export function revenueOf(rows: readonly Revenue[]) {
	const sum = (name: keyof Revenue) => rows.reduce((total, row) => total + row[name], 0);
	const [turnover, won, commission] = [sum('turnover'), sum('won'), sum('commission')];
	return {
		turnover: majorFromPaise(turnover),
		playersWon: majorFromPaise(won),
		commission: majorFromPaise(commission),
		ggr: majorFromPaise(grossRevenue({ won, commission })),
	};
}
