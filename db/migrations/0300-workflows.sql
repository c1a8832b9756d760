-- What moves money other than bets: payments, deposits, withdrawals, bonuses, games. Written by the committer alone, with
-- the postings of its steps.

-- How each one stands.
create table workflow (
	kind text not null,
	id bigint not null,
	-- 0 when only the house is concerned
	wallet_id bigint not null,
	pool text not null,
	state text not null,
	-- number of its last step
	step int not null,
	-- how many postings its steps have made; they are numbered from 0 as posting.step
	postings int not null,
	-- something is still to happen
	is_open boolean not null,
	opened_at bigint not null,
	-- of its last step
	at bigint not null,
	data jsonb not null,
	primary key (kind, id)
);
create index workflow_of_wallet on workflow (wallet_id, kind, id desc);
create index workflow_open on workflow (kind, id) where is_open;

-- What happened to each; rows are only ever added.
create table workflow_step (
	kind text not null,
	id bigint not null,
	step int not null,
	from_state text,
	to_state text not null,
	actor text not null,
	at bigint not null,
	-- what the step changed of the workflow's data
	data jsonb not null,
	primary key (kind, id, step)
);

-- Names that are taken once for ever, such as a bank's reference of a payment.
create table workflow_claim (
	name text primary key,
	kind text not null,
	id bigint not null
);

-- What came from outside, and what the house spends, stands below zero.
alter table house_account drop constraint house_account_check;
alter table house_account add constraint house_account_check check (
	balance >= 0
	or kind in ('mint', 'rounding', 'gateway', 'bank', 'payment_cost', 'casino', 'bonus_cost', 'referral_cost', 'loss')
);
