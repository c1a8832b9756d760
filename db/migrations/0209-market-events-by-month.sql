-- What happened in markets leaves with the bets of its month. The rows so far are in the default partition until the
-- server makes their months, at this start.

alter table market_event rename to market_event_default;
alter table market_event_default drop constraint market_event_pkey;
drop index market_event_of_market;
create table market_event (like market_event_default including comments) partition by range (at);
comment on table market_event is 'Changes of markets and of resting bets that no other table has with their time, in the batch that made them, by month. Together with bet and bet_match they give each book as it was. Unmatched quotes of the house are in none of them';
comment on table market_event_default is null;
alter table market_event add constraint market_event_pkey primary key (batch, line, at);
create index market_event_of_market on market_event (market_id, batch, line);
alter table market_event attach partition market_event_default default;

alter table detached_month add column last_event_batch bigint;
alter table detached_month add column last_event_line int;
alter table detached_month add column events int;
comment on column detached_month.last_event_batch is 'Of its last market event; null without one';
comment on column detached_month.last_event_line is 'Of its last market event; null without one';
comment on column detached_month.events is 'How many market events went with it; null for a month that was detached when they had no months';
