-- Mail to players: messages on their way, proven addresses as contacts and log-in names, and recovery of passwords.

create table mail (
	mail_id uuid primary key,
	at bigint not null,
	brand text not null,
	player_id bigint not null references player (player_id),
	sender_name text not null,
	recipient text not null,
	kind text not null,
	subject text not null,
	text text,
	html text,
	about text unique,
	is_code boolean not null,
	worth_until bigint not null,
	state text not null check (state in ('WAITING', 'SENT', 'DEAD')),
	tries integer not null default 0,
	next_at bigint not null,
	ended_at bigint,
	reason text,
	constraint mail_ended check ((state = 'WAITING') = (ended_at is null)),
	constraint mail_text check ((state = 'WAITING') = (text is not null))
);
comment on table mail is 'Messages to players by mail. Requests and the watcher of notices write them, the sender ends them, and deletes them a week later';
comment on column mail.mail_id is 'Its Message-ID, the same in each attempt, by which a receiver knows a repetition';
comment on column mail.about is 'What is written about once; null for what may be written again';
comment on column mail.is_code is 'A player waits for it: it goes first';
comment on column mail.worth_until is 'It is given up after this';
comment on column mail.next_at is 'When it is sent next; an attempt moves it before it begins, so that a kill repeats it only after that';
comment on column mail.text is 'Null once it has ended';
comment on column mail.reason is 'Why the last attempt failed, without addresses; null after none, and after a success';
create index mail_waiting on mail (is_code desc, next_at) where state = 'WAITING';
create index mail_ended on mail (ended_at) where state <> 'WAITING';
create index mail_at on mail (at);
create index mail_of_player on mail (player_id);

create table mail_cursor (
	id integer primary key check (id = 1),
	journal_seq bigint not null
);
comment on table mail_cursor is 'How far the journal was read for notices by mail. Its only row is locked while they are written';
insert into mail_cursor (id, journal_seq) select 1, coalesce(max(seq), 0) from journal;

create table mail_address (
	player_id bigint primary key references player (player_id),
	brand text not null,
	address text not null check (address = lower(address)),
	proven_at bigint not null,
	tells_limits boolean not null default true,
	tells_withdrawals boolean not null default true,
	tells_statement boolean not null default true,
	statement_month integer
);
comment on table mail_address is 'Proven addresses of players: contact and log-in name. One that is not proven is in mail_proof alone, and counts for nothing';
comment on column mail_address.tells_limits is 'Whether a change of limits is told; what guards the account is told always';
comment on column mail_address.statement_month is 'The last month whose statement was written, such as 202611; null before the first';
create unique index mail_address_once on mail_address (brand, address);

create table mail_proof (
	player_id bigint primary key references player (player_id),
	address text not null check (address = lower(address)),
	code_hash text,
	code_ends_at bigint not null,
	code_tries integer not null default 0
);
comment on table mail_proof is 'The address that a player wants to prove, and the seal of the latest code that was sent to it';
comment on column mail_proof.code_hash is 'Null for an address that another account of the brand has: its owner is told, and no code proves it';

create table password_reset (
	player_id bigint primary key references player (player_id),
	code_hash text not null,
	code_ends_at bigint not null,
	code_tries integer not null default 0
);
comment on table password_reset is 'The seal of the latest code by which a player sets a new password without the old one';

create index workflow_withdrawal_paid on workflow (at) where kind = 'WITHDRAWAL' and state = 'PAID';
