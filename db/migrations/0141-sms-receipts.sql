-- A message goes by another gateway when the first one fails, and the gateway says whether it arrived.

alter table outbox add column gateway integer not null default 0;
alter table outbox add column delivered_at bigint;
comment on column outbox.gateway is 'How often it was handed from one gateway to the next: the gateway that sends it is counted from it';
comment on column outbox.delivered_at is 'When the gateway said that it arrived; null before, and for ever where gateways send no receipts';
