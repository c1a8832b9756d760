-- Webhooks of the payment provider, as they came. One that was applied is DONE, one that failed for a day DEAD.
create table payment_webhook (
	provider text not null,
	event_id text not null,
	received_at bigint not null,
	body bytea not null,
	state text not null,
	tries int not null,
	next_at bigint not null,
	primary key (provider, event_id)
);
create index payment_webhook_new on payment_webhook (next_at) where state = 'NEW';

-- The books of the simulated payment provider, which stands for one elsewhere.
create table simulated_payment (
	reference text primary key,
	provider_id text not null,
	amount bigint not null,
	paid bigint not null,
	outcome text not null,
	status text not null,
	utr text,
	due_at bigint,
	expires_at bigint not null
);
create index simulated_payment_due on simulated_payment (due_at) where due_at is not null;
create table simulated_payout (
	reference text primary key,
	amount bigint not null,
	status text not null,
	utr text,
	due_at bigint not null
);

-- What protects a player: limits the player chose, raises that wait, time-out, exclusion, closure, freezing.
create table player_protection (
	player_id bigint primary key,
	record jsonb not null
);
-- Persons who excluded themselves, by their mobile: it holds for every domain, and for accounts made later.
create table exclusion (
	mobile text primary key,
	until_at bigint not null
);
