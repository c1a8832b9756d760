-- Which rule the digest of the lease was made by. Another version of the engine may count otherwise; it does not compare then.
alter table lease add column digest_format int not null default 1;
