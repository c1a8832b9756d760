-- Steps of rules of limits are in the currency of the pool. Those of pools of further currencies had stakes and exposures in
-- rupees; the factors are those by which limits of markets count in these currencies.

update limit_rule set steps = (
	select jsonb_agg(
		step || jsonb_build_object(
			'maxStake', greatest(coin, floor((step ->> 'maxStake')::numeric * times / (parts * coin)) * coin)::bigint,
			'maxExposure', case when step ->> 'maxExposure' is not null then
				greatest(coin, floor((step ->> 'maxExposure')::numeric * times / (parts * coin)) * coin)::bigint end
		) order by number
	) from jsonb_array_elements(steps) with ordinality as numbered (step, number)
)
from (values ('%-EUR', 1, 100, 1), ('%-GBP', 1, 100, 1), ('%-BRL', 1, 20, 1), ('%-JPY', 2, 1, 100))
	as currency (pools, times, parts, coin)
where pool like pools;

comment on column limit_rule.pool is 'Whose money is watched; the amounts of the steps are minor units of its currency';
comment on column limit_rule.steps is '[{from, maxStake, maxExposure}], rising: from a liability on, the largest stake of a bet and the largest exposure of a player in the market, minor units of the pool’s currency; maxExposure is null where it stays';
comment on column tightened_market.base_max_stake is 'What the market gets back when no step is reached, minor units of the home currency';
comment on column tightened_market.set_max_stake is 'What the rules want now, minor units of the home currency';
