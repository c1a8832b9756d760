-- What was traded in a market, by the minute: for charts, and for the volume of trades that have no other row. A row is
-- written when its minute is over, beside the ledger. `bars` is a JSON list of [pool, runner, first, last, low, high,
-- stake, value, total]: the time of the first trade after `minute`, prices in hundredths, stakes in paise, Σ stake × price,
-- and what the runner had traded in all.
create table trade_minute (
	market_id bigint not null,
	-- Milliseconds since 1970 at its beginning.
	minute bigint not null,
	bars text not null,
	primary key (market_id, minute)
);
create index trade_minute_by_time on trade_minute using brin (minute);

-- What open markets traded so far. A match from before its time was written down was made when its taker was placed.
insert into trade_minute (market_id, minute, bars)
select market_id, minute, json_agg(json_build_array(pool, runner, first, last, low, high, stake, value, 0))::text
from (
	select met.market_id, taker.pool, met.runner, coalesce(met.at, taker.placed_at) / 60000 * 60000 as minute,
		min(coalesce(met.at, taker.placed_at) % 60000) as first,
		(array_agg(met.price order by met.batch desc, met.line desc))[1] as last,
		min(met.price) as low, max(met.price) as high, sum(met.stake) as stake, sum(met.stake * met.price) as value
	from bet_match as met
	join bet as taker on taker.bet_id = met.taker_bet_id
	join market_state on market_state.market_id = met.market_id and not market_state.is_over
	group by 1, 2, 3, 4
) as traded
group by market_id, minute;
