-- Pools of further currencies: REAL-EUR is real money as REAL is, and a yen has no parts. Nothing of such a pool was ever
-- written, so no row is looked at.

alter table workflow add constraint workflow_simulator_moves_no_further_real_money
	check (pool not like 'REAL-%' or kind not in ('PAYMENT', 'WITHDRAWAL') or data ->> 'provider' is distinct from 'SIMULATOR')
	not valid;
alter table workflow add constraint workflow_local_beacon_takes_no_further_real_money
	check (pool not like 'REAL-%' or kind <> 'CASINO' or data ->> 'beacon' is distinct from 'local') not valid;

-- Whatever the code does: every posting is of whole coins.
alter table posting add constraint posting_amount_of_coins check (pool not like '%-JPY' or amount % 100 = 0) not valid;

alter table simulated_payment add column currency text not null default 'INR';
alter table simulated_payment alter column currency drop default;
comment on column simulated_payment.currency is 'Of its amounts, ISO 4217';

comment on column wallet.pool is 'DEMO, PLAY or REAL, or one of them in a further currency, such as REAL-EUR: pools never meet';
comment on column served_pools.pools is 'Some of the pools: POOLS of every process of this database';
