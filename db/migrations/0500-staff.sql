-- Members of the operator's staff, who use the console. Their names are unique for ever, because the journal names them.
create table staff (
	staff_id bigint generated always as identity (start with 1) primary key,
	name text not null,
	name_key text not null unique,
	password_hash text not null,
	-- names of built-in roles or of rows of staff_role
	roles text[] not null,
	-- hosts of the brands this member works for; null: of all brands, and of what brands share
	brands text[],
	-- the secret of the one-time codes, sealed with a data key; null until the member has set it up
	totp_key_id text,
	totp_secret bytea,
	-- the time step of the last code that was accepted: a code counts once
	totp_step bigint not null default 0,
	-- hashes of the recovery codes that are left
	recovery_hashes text[] not null default '{}',
	created_at bigint not null,
	removed_at bigint
);

create table staff_session (
	session_id uuid primary key,
	staff_id bigint not null references staff,
	-- the token itself is in the member's cookie alone
	token_hash text not null unique,
	address text not null,
	user_agent text not null,
	created_at bigint not null,
	last_used_at bigint not null,
	-- when the second factor was shown in this session; null before
	factor_at bigint
);

-- Browsers that showed the second factor and need not show it again until then.
create table staff_device (
	device_hash text primary key,
	staff_id bigint not null references staff,
	expires_at bigint not null
);

-- Roles beside the built-in ones.
create table staff_role (
	name text primary key,
	permissions text[] not null
);

-- What one member proposes and another confirms.
create table proposal (
	proposal_id bigint generated always as identity primary key,
	act text not null,
	input jsonb not null,
	subject text not null,
	reason text not null,
	-- what the confirmation will do, and a digest of the state it was computed from
	preview jsonb not null,
	basis text not null,
	proposed_by bigint not null references staff,
	proposed_at bigint not null,
	state text not null check (state in ('OPEN', 'APPLYING', 'APPLIED', 'REFUSED', 'WITHDRAWN')),
	decided_by bigint references staff,
	decided_at bigint,
	-- the code of the refusal
	outcome text
);
create index proposal_open on proposal (proposed_at) where state in ('OPEN', 'APPLYING');
