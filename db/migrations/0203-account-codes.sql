-- Codes that are asked for by an account's name belong to the device that asked, so that a stranger's requests and tries
-- take none from the owner.

create table account_code (
	player_id bigint not null references player,
	purpose text not null check (purpose in ('RESET', 'UNLOCK')),
	device text not null,
	network text not null,
	code_hash text not null,
	code_ends_at bigint not null,
	device_tries integer not null default 0,
	network_tries integer not null default 0,
	primary key (player_id, purpose, device)
);
comment on table account_code is 'Seals of one-time codes by which a player sets a new password or unlocks the account: the latest of each device that asked';
comment on column account_code.device is 'In the sealed cookie of the browser that asked';
comment on column account_code.network is 'The network that asked: a client without the cookie tries the latest code of its network';
comment on column account_code.code_ends_at is 'End of the code, in milliseconds; the next request of the account deletes ended rows';
comment on column account_code.device_tries is 'How often the device tried the code';
comment on column account_code.network_tries is 'How often clients without the cookie tried it';

-- Releases before this one write them while they serve.
comment on table password_reset is 'Not used since account_code has these codes';
comment on column login_lock.code_hash is 'Not used since account_code has the codes, nor are code_ends_at and code_tries';
comment on column code_budget.account is 'Brand, folded name and mobile of a registration; a player; or a purpose, brand, folded name and network';
