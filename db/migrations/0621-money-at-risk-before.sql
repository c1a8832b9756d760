-- What was decided before the rows were written. Where the largest possible loss cannot be worked out here, an empty list
-- of worths says that the amount is a bound: the stakes of backs and the liabilities of lays, or of a dealt table what was lost there.
insert into money_at_risk (wallet_id, what, ref, at, since, amount, long_amount, worths)
with decided as (
	select wallet_id, market_id, runner, side, matched, matched_value, placed_at, bet.fills is not null as is_on_lines,
		number_of_winners = 1 and coalesce((terms ->> 'eachWayDivisor')::int, 0) = 0
			and jsonb_typeof(terms -> 'ladder') is distinct from 'object' as has_one_winner,
		jsonb_typeof(terms -> 'ladder') is not distinct from 'object' or matched_value >= matched * 150 as is_long,
		case when side = 0 then matched * 100 else matched_value - matched * 100 end as liability
	from bet join market_state using (market_id)
	where result in ('WON', 'LOST') and matched > 0 and wallet_id >= 1000 and status = 'SETTLED'
), worth as (
	select wallet_id, market_id, place,
		case when exists (select 1 from jsonb_array_elements(removed) as gone where (gone ->> 0)::int = place and gone ->> 2 is null) then null
			else sum(case when side = 0 then -matched else matched end * 100)
				+ sum(case when runner <> place then 0 when side = 0 then matched_value else -matched_value end) end as comes_to,
		coalesce(sum(case when side = 0 then -matched else matched end * 100) filter (where is_long), 0)
			+ coalesce(sum(case when runner <> place then 0 when side = 0 then matched_value else -matched_value end)
				filter (where is_long), 0) as long_comes_to
	from decided join market_state using (market_id) cross join lateral generate_series(0, runners - 1) as place
	where has_one_winner group by wallet_id, market_id, place, removed
), exact as (
	select wallet_id, market_id, array_agg(comes_to::bigint order by place) as worths,
		greatest(0, ceil(-min(comes_to) / 100.0))::bigint as amount,
		greatest(0, ceil(-min(long_comes_to) filter (where comes_to is not null) / 100.0))::bigint as long_amount
	from worth group by wallet_id, market_id
), bound as (
	select wallet_id, market_id, min(placed_at) as since,
		ceil(sum(case when is_on_lines then matched * 100 else liability end) / 100.0)::bigint as amount,
		ceil(coalesce(sum(case when is_on_lines then matched * 100 else liability end) filter (where is_long), 0)
			/ 100.0)::bigint as long_amount
	from decided group by wallet_id, market_id
), detached as (
	select wallet_id, market_id, sum(matched)::bigint as amount from detached_bets where wallet_id >= 1000 group by 1, 2
)
select wallet_id, 'market', market_id, paid.at, coalesce(bound.since, paid.at), coalesce(exact.amount, bound.amount, 0),
	least(exact.amount, bound.amount, coalesce(exact.long_amount, bound.long_amount, 0)), coalesce(exact.worths, '{}')
from player_settlement as paid join market_state using (market_id)
left join exact using (wallet_id, market_id)
left join bound using (wallet_id, market_id)
left join detached using (wallet_id, market_id)
where status = 'SETTLED' and wallet_id >= 1000 and detached.amount is null
union all
select wallet_id, 'market', market_id, paid.at, 0, amount, amount, '{}'
from player_settlement as paid join detached using (wallet_id, market_id)
union all
select wallet_id, game, ref, max(at), min(opened_at),
	greatest(0, sum(stake) - case when is_dealt then sum(payout) else 0 end)::bigint,
	greatest(0, sum(stake) - case when is_dealt then sum(payout) else 0 end)::bigint,
	'{}'
from (
	select wallet_id, data ->> 'game' as game, coalesce((data ->> 'round')::bigint, id) as ref, at, opened_at,
		data ? 'round' and data ->> 'game' <> 'crash' as is_dealt, (data ->> 'stake')::bigint as stake, (data ->> 'payout')::bigint as payout
	from workflow where kind = 'CASINO' and state = 'SETTLED' and wallet_id > 0 and data ? 'game' and data ? 'stake'
) as round group by wallet_id, game, ref, is_dealt;
