-- Players and their logins, the persons behind accounts, and the operator’s staff. Tokens, codes and passwords are here as
-- hashes or seals alone.

-- Players.

create table player (
	player_id bigint primary key,
	brand text not null,
	user_name text not null,
	name_key text not null,
	password_hash text,
	is_demo boolean not null,
	pool text not null,
	stakes jsonb,
	created_at bigint not null,
	mobile text,
	referral_code text,
	mobile_verified_at bigint,
	invited_by bigint references player (player_id),
	invitation_root bigint references player (player_id),
	unique (brand, name_key)
);
comment on table player is 'Players and their accounts. Money is in wallet under the same id, permissions in player_protection';
comment on column player.brand is 'Host of the brand';
comment on column player.name_key is 'The name in lower case: no two players of a brand differ in case alone';
comment on column player.password_hash is 'Null for demo players, who have no password';
comment on column player.stakes is 'Stake presets that the player saved; null for the brand’s';
comment on column player.mobile is '+91 and ten digits; null without one';
comment on column player.referral_code is 'The code that the player entered at the registration; null without one';
comment on column player.mobile_verified_at is 'When a code proved the mobile; null while only the account says it';
comment on column player.invited_by is 'The player whose code the account registered with; null without an invitation';
comment on column player.invitation_root is 'The first player of that tree of invitations; null without an invitation';
-- Whether a mobile has an account already.
create index player_mobile on player (brand, mobile) where mobile is not null;
-- The console finds players by the beginning of their names, and by mobile whatever the brand.
create index player_name_prefix on player (name_key text_pattern_ops);
create index player_mobile_of_any on player (mobile) where mobile is not null;
-- Lifetime figures of the players who signed up in a period.
create index player_by_sign_up on player (created_at);
create index player_invitation_root on player (invitation_root) where invitation_root is not null;

create table player_closed_sport (
	player_id bigint not null references player (player_id),
	sport text not null,
	primary key (player_id, sport)
);
comment on table player_closed_sport is 'Sports that an operator closed to one player although the brand shows them';

create table player_preference (
	player_id bigint primary key references player,
	language text,
	show_balance boolean,
	show_exposure boolean
);
comment on table player_preference is 'Preferences of a player, the same on every device; null until the player has chosen. No fact about money or access, so the journal does not cover it';
comment on column player_preference.show_balance is 'Whether the site shows the balance';
comment on column player_preference.show_exposure is 'Whether the site shows the exposure';

create table pinned_event (
	player_id bigint not null references player,
	event_id text not null,
	pinned_at_ms bigint not null,
	primary key (player_id, event_id)
);
comment on table pinned_event is 'Events that a player pinned, the same on every device. No fact about money or access, so the journal does not cover it';

-- Sign-up and one-time codes.

create table registration (
	registration_id text primary key,
	brand text not null,
	user_name text not null,
	name_key text not null,
	mobile text not null,
	password_hash text not null,
	referral_code text,
	created_at bigint not null,
	ends_at bigint not null,
	code_hash text not null,
	code_ends_at bigint not null,
	code_tries int not null,
	codes_sent int not null,
	code_texted boolean not null default false,
	device_tries int not null default 0,
	unique (brand, name_key, mobile)
);
comment on table registration is 'Future players. A registration becomes a row of player when its code is given, or ends. Several may hold one name: the first whose code comes back becomes the player. The same name with the same mobile is one registration';
comment on column registration.mobile is '+91 and ten digits';
comment on column registration.code_hash is 'The latest code, sealed with the server’s key; earlier ones are worth nothing';
comment on column registration.code_tries is 'Tries of the latest code by all devices but the one that registered';
comment on column registration.codes_sent is 'How many codes were made, the first included';
comment on column registration.code_texted is 'The latest code went to the mobile; one that the page was told proves nothing';
comment on column registration.device_tries is 'Tries of the latest code by the device that registered';

create table code_budget (
	account text primary key,
	sent_at bigint[] not null
);
comment on table code_budget is 'When one-time codes were sent again for an account, whether or not there is such a registration';
comment on column code_budget.account is 'Brand, folded name and mobile of a registration, or a player';
comment on column code_budget.sent_at is 'The last hour’s, oldest first';

create table mobile_proof (
	player_id bigint primary key references player (player_id),
	mobile text not null,
	code_hash text not null,
	code_ends_at bigint not null,
	code_tries int not null
);
comment on table mobile_proof is 'A code that is on its way to a mobile, which proves that it is the player’s';
comment on column mobile_proof.code_hash is 'The latest code, sealed with the server’s key; earlier ones are worth nothing';

create table outbox (
	message_id text primary key,
	at bigint not null,
	brand text not null,
	mobile text not null,
	text text not null,
	tries int not null,
	sent_at bigint
);
comment on table outbox is 'Text messages to players. Without a gateway they stay here for operators to read. Housekeeping deletes them after a day';
comment on column outbox.text is 'Empty once a gateway took the message';
comment on column outbox.sent_at is 'Null while the message waits, or for ever without a gateway';

-- Logins.

create table login (
	login_id text primary key,
	player_id bigint not null references player (player_id),
	brand text not null,
	generation int not null,
	rotated_at bigint not null,
	access_expires_at bigint not null,
	expires_at bigint not null,
	code_digest text,
	parent_login_id text
);
comment on table login is 'Logins of players: a family of tokens on one device. A token names the login and its generation and is sealed with the server’s key, so it stands nowhere';
comment on column login.generation is 'Rises with each refresh; tokens carry it';
comment on column login.rotated_at is 'When it was refreshed last';
comment on column login.access_expires_at is 'End of the access token';
comment on column login.expires_at is 'End of the login: no refresh after it';
comment on column login.code_digest is 'Of a back end’s login: digest of its authorization code, so that a second use of the code ends the login even after a restart';
comment on column login.parent_login_id is 'Of a back end’s login: the player’s login that ends this one, where the client asks for that';

create table login_attempt (
	attempt_id text primary key,
	at bigint not null,
	brand text not null,
	player_id bigint,
	address text not null,
	succeeded boolean not null,
	is_new_device boolean
);
comment on table login_attempt is 'Each try of a password. A name without an account gets a row, too, so that both answers take as long';
comment on column login_attempt.player_id is 'Null for a name without an account: the row holds no trace of the name';
comment on column login_attempt.is_new_device is 'The device had not logged in as the player before. Null where a device shows nothing: a failure, an API key, a player without a password, and attempts from before';
create index login_attempt_player on login_attempt (player_id, at);
-- Accounts that logged in at one address, for operators: a player’s page and the report of suspicious matches.
create index login_attempt_by_address on login_attempt (address, player_id, at) where succeeded;

create table back_end_client (
	client_id text primary key,
	brand text not null,
	name text not null,
	secret_hash text not null,
	redirect_uri text not null,
	created_at bigint not null,
	ends_with_login boolean not null default false
);
comment on table back_end_client is 'Back ends that may change an authorization code into a player’s tokens. An operator registers them';
comment on column back_end_client.ends_with_login is 'Its logins end with the player’s login that authorized it';

-- Players’ bots.

create table api_key (
	key_id bigint primary key,
	player_id bigint not null references player (player_id),
	key_hash text not null unique,
	hint text not null,
	name text not null,
	may_trade boolean not null,
	addresses text[] not null,
	per_second int not null,
	created_at bigint not null,
	used_at bigint
);
comment on table api_key is 'App keys of players’ bots. The player alone has the key itself';
comment on column api_key.hint is 'The last characters, by which the player tells keys apart';
comment on column api_key.addresses is 'Addresses and networks that may use the key; empty for any';
comment on column api_key.per_second is 'Calls a second';
comment on column api_key.used_at is 'The last log-in with it; null before the first';
create index api_key_of_player on api_key (player_id);

create table api_session (
	token_hash text primary key,
	key_id bigint not null references api_key (key_id) on delete cascade,
	password_mark text not null,
	expires_at bigint not null
);
comment on table api_session is 'Log-ins of bots, apart from the logins of the site';
comment on column api_session.password_mark is 'Digest of the password that opened it: another password ends the session';
create index api_session_of_key on api_session (key_id);

create table api_answer (
	player_id bigint not null,
	reference text not null,
	body_hash text not null,
	answer jsonb not null,
	at bigint not null,
	primary key (player_id, reference)
);
comment on table api_answer is 'Answers to calls of bots in which something was refused, so that a repetition gets the same answer. Accepted calls are in request_key';
comment on column api_answer.reference is 'The operation, and the bot’s own name of the call. It counts for a minute';
create index api_answer_at on api_answer (at);

-- Persons: the accounts that proven facts connect, and hints.

create table player_identity (
	player_id bigint primary key references player (player_id),
	fingerprint text not null,
	at bigint
);
comment on table player_identity is 'The document by which an operator knows a player: accounts of one document are one person’s';
comment on column player_identity.fingerprint is 'Keyed hash of kind and number';
comment on column player_identity.at is 'When an operator knew the player by it; null for those from before the time was written down';
create index player_identity_fingerprint on player_identity (fingerprint);

create table shared_device (
	player_id bigint not null references player (player_id),
	other_id bigint not null references player (player_id),
	primary key (player_id, other_id)
);
comment on table shared_device is 'Accounts that were used in one browser, by the cookies of known devices that it showed when it logged in';

create table refuted_fact (
	player_id bigint not null references player (player_id),
	kind text not null check (kind in ('mobile', 'document', 'payout')),
	value text not null,
	at bigint not null,
	operator text not null,
	reason text not null,
	primary key (player_id, kind, value)
);
comment on table refuted_fact is 'Facts that an operator refuted for an account, such as a mobile that has a new owner: they connect it with no other account';
comment on column refuted_fact.value is 'The mobile, or the keyed fingerprint';

create table bar_on_hint (
	player_id bigint primary key references player (player_id),
	others bigint[] not null,
	before jsonb,
	decided_at bigint,
	decided_by text
);
comment on table bar_on_hint is 'Accounts that shared limits and breaks by a mobile that nothing proved, in databases from before mobiles were proven. Each account keeps them as its own until an operator looks at it; no row is added any more';
comment on column bar_on_hint.others is 'The accounts that it shared limits and breaks with';
comment on column bar_on_hint.before is 'Its own record before it kept theirs; null without one';
comment on column bar_on_hint.decided_at is 'When an operator looked at it; null while it waits';
comment on column bar_on_hint.decided_by is 'The operator who decided';

-- The operator’s staff.

create table staff (
	staff_id bigint generated always as identity primary key,
	name text not null,
	name_key text not null unique,
	password_hash text not null,
	roles text[] not null,
	brands text[],
	totp_key_id text,
	totp_secret bytea,
	totp_step bigint not null default 0,
	recovery_hashes text[] not null default '{}',
	created_at bigint not null,
	removed_at bigint
);
comment on table staff is 'Members of the operator’s staff, who use the console. Their names are unique for ever, because the journal names them';
comment on column staff.roles is 'Names of built-in roles or of rows of staff_role';
comment on column staff.brands is 'Hosts of the brands this member works for; null for all brands and the things that brands share';
comment on column staff.totp_key_id is 'Fingerprint of the data key that seals totp_secret';
comment on column staff.totp_secret is 'The secret of the one-time codes, sealed with a data key; null until the member has set it up';
comment on column staff.totp_step is 'Time step of the last code that was accepted: a code counts once';
comment on column staff.recovery_hashes is 'Hashes of the recovery codes that are left';
comment on column staff.removed_at is 'Null for a member';

create table staff_session (
	session_id uuid primary key,
	staff_id bigint not null references staff,
	token_hash text not null unique,
	address text not null,
	user_agent text not null,
	created_at bigint not null,
	last_used_at bigint not null,
	factor_at bigint
);
comment on table staff_session is 'Log-ins of members of staff';
comment on column staff_session.token_hash is 'The token itself is in the member’s cookie alone';
comment on column staff_session.factor_at is 'When the second factor was shown in this session; null before';

create table staff_device (
	device_hash text primary key,
	staff_id bigint not null references staff,
	expires_at bigint not null
);
comment on table staff_device is 'Browsers that showed the second factor and need not show it again until expires_at';

create table staff_key (
	key_id text primary key,
	staff_id bigint not null references staff,
	name text not null,
	public_key bytea not null,
	transports text[] not null,
	counter bigint not null,
	created_at bigint not null,
	last_used_at bigint,
	removed_at bigint
);
comment on table staff_key is 'Security keys of members of staff (WebAuthn), beside the codes of an app. A public key opens nothing, so it is not sealed; the journal vouches for the rows, so a key that was added by other means is found';
comment on column staff_key.key_id is 'The credential’s id, base64url';
comment on column staff_key.counter is 'How often the key was used, where the key counts: an answer that does not raise it comes from a copy';
create index staff_key_of on staff_key (staff_id) where removed_at is null;

create table staff_role (
	name text primary key,
	permissions text[] not null
);
comment on table staff_role is 'Roles that the operator made, beside the built-in ones';

create table saved_view (
	staff_id bigint not null,
	name text not null,
	address text not null,
	saved_at bigint not null,
	primary key (staff_id, name)
);
comment on table saved_view is 'Screens of the console that members keep with their filters';
comment on column saved_view.address is 'The console’s path and its query';

create table staff_player (
	player_id bigint primary key references player (player_id),
	staff_id bigint not null references staff (staff_id),
	linked_at bigint not null,
	removed_at bigint
);
comment on table staff_player is 'Members of staff who are players, too: an operator enters them. Members do not decide about their own accounts';
comment on column staff_player.removed_at is 'Null while the link holds';
