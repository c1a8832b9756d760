-- A brand's rule lowers the limits of its own players alone.

alter table tightened_market add column brand text not null default '';
alter table tightened_market alter column brand drop default;
alter table tightened_market drop constraint tightened_market_pkey;
alter table tightened_market add primary key (market_id, brand);
comment on table tightened_market is 'Markets whose limits rules have lowered, or operators have set against a rule: for all players, or for those of one brand. Written before the limits are changed, so that a restart changes them once';
comment on column tightened_market.brand is 'Host of the brand whose players the limits are for; empty for all players';
comment on column tightened_market.is_applied is 'Whether the market has been changed; true for a brand, whose limits are read from this row';
