-- Engines by pool: which pools this database has, so that no process with other pools serves it by mistake.

create table served_pools (
	id smallint primary key check (id = 1),
	ledger_id uuid not null default gen_random_uuid(),
	pools text[] not null
);
comment on table served_pools is 'What an engine of this database serves: one row, written at the first start. Pools may leave it, and none comes';
comment on column served_pools.ledger_id is 'Tells this ledger from the one of another engine, which would serve the same pool';
comment on column served_pools.pools is 'DEMO, PLAY and REAL, or some of them: POOLS of every process of this database';

create index wallet_of_pool on wallet (pool);
