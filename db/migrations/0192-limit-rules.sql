-- Limits of markets that tighten themselves as liability grows.

create table limit_rule (
	rule_id bigint generated always as identity primary key,
	sport text not null,
	market_type text not null,
	brand text not null,
	pool text not null,
	watches text not null check (watches in ('HOUSE', 'PLAYER')),
	relax_percent integer not null check (relax_percent between 1 and 99),
	steps jsonb not null check (jsonb_typeof(steps) = 'array' and jsonb_array_length(steps) > 0),
	unique (sport, market_type, brand, pool, watches)
);
comment on table limit_rule is 'Rules by which the limits of markets are lowered by steps. The journal has each change';
comment on column limit_rule.sport is 'Key of a sport; empty for every sport';
comment on column limit_rule.market_type is 'A market type, such as MATCH_ODDS; empty for every type';
comment on column limit_rule.brand is 'Host of the brand whose players are watched; empty for all players';
comment on column limit_rule.watches is 'HOUSE: what the house can lose in a market; PLAYER: the largest loss that one player can have in it';
comment on column limit_rule.relax_percent is 'A step ends when what is watched falls below this share of its threshold';
comment on column limit_rule.steps is '[{from, maxStake, maxExposure}], rising: from a liability on, the largest stake of a bet and the largest exposure of a player in the market, paise; maxExposure is null where it stays';

create table tightened_market (
	market_id bigint primary key,
	base_max_stake bigint not null check (base_max_stake > 0),
	base_max_exposure bigint not null check (base_max_exposure >= 0),
	set_max_stake bigint not null check (set_max_stake > 0 and set_max_stake <= base_max_stake),
	set_max_exposure bigint not null check (set_max_exposure >= 0),
	reached jsonb not null,
	waived jsonb not null,
	is_applied boolean not null,
	at bigint not null
);
comment on table tightened_market is 'Markets whose limits rules have lowered, or operators have set against a rule. Written before the market is changed, so that a restart changes it once';
comment on column tightened_market.base_max_stake is 'What the market gets back when no step is reached, paise';
comment on column tightened_market.base_max_exposure is 'The same of the exposure of a player; 0 sets no limit';
comment on column tightened_market.set_max_stake is 'What the rules want now, paise';
comment on column tightened_market.set_max_exposure is 'The same of the exposure of a player; 0 sets no limit';
comment on column tightened_market.reached is '[rule_id, step] of the steps that hold, steps numbered from 0';
comment on column tightened_market.waived is '[rule_id, step] of the steps that an operator overruled: they act again once the liability has fallen below them';
comment on column tightened_market.is_applied is 'Whether the market has been changed';
