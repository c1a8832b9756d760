-- The first report of its provider that named a transaction: what an earlier report has named is not missing from the next.
-- Days since 1970, UTC.
alter table provider_transaction add column reported_on int;
