-- A start reads the accounts that hold something. An index on the balance itself made each posting of an account a new entry
-- in all its indexes; this column changes only when the account becomes empty, or is no longer.
drop index if exists house_account_in_use;
alter table house_account add column in_use boolean generated always as (balance <> 0) stored;
create index house_account_in_use on house_account (kind, pool, owner) where in_use;
