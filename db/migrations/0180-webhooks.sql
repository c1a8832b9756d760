-- Signed webhooks to the systems of brands: what they subscribed to, what is to be told, and what was delivered.

create table webhook_endpoint (
	endpoint_id uuid primary key,
	brand text not null,
	url text not null,
	kinds text[] not null,
	is_paused boolean not null default false,
	created_at bigint not null,
	key_id text not null,
	secret bytea not null,
	earlier_key_id text,
	earlier_secret bytea,
	earlier_until bigint,
	sequence bigint not null default 0,
	failures integer not null default 0,
	failing_since bigint,
	next_at bigint not null default 0,
	constraint webhook_endpoint_earlier check ((earlier_secret is null) = (earlier_until is null) and (earlier_secret is null) = (earlier_key_id is null)),
	constraint webhook_endpoint_failing check ((failures = 0) = (failing_since is null))
);
comment on table webhook_endpoint is 'Addresses that receive webhooks of a brand. Operators write them, the sender counts failures';
comment on column webhook_endpoint.kinds is 'Kinds of events that it receives: src/contract/webhook-events.ts';
comment on column webhook_endpoint.secret is 'The bytes that sign, encrypted with the key key_id for "webhook ENDPOINT"';
comment on column webhook_endpoint.earlier_secret is 'The secret before the last rotation, which signs too until earlier_until; null without one';
comment on column webhook_endpoint.sequence is 'Number of its last delivery';
comment on column webhook_endpoint.failures is 'Failed attempts in a row; zero while it takes events';
comment on column webhook_endpoint.failing_since is 'First of the failed attempts; null while it takes events';
comment on column webhook_endpoint.next_at is 'It is not asked before; a failed attempt moves it';
create index webhook_endpoint_of_brand on webhook_endpoint (brand);

create table webhook_event (
	event_id uuid primary key,
	line integer not null,
	at bigint not null,
	kind text not null,
	wallet_id bigint,
	data jsonb not null
);
comment on table webhook_event is 'What batches tell: written with the batch, deleted when the deliveries are written. Only kinds that an endpoint subscribed to';
comment on column webhook_event.line is 'Place among the events of the batch';
comment on column webhook_event.wallet_id is 'The player whose brand is told; null for every brand';

create table webhook_delivery (
	endpoint_id uuid not null references webhook_endpoint (endpoint_id) on delete cascade,
	sequence bigint not null,
	event_id uuid not null,
	at bigint not null,
	kind text not null,
	data jsonb not null,
	state text not null check (state in ('WAITING', 'DELIVERED', 'DEAD')),
	tries integer not null default 0,
	next_at bigint not null,
	ended_at bigint,
	status integer,
	reason text,
	primary key (endpoint_id, sequence),
	constraint webhook_delivery_ended check ((state = 'WAITING') = (ended_at is null))
);
comment on table webhook_delivery is 'An event on its way to an endpoint. The sender writes it, and deletes it 30 days after its end';
comment on column webhook_delivery.event_id is 'The header webhook-id, the same in each attempt, by which the receiver knows a repetition';
comment on column webhook_delivery.at is 'When the event happened';
comment on column webhook_delivery.next_at is 'When it is sent next; an attempt moves it before it begins, so that a kill repeats it only after that';
comment on column webhook_delivery.status is 'HTTP status of the last answer; null without one';
comment on column webhook_delivery.reason is 'Why the last attempt failed; null after none, and after a success';
create index webhook_delivery_waiting on webhook_delivery (endpoint_id, next_at, sequence) where state = 'WAITING';
create index webhook_delivery_ended on webhook_delivery (ended_at) where state <> 'WAITING';

create table webhook_cursor (
	id integer primary key check (id = 1),
	journal_seq bigint not null
);
comment on table webhook_cursor is 'How far the journal was read for webhooks. Its only row is locked while deliveries are written';
insert into webhook_cursor (id, journal_seq) values (1, 0);
