-- Bets that the exchange places when a price is reached.

create table bet_trigger (
	trigger_id bigint primary key,
	wallet_id bigint not null,
	market_id bigint not null,
	pool text not null,
	runner int not null,
	side int not null,
	price int not null,
	stake bigint not null,
	persist boolean not null,
	watches text not null check (watches in ('LAST_TRADED', 'BEST')),
	moves text not null check (moves in ('RISES', 'FALLS')),
	at_price int,
	trail int,
	best_price int,
	market_version int,
	placed_at bigint not null,
	due_at bigint,
	status text not null check (status in ('WAITING', 'DUE', 'PLACED', 'CANCELLED', 'LAPSED', 'REFUSED')),
	reason text,
	bet_id bigint unique
);
comment on table bet_trigger is 'Triggers: bets that the exchange places when a price is reached. While one is WAITING or DUE its wallet holds what the bet could lose';
comment on column bet_trigger.trigger_id is 'One of the ids of bets, which no bet has';
comment on column bet_trigger.price is 'The limit of the bet, hundredths';
comment on column bet_trigger.stake is 'Of the bet, paise';
comment on column bet_trigger.persist is 'Trigger and bet stay when the market turns in-play';
comment on column bet_trigger.watches is 'The price of the runner’s last match, or the BEST at which the bet could be matched';
comment on column bet_trigger.moves is 'Whether the price has to rise or to fall to at_price';
comment on column bet_trigger.at_price is 'Where it is reached, hundredths; null for a trailing one that has seen no price, or that would be reached beyond the ladder';
comment on column bet_trigger.trail is 'Of a trailing one: how many ticks behind the best price that it has seen it is reached';
comment on column bet_trigger.best_price is 'Of a trailing one: the best price that it has seen, hundredths';
comment on column bet_trigger.market_version is 'The bet lapses when the market’s version is newer; null for any';
comment on column bet_trigger.due_at is 'When its price was reached, milliseconds since 1970; the bet follows in the next batch in which its market is open';
comment on column bet_trigger.reason is 'Why it lapsed, or the code with which its bet was refused; null otherwise';
comment on column bet_trigger.bet_id is 'The bet that it placed';

-- Starts read the few that wait; players list their own.
create index bet_trigger_live on bet_trigger (market_id) where status in ('WAITING', 'DUE');
create index bet_trigger_of_wallet on bet_trigger (wallet_id, trigger_id);
