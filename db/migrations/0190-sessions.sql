-- Idle log-ins and locked accounts, where the profile of a brand's jurisdiction knows them.

alter table login add column active_at bigint;
comment on column login.active_at is 'When the player last gave the password or moved money, by the exchange’s clock; some minutes late. Null for a login from before';

create table login_lock (
	player_id bigint primary key references player (player_id),
	locked_at bigint not null,
	code_hash text,
	code_ends_at bigint,
	code_tries integer not null default 0
);
comment on table login_lock is 'Accounts that take no password after too many wrong ones. A code to the proven mobile, or an operator, deletes the row';
comment on column login_lock.code_hash is 'Seal of the latest code that unlocks it; null until one is sent';
comment on column login_lock.code_ends_at is 'End of that code';
comment on column login_lock.code_tries is 'How often a code was tried since it was sent';
