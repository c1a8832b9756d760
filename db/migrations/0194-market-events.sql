-- What happened in markets that bets and matches do not tell, so that a market can be shown as it was at any time.

create table market_event (
	batch bigint not null,
	line integer not null,
	at bigint not null,
	market_id bigint not null,
	what text not null,
	bet_id bigint,
	stake bigint,
	price integer,
	status text,
	in_play boolean,
	version integer,
	constraint market_event_pkey primary key (batch, line)
);
comment on table market_event is 'Changes of markets and of resting bets that no other table has with their time, in the batch that made them. Together with bet and bet_match they give each book as it was. Unmatched quotes of the house are in none of them';
comment on column market_event.line is 'Row number within the batch';
comment on column market_event.what is 'CANCELLED or LAPSED: so much of a bet left the book; DELAYED, ADMITTED: a bet began its bet delay, and reached the book; REPRICED: a bet got another price; MARKET: the market had this state at the end of the batch';
comment on column market_event.stake is 'Of CANCELLED and LAPSED, paise';
comment on column market_event.price is 'Of REPRICED: the price before, hundredths';
create index market_event_of_market on market_event (market_id, batch, line);
