-- Triggers that keep an order in the book by one bet after another: icebergs, pegs and brackets.

alter table bet_trigger add column plan jsonb;
alter table bet_trigger add column whole bigint;
alter table bet_trigger add column exit_id bigint;
alter table bet_trigger add column closed bigint;
alter table bet_trigger drop constraint bet_trigger_watches_check;
alter table bet_trigger add constraint bet_trigger_watches_check check (watches in ('LAST_TRADED', 'BEST', 'NONE'));
alter table bet_trigger add constraint bet_trigger_plan_check check ((plan is null) = (watches <> 'NONE') and (plan is null) = (whole is null));
comment on column bet_trigger.plan is 'By which rule its bets follow each other: an ICEBERG with what it shows, a PEG with the price that it follows, a BRACKET with the ticks to its aim and its stop; null for a trigger that places one bet';
comment on column bet_trigger.whole is 'Of a plan: the stake that it was placed with, minor units';
comment on column bet_trigger.exit_id is 'Of a bracket: the latest bet that closes what is matched of its own';
comment on column bet_trigger.closed is 'Of a bracket: Σ stake × price that earlier bets than that closed';
comment on column bet_trigger.stake is 'Of the bet, minor units; of a plan, what it holds for beside its bets, of a bracket at its stop';
comment on column bet_trigger.bet_id is 'The bet that it placed, of a plan the latest one';
comment on column bet_trigger.watches is 'The price of the runner’s last match, or the BEST at which the bet could be matched; NONE for a plan';
