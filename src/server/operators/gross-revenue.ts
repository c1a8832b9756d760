/**
 * Players' stakes, winnings and commission: the results of markets and the rounds of the casino, as one relation; demo
 * players are left out. Today and the reports group the same rows, so a figure is the same on every page.
 */
import { riskByEvent } from '#server/money/funds/money-at-risk.ts';
import { type AnyMinor, majorFromMinor } from '#values/money.ts';
import { DAY_MS } from '#values/time.ts';

/**
 * A row for each result of a player in a market, and each ended round, from $1 to before $2 of the brands $3; minor units.
 * The turnover is the money at risk: an event's is in the row of its first market in the period, and a round's in the
 * row of the player's first bet on it.
 */
export const RESULTS = `
	with settled as materialized (
		select market_id, wallet_id, at, net, commission from player_settlement where at >= $1 and at < $2
	), risked as materialized (
		select holder as wallet_id, amount, (select min(ref) from unnest(refs) as ref) as market_id from (${riskByEvent(`
			select wallet_id as holder, money_at_risk.* from settled
			join money_at_risk using (wallet_id) where what = 'market' and ref = market_id`)}) as event
	), played as materialized (
		select wallet_id, id, at, data, data ->> 'game' as game, coalesce((data ->> 'round')::bigint, id) as ref from workflow
		where kind = 'CASINO' and not is_open and at >= $1 and at < $2
			and id > coalesce((select id from workflow where kind = 'CASINO' and opened_at < $1 - ${DAY_MS}
				order by kind desc, id desc limit 1), 0)
	), result as (
		select brand, player.pool, wallet_id, at, market_id, null as game, coalesce(amount, 0) as turnover, net as won,
			commission
		from settled join player on player_id = wallet_id left join risked using (market_id, wallet_id)
		where brand = any ($3) and not is_demo
		union all
		select brand, player.pool, wallet_id, at, null, game,
			case when row_number() over (partition by wallet_id, game, ref order by id) = 1
				then coalesce(amount, 0) else 0 end,
			(data ->> 'payout')::bigint - (data ->> 'stake')::bigint, 0
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
