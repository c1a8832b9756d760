-- What one press of a panic key suspended, so that it alone is resumed.

create table panic_press (
	press_id bigint generated always as identity primary key,
	at bigint not null,
	actor text not null,
	scope text not null,
	markets jsonb not null
);
comment on table panic_press is 'Presses of panic keys. A row is written when its suspensions are durable; rows are only ever added';
comment on column panic_press.actor is 'The member of staff, as in the journal';
comment on column panic_press.scope is 'A market, an event, a sport, a feed or the platform, as in the journal';
comment on column panic_press.markets is '[{marketId, version, wasOpen}]: the version right after the suspension, and whether the market took bets before. A market with another version has moved on, and is left alone';
create index panic_press_by_time on panic_press (at);
