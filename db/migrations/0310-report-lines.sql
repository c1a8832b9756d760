-- What reports of the payment provider and statements of the bank said: an order that one of them has named is not missing
-- from the next one.
create table report_line (
	-- PROVIDER or BANK
	source text not null,
	pool text not null,
	-- direction and reference of the transfer
	key text not null,
	amount bigint not null,
	at bigint not null,
	primary key (source, pool, key)
);
