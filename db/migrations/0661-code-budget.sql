-- When one-time codes were sent for an account, whether or not there is such a registration.
create table code_budget (
	-- brand, folded name and mobile
	account text primary key,
	-- the last hour's, oldest first
	sent_at bigint[] not null
);

-- Tries of the present code by the device that registered; those of all others are in code_tries.
alter table registration add column device_tries int not null default 0;
