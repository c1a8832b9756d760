-- What a player wants for certain before a market is cashed out for him, paise, may be below zero.
create table auto_cash_out (
	wallet_id bigint not null,
	market_id bigint not null,
	target bigint not null,
	set_at bigint not null,
	primary key (wallet_id, market_id)
);
