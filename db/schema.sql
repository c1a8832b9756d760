-- The schema as the migrations make it. Written by `npx vitest run test/ledger/schema.test.ts --update`; never edited.

-- Acts of operators from before they begin until their row of the journal is written: a kill in between leaves the act here, and the next start writes its row
create table act_under_way (
	act_id uuid not null,
	at bigint not null,
	actor text not null,
	address text,
	act text not null,
	subject text not null,
	details jsonb,
	before jsonb
);
alter table act_under_way add constraint act_under_way_pkey PRIMARY KEY (act_id);

-- Answers to calls of bots in which something was refused. What was accepted is in request_key
create table api_answer (
	player_id bigint not null,
	reference text not null,
	body_hash text not null,
	answer jsonb not null,
	at bigint not null
);
alter table api_answer add constraint api_answer_pkey PRIMARY KEY (player_id, reference);
CREATE INDEX api_answer_at ON public.api_answer USING btree (at);

-- App keys of players’ bots. The key itself is with its player alone
create table api_key (
	key_id bigint not null,
	player_id bigint not null,
	key_hash text not null,
	hint text not null,
	name text not null,
	may_trade boolean not null,
	addresses text[] not null,
	per_second integer not null,
	created_at bigint not null,
	used_at bigint
);
alter table api_key add constraint api_key_key_hash_key UNIQUE (key_hash);
alter table api_key add constraint api_key_pkey PRIMARY KEY (key_id);
alter table api_key add constraint api_key_player_id_fkey FOREIGN KEY (player_id) REFERENCES player(player_id);
CREATE INDEX api_key_of_player ON public.api_key USING btree (player_id);

-- Log-ins of bots: apart from the logins of the site
create table api_session (
	token_hash text not null,
	key_id bigint not null,
	password_mark text not null,
	expires_at bigint not null
);
alter table api_session add constraint api_session_key_id_fkey FOREIGN KEY (key_id) REFERENCES api_key(key_id) ON DELETE CASCADE;
alter table api_session add constraint api_session_pkey PRIMARY KEY (token_hash);
CREATE INDEX api_session_of_key ON public.api_session USING btree (key_id);

-- What a player wants for certain before a market is cashed out automatically; paise, may be below zero
create table auto_cash_out (
	wallet_id bigint not null,
	market_id bigint not null,
	target bigint not null,
	set_at bigint not null
);
alter table auto_cash_out add constraint auto_cash_out_pkey PRIMARY KEY (wallet_id, market_id);

-- Back ends that may change an authorization code into a player’s tokens
create table back_end_client (
	client_id text not null,
	brand text not null,
	name text not null,
	secret_hash text not null,
	redirect_uri text not null,
	created_at bigint not null,
	ends_with_login boolean not null default false
);
alter table back_end_client add constraint back_end_client_pkey PRIMARY KEY (client_id);

-- What accounts shared by a mobile that nothing proved. Each of them keeps it as its own, and operators look at it
create table bar_on_hint (
	player_id bigint not null,
	others bigint[] not null,
	before jsonb,
	decided_at bigint,
	decided_by text
);
alter table bar_on_hint add constraint bar_on_hint_pkey PRIMARY KEY (player_id);
alter table bar_on_hint add constraint bar_on_hint_player_id_fkey FOREIGN KEY (player_id) REFERENCES player(player_id);

-- The commands of each batch, from which a standby builds its own engine. Housekeeping deletes old rows
create table batch_command (
	batch bigint not null,
	part integer not null,
	epoch bigint not null,
	previous bigint not null,
	digest text not null,
	at bigint not null,
	format integer not null,
	commands text not null
);
alter table batch_command add constraint batch_command_pkey PRIMARY KEY (batch, part);

-- What each batch wrote, sealed with a key that is not in the database: an entry for each row, and the chain over them
create table batch_seal (
	batch bigint not null,
	part integer not null,
	key_id text not null,
	entries bytea not null,
	chain bytea not null
);
alter table batch_seal add constraint batch_seal_pkey PRIMARY KEY (batch, part);

-- Bets, by the month in which they were placed. Price in hundredths, amounts in paise; profit_exact in hundredths of a paisa
create table bet (
	bet_id bigint not null,
	wallet_id bigint not null,
	market_id bigint not null,
	pool text not null,
	runner integer not null,
	side smallint not null,
	price integer not null,
	stake bigint not null,
	persist boolean not null,
	placed_at bigint not null,
	matched bigint not null,
	matched_value bigint not null,
	remaining bigint not null,
	cancelled bigint not null,
	lapsed bigint not null,
	voided bigint not null,
	result text,
	profit_exact bigint,
	ended_at bigint,
	fill_or_kill boolean not null default false,
	fills jsonb,
	delay jsonb,
	parts integer not null default 1,
	queued_after bigint,
	matched_at bigint
) partition by range (placed_at);
alter table bet add constraint bet_check CHECK ((stake = ((((matched + remaining) + lapsed) + cancelled) + voided)));
alter table bet add constraint bet_pkey PRIMARY KEY (bet_id, placed_at);
CREATE INDEX bet_of_market ON ONLY public.bet USING btree (market_id) WHERE (ended_at IS NULL);
CREATE INDEX bet_of_settled_market ON ONLY public.bet USING btree (market_id, ended_at) WHERE (result IS NOT NULL);
CREATE INDEX bet_of_wallet ON ONLY public.bet USING btree (wallet_id, bet_id DESC);

create table bet_default partition of bet DEFAULT;
alter table bet_default add constraint bet_check CHECK ((stake = ((((matched + remaining) + lapsed) + cancelled) + voided)));

-- Who met whom, at what price and for how much, by the month of the match
create table bet_match (
	batch bigint not null,
	line integer not null,
	taker_bet_id bigint not null,
	maker_bet_id bigint not null,
	market_id bigint not null,
	runner integer not null,
	price integer not null,
	stake bigint not null,
	taker_side smallint not null,
	at bigint
) partition by range (at);
alter table bet_match add constraint bet_match_batch_line_at_key UNIQUE (batch, line, at);
CREATE INDEX match_of_market ON ONLY public.bet_match USING btree (market_id, runner);

create table bet_match_default partition of bet_match DEFAULT;

-- What a bot calls a bet: written with the bet, in the same batch
create table bet_reference (
	bet_id bigint not null,
	order_ref text,
	strategy_ref text
);
alter table bet_reference add constraint bet_reference_pkey PRIMARY KEY (bet_id);

-- Brands by host: settings and looks, as operators changed them last
create table brand (
	host text not null,
	setting jsonb not null,
	version integer not null default 1,
	from_seed boolean not null default false
);
alter table brand add constraint brand_pkey PRIMARY KEY (host);

-- When one-time codes were sent for an account, whether or not there is such a registration
create table code_budget (
	account text not null,
	sent_at bigint[] not null
);
alter table code_budget add constraint code_budget_pkey PRIMARY KEY (account);

-- What the detached bets come to: settlements and the turnover of players still need it
create table detached_bets (
	month text not null,
	market_id bigint not null,
	wallet_id bigint not null,
	matched bigint not null,
	profit numeric not null
);
alter table detached_bets add constraint detached_bets_month_fkey FOREIGN KEY (month) REFERENCES detached_month(month) ON DELETE CASCADE;
alter table detached_bets add constraint detached_bets_pkey PRIMARY KEY (market_id, wallet_id, month);
CREATE INDEX detached_bets_of_wallet ON public.detached_bets USING btree (wallet_id);

-- The months that were detached, the oldest first. Bet ids and batches rise with time, so a month ends at its last ones
create table detached_month (
	month text not null,
	last_bet_id bigint not null,
	last_batch bigint,
	last_line integer,
	bets integer not null,
	matches integer not null,
	key_id text not null,
	seal bytea not null
);
alter table detached_month add constraint detached_month_pkey PRIMARY KEY (month);

-- Persons who excluded themselves, by their document; see the table exclusion for mobiles
create table excluded_identity (
	fingerprint text not null,
	until_at bigint not null
);
alter table excluded_identity add constraint excluded_identity_pkey PRIMARY KEY (fingerprint);

-- Persons who excluded themselves, by their mobile: it holds for every brand, and for accounts made later
create table exclusion (
	mobile text not null,
	until_at bigint not null
);
alter table exclusion add constraint exclusion_pkey PRIMARY KEY (mobile);

-- What feeds said against what stands, until a member closes it: a result that the feed takes back, another one than was paid, a result that nothing can be paid by. The same words wait once for a market
create table feed_finding (
	finding_id bigint not null generated always as identity,
	market_id bigint not null,
	words text not null,
	holds boolean not null,
	reported_at bigint not null,
	closed_by bigint,
	closed_at bigint
);
alter table feed_finding add constraint feed_finding_check CHECK (((closed_by IS NULL) = (closed_at IS NULL)));
alter table feed_finding add constraint feed_finding_closed_by_fkey FOREIGN KEY (closed_by) REFERENCES staff(staff_id);
alter table feed_finding add constraint feed_finding_market_id_fkey FOREIGN KEY (market_id) REFERENCES market_listing(id);
alter table feed_finding add constraint feed_finding_pkey PRIMARY KEY (finding_id);
CREATE UNIQUE INDEX feed_finding_open ON public.feed_finding USING btree (market_id, words) WHERE (closed_at IS NULL);

-- How far a feed has come, so that a restarted server goes on where it was
create table feed_progress (
	source text not null,
	source_ref text not null,
	progress jsonb not null
);
alter table feed_progress add constraint feed_progress_pkey PRIMARY KEY (source, source_ref);

-- The catalogue: what is played, what can be bet on, and how it stands. Names may be corrected; money hangs on none of it
create table fixture (
	id bigint not null,
	sport_id integer not null,
	title text not null,
	competition text not null,
	starts_at bigint not null,
	status text not null,
	source text not null,
	source_ref text not null,
	has_tv boolean not null,
	score_line text,
	score jsonb,
	stream_url text,
	ended_at bigint
);
alter table fixture add constraint fixture_pkey PRIMARY KEY (id);
alter table fixture add constraint fixture_source_source_ref_key UNIQUE (source, source_ref);

-- What happened in a fixture that moved its prices, as charts mark it: goals, wickets, sets, falls, the end
create table fixture_mark (
	fixture_id bigint not null,
	at bigint not null,
	kind text not null,
	side smallint
);
alter table fixture_mark add constraint fixture_mark_fixture_id_fkey FOREIGN KEY (fixture_id) REFERENCES fixture(id);
alter table fixture_mark add constraint fixture_mark_pkey PRIMARY KEY (fixture_id, at, kind);

-- The standbys of the exchange
create table follower (
	name text not null,
	epoch bigint,
	batch bigint,
	snapshot text,
	snapshot_batch bigint,
	markets bigint[],
	difference text,
	seen_at timestamp with time zone not null default clock_timestamp(),
	mark text not null default ''::text
);
alter table follower add constraint follower_pkey PRIMARY KEY (name);

-- Rounds that everybody plays together. Each game has a chain of hashes: round by round the next hash decides the result and is revealed after it
create table game_chain (
	game text not null,
	number integer not null,
	commitment text not null,
	length integer not null,
	salt text not null,
	return_percent integer not null,
	is_development boolean not null,
	key_id text not null,
	secret bytea not null,
	first_round bigint not null,
	owner text not null,
	begun_at bigint not null
);
alter table game_chain add constraint game_chain_pkey PRIMARY KEY (game, number);

-- Games of the casino that a player likes, and when the player last opened them, on every device. No fact about money or access, so the journal does not cover it
create table game_mark (
	player_id bigint not null,
	game text not null,
	favourite_since_ms bigint,
	opened_at_ms bigint
);
alter table game_mark add constraint game_mark_pkey PRIMARY KEY (player_id, game);
alter table game_mark add constraint game_mark_player_id_fkey FOREIGN KEY (player_id) REFERENCES player(player_id);

-- The seeds of a player’s rounds, one pair after another. A server seed follows from the server’s key and is written here when it is revealed
create table game_seed_pair (
	wallet_id bigint not null,
	number integer not null,
	client_seed text,
	commitment text not null,
	server_seed text,
	begun_at bigint,
	revealed_at bigint,
	rule smallint not null,
	announced_at bigint,
	rounds integer
);
alter table game_seed_pair add constraint game_seed_pair_announced CHECK (((rule = 1) OR (announced_at IS NOT NULL)));
alter table game_seed_pair add constraint game_seed_pair_begun CHECK (((client_seed IS NULL) = (begun_at IS NULL)));
alter table game_seed_pair add constraint game_seed_pair_pkey PRIMARY KEY (wallet_id, number);
alter table game_seed_pair add constraint game_seed_pair_revealed CHECK (((server_seed IS NULL) OR (client_seed IS NOT NULL)));
alter table game_seed_pair add constraint game_seed_pair_rule CHECK ((rule = ANY (ARRAY[1, 2])));

-- Tokens of one player at one provider’s game. The tokens themselves stand nowhere
create table game_session (
	token_hash text not null,
	kind text not null,
	provider text not null,
	game text not null,
	wallet_id bigint not null,
	brand text not null,
	login_id text not null,
	country text,
	begun_at bigint not null,
	expires_at bigint not null,
	used_at bigint
);
alter table game_session add constraint game_session_pkey PRIMARY KEY (token_hash);
CREATE INDEX game_session_by_end ON public.game_session USING btree (expires_at);
CREATE INDEX game_session_of_player ON public.game_session USING btree (wallet_id, provider);

-- What the house has: commission, casino, pots of markets and the rest of the other side of postings
create table house_account (
	kind text not null,
	pool text not null,
	owner bigint not null,
	balance bigint not null
);
alter table house_account add constraint house_account_check CHECK (((balance >= 0) OR (kind = ANY (ARRAY['mint'::text, 'rounding'::text, 'gateway'::text, 'bank'::text, 'payment_cost'::text, 'casino'::text, 'bonus_cost'::text, 'referral_cost'::text, 'loss'::text]))));
alter table house_account add constraint house_account_pkey PRIMARY KEY (kind, pool, owner);
CREATE INDEX house_account_in_use ON public.house_account USING btree (kind, pool, owner) WHERE (balance <> 0);

-- Documents by which players prove who they are: the number is encrypted, and the pictures are stored images
create table identity_document (
	document_id text not null,
	player_id bigint not null,
	request_id text not null,
	at bigint not null,
	kind text not null,
	masked text not null,
	fingerprint text not null,
	key_id text not null,
	number bytea not null,
	image_refs text[] not null,
	state text not null,
	decided_at bigint,
	decided_by text,
	reason text
);
alter table identity_document add constraint identity_document_check CHECK (((decided_at IS NULL) = (state = 'SUBMITTED'::text)));
alter table identity_document add constraint identity_document_pkey PRIMARY KEY (document_id);
alter table identity_document add constraint identity_document_player_id_fkey FOREIGN KEY (player_id) REFERENCES player(player_id);
alter table identity_document add constraint identity_document_player_id_request_id_key UNIQUE (player_id, request_id);
alter table identity_document add constraint identity_document_state_check CHECK ((state = ANY (ARRAY['SUBMITTED'::text, 'ACCEPTED'::text, 'REJECTED'::text])));
CREATE INDEX identity_document_image ON public.identity_document USING gin (image_refs);
CREATE INDEX identity_document_of_player ON public.identity_document USING btree (player_id, at);
CREATE INDEX identity_document_queue ON public.identity_document USING btree (at) WHERE (state = 'SUBMITTED'::text);
CREATE UNIQUE INDEX identity_document_waiting ON public.identity_document USING btree (player_id) WHERE (state = 'SUBMITTED'::text);

-- What operators and accounts did: by whom, from where, and how things were before and after. Rows are only ever added
create table journal (
	seq bigint not null,
	at bigint not null,
	actor text not null,
	address text,
	act text not null,
	subject text not null,
	details jsonb,
	before jsonb,
	after jsonb,
	outcome text not null,
	player_id bigint,
	player_hash text,
	key_id text,
	chain bytea,
	row_name text,
	row_hash text
);
alter table journal add constraint journal_pkey PRIMARY KEY (seq);
CREATE INDEX journal_by_act ON public.journal USING btree (act, seq DESC);
CREATE INDEX journal_by_actor ON public.journal USING btree (actor, seq DESC);
CREATE INDEX journal_by_subject ON public.journal USING btree (subject, seq DESC);
CREATE INDEX journal_of_player ON public.journal USING btree (player_id, seq) WHERE (player_hash IS NOT NULL);
CREATE INDEX journal_of_row ON public.journal USING btree (row_name, seq) WHERE (row_hash IS NOT NULL);

-- The lease’s epoch with which the journal was opened last. A process that was deposed has an earlier one and appends nothing
create table journal_fence (
	id integer not null,
	epoch bigint not null
);
alter table journal_fence add constraint journal_fence_id_check CHECK ((id = 1));
alter table journal_fence add constraint journal_fence_pkey PRIMARY KEY (id);

-- One row: who may write, how far the ledger is, and what it adds up to
create table lease (
	id smallint not null,
	epoch bigint not null,
	batch bigint not null,
	chain bytea not null,
	digest text not null,
	last_bet_id bigint not null,
	last_reservation bigint not null,
	last_command bigint not null,
	at bigint not null default 0,
	sealed_from bigint,
	sealed_chain bytea,
	digest_format integer not null default 1,
	released boolean not null default false,
	beats boolean not null default true,
	heir text,
	address text,
	holder text,
	announced_ms integer not null default 0
);
alter table lease add constraint lease_id_check CHECK ((id = 1));
alter table lease add constraint lease_pkey PRIMARY KEY (id);

-- Log-ins that may be used, by the hash of their refresh token
create table login (
	login_id text not null,
	player_id bigint not null,
	brand text not null,
	generation integer not null,
	rotated_at bigint not null,
	access_expires_at bigint not null,
	expires_at bigint not null,
	code_digest text,
	parent_login_id text
);
alter table login add constraint login_pkey PRIMARY KEY (login_id);
alter table login add constraint login_player_id_fkey FOREIGN KEY (player_id) REFERENCES player(player_id);

-- Each try of a password. A name that nobody has gets a row, too: both take as long
create table login_attempt (
	attempt_id text not null,
	at bigint not null,
	brand text not null,
	player_id bigint,
	address text not null,
	succeeded boolean not null,
	is_new_device boolean
);
alter table login_attempt add constraint login_attempt_pkey PRIMARY KEY (attempt_id);
CREATE INDEX login_attempt_by_address ON public.login_attempt USING btree (address, player_id, at) WHERE succeeded;
CREATE INDEX login_attempt_player ON public.login_attempt USING btree (player_id, at);

-- Markets as lists and pages name them, with their runners and rules; the state of a market is in market_state
create table market_listing (
	id bigint not null,
	fixture_id bigint not null,
	sort_order integer not null,
	listing jsonb not null
);
alter table market_listing add constraint market_listing_fixture_id_fkey FOREIGN KEY (fixture_id) REFERENCES fixture(id);
alter table market_listing add constraint market_listing_pkey PRIMARY KEY (id);
CREATE INDEX market_listing_of_fixture ON public.market_listing USING btree (fixture_id);

-- Markets as the exchange has them: status, version, results, removals. Names are in market_listing
create table market_state (
	market_id bigint not null,
	pools text[] not null,
	runners integer not null,
	number_of_winners integer not null,
	commission_bp integer not null,
	min_stake bigint not null,
	max_stake bigint not null,
	profit_ratio_rule boolean not null,
	self_match text not null,
	status text not null,
	in_play boolean not null,
	version integer not null,
	results text[],
	traded jsonb not null,
	terms jsonb not null default '{}'::jsonb,
	removed jsonb not null default '[]'::jsonb,
	is_over boolean generated always as ((status = ANY (ARRAY['SETTLED'::text, 'VOIDED'::text]))) stored
);
alter table market_state add constraint market_state_pkey PRIMARY KEY (market_id);
CREATE INDEX market_in_progress ON public.market_state USING btree (market_id) WHERE (NOT is_over);

-- Which numbered files were applied. A file that was applied never changes
create table migration (
	name text not null,
	checksum text not null,
	applied_at timestamp with time zone not null default now()
);
alter table migration add constraint migration_pkey PRIMARY KEY (name);

-- A code that is on its way to a mobile, which proves that it is the player’s
create table mobile_proof (
	player_id bigint not null,
	mobile text not null,
	code_hash text not null,
	code_ends_at bigint not null,
	code_tries integer not null
);
alter table mobile_proof add constraint mobile_proof_pkey PRIMARY KEY (player_id);
alter table mobile_proof add constraint mobile_proof_player_id_fkey FOREIGN KEY (player_id) REFERENCES player(player_id);

-- What each player had at risk in each market and each round of the casino that is decided, written with the decision
create table money_at_risk (
	wallet_id bigint not null,
	what text not null,
	ref bigint not null,
	at bigint not null,
	since bigint not null,
	amount bigint not null,
	long_amount bigint not null,
	worths bigint[]
);
alter table money_at_risk add constraint money_at_risk_amount_check CHECK ((amount >= 0));
alter table money_at_risk add constraint money_at_risk_check CHECK (((long_amount >= 0) AND (long_amount <= amount)));
alter table money_at_risk add constraint money_at_risk_pkey PRIMARY KEY (wallet_id, what, ref);
CREATE INDEX money_at_risk_by_ref ON public.money_at_risk USING btree (what, ref);

-- Text messages to players. Without a gateway they stay here to be read; one that a gateway took keeps no text
create table outbox (
	message_id text not null,
	at bigint not null,
	brand text not null,
	mobile text not null,
	text text not null,
	tries integer not null,
	sent_at bigint
);
alter table outbox add constraint outbox_pkey PRIMARY KEY (message_id);

-- A member’s claim on what waits in the payment queue. It holds while its time is not up, the holder has taken no later step, and is not removed; a row that no longer holds stays until the next claim or release
create table payment_claim (
	kind text not null,
	id bigint not null,
	holder text not null,
	staff_id bigint,
	step integer not null,
	since bigint not null,
	until bigint not null
);
alter table payment_claim add constraint payment_claim_pkey PRIMARY KEY (kind, id);
alter table payment_claim add constraint payment_claim_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff(staff_id);

-- Webhooks of the payment provider, as they came. One that was applied is DONE, one that failed for a day DEAD
create table payment_webhook (
	provider text not null,
	event_id text not null,
	received_at bigint not null,
	body bytea not null,
	state text not null,
	tries integer not null,
	next_at bigint not null
);
alter table payment_webhook add constraint payment_webhook_pkey PRIMARY KEY (provider, event_id);
CREATE INDEX payment_webhook_new ON public.payment_webhook USING btree (next_at) WHERE (state = 'NEW'::text);

-- Where players want their withdrawals: encrypted, shown masked
create table payout_details (
	details_id text not null,
	player_id bigint not null,
	method text not null,
	masked text not null,
	fingerprint text not null,
	key_id text not null,
	bytes bytea not null,
	at bigint not null
);
alter table payout_details add constraint payout_details_pkey PRIMARY KEY (details_id);
alter table payout_details add constraint payout_details_player_id_fingerprint_key UNIQUE (player_id, fingerprint);
CREATE INDEX payout_details_fingerprint ON public.payout_details USING btree (fingerprint);

-- Events that a player pinned, the same on every device
create table pinned_event (
	player_id bigint not null,
	event_id text not null,
	pinned_at_ms bigint not null
);
alter table pinned_event add constraint pinned_event_pkey PRIMARY KEY (player_id, event_id);
alter table pinned_event add constraint pinned_event_player_id_fkey FOREIGN KEY (player_id) REFERENCES player(player_id);

-- Players and their accounts. Money is in wallet, what a player may do in player_protection
create table player (
	player_id bigint not null,
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
	invited_by bigint,
	invitation_root bigint
);
alter table player add constraint player_brand_name_key_key UNIQUE (brand, name_key);
alter table player add constraint player_invitation_root_fkey FOREIGN KEY (invitation_root) REFERENCES player(player_id);
alter table player add constraint player_invited_by_fkey FOREIGN KEY (invited_by) REFERENCES player(player_id);
alter table player add constraint player_pkey PRIMARY KEY (player_id);
CREATE INDEX player_by_sign_up ON public.player USING btree (created_at);
CREATE INDEX player_invitation_root ON public.player USING btree (invitation_root) WHERE (invitation_root IS NOT NULL);
CREATE INDEX player_mobile ON public.player USING btree (brand, mobile) WHERE (mobile IS NOT NULL);
CREATE INDEX player_mobile_of_any ON public.player USING btree (mobile) WHERE (mobile IS NOT NULL);
CREATE INDEX player_name_prefix ON public.player USING btree (name_key text_pattern_ops);

-- Sports that are closed to one player although the brand shows them
create table player_closed_sport (
	player_id bigint not null,
	sport text not null
);
alter table player_closed_sport add constraint player_closed_sport_pkey PRIMARY KEY (player_id, sport);
alter table player_closed_sport add constraint player_closed_sport_player_id_fkey FOREIGN KEY (player_id) REFERENCES player(player_id);

-- The document by which an operator knew a player, as a keyed fingerprint: accounts of one document are one person’s
create table player_identity (
	player_id bigint not null,
	fingerprint text not null,
	at bigint
);
alter table player_identity add constraint player_identity_pkey PRIMARY KEY (player_id);
alter table player_identity add constraint player_identity_player_id_fkey FOREIGN KEY (player_id) REFERENCES player(player_id);
CREATE INDEX player_identity_fingerprint ON public.player_identity USING btree (fingerprint);

-- What members of staff note about a player; rows are only ever added
create table player_note (
	note_id bigint not null generated always as identity,
	player_id bigint not null,
	at bigint not null,
	author text not null,
	note text not null
);
alter table player_note add constraint player_note_pkey PRIMARY KEY (note_id);
CREATE INDEX player_note_of ON public.player_note USING btree (player_id, note_id DESC);

-- What a player prefers on every device. No fact about money or access, so the journal does not cover it
create table player_preference (
	player_id bigint not null,
	language text,
	show_balance boolean,
	show_exposure boolean
);
alter table player_preference add constraint player_preference_pkey PRIMARY KEY (player_id);
alter table player_preference add constraint player_preference_player_id_fkey FOREIGN KEY (player_id) REFERENCES player(player_id);

-- What protects a player: limits the player chose, raises that wait, time-out, exclusion, closure, freezing
create table player_protection (
	player_id bigint not null,
	record jsonb not null
);
alter table player_protection add constraint player_protection_pkey PRIMARY KEY (player_id);

-- What a settled market made or cost each player, after commission
create table player_settlement (
	market_id bigint not null,
	wallet_id bigint not null,
	net bigint not null,
	commission bigint not null,
	profit bigint not null,
	at bigint not null
);
alter table player_settlement add constraint player_settlement_pkey PRIMARY KEY (market_id, wallet_id);
CREATE INDEX player_settlement_by_time ON public.player_settlement USING btree (at);
CREATE INDEX player_settlement_of_wallet ON public.player_settlement USING btree (wallet_id, at DESC);

-- Every move of money, from one account to another. Rows are only ever added
create table posting (
	batch bigint not null,
	line integer not null,
	at bigint not null,
	kind text not null,
	ref bigint not null,
	step integer not null,
	pool text not null,
	debit text not null,
	debit_owner bigint not null,
	credit text not null,
	credit_owner bigint not null,
	amount bigint not null,
	wallet_id bigint not null,
	cash_after bigint not null,
	market_id bigint not null
);
alter table posting add constraint posting_amount_check CHECK ((amount > 0));
alter table posting add constraint posting_pkey PRIMARY KEY (kind, ref, step);
CREATE INDEX posting_by_time ON public.posting USING brin (at);
CREATE INDEX posting_of_market ON public.posting USING btree (market_id) WHERE ((debit = 'exposure'::text) OR (credit = 'exposure'::text));
CREATE INDEX posting_of_wallet ON public.posting USING btree (wallet_id, batch DESC, line DESC);

-- What one member proposes and another confirms
create table proposal (
	proposal_id bigint not null generated always as identity,
	act text not null,
	input jsonb not null,
	subject text not null,
	reason text not null,
	preview jsonb not null,
	basis text not null,
	proposed_by bigint,
	proposed_at bigint not null,
	state text not null,
	decided_by bigint,
	decided_at bigint,
	outcome text,
	half_key_id text,
	half bytea
);
alter table proposal add constraint proposal_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES staff(staff_id);
alter table proposal add constraint proposal_pkey PRIMARY KEY (proposal_id);
alter table proposal add constraint proposal_proposed_by_fkey FOREIGN KEY (proposed_by) REFERENCES staff(staff_id);
alter table proposal add constraint proposal_state_check CHECK ((state = ANY (ARRAY['OPEN'::text, 'APPLYING'::text, 'APPLIED'::text, 'REFUSED'::text, 'WITHDRAWN'::text])));
CREATE INDEX proposal_by_subject ON public.proposal USING btree (subject, proposed_at);
CREATE UNIQUE INDEX proposal_of_feed ON public.proposal USING btree (subject) WHERE ((proposed_by IS NULL) AND (state = ANY (ARRAY['OPEN'::text, 'APPLYING'::text])));
CREATE INDEX proposal_open ON public.proposal USING btree (proposed_at) WHERE (state = ANY (ARRAY['OPEN'::text, 'APPLYING'::text]));

-- Bodies whose signature does not say which call it is for: each belongs to the first call that took it
create table provider_body (
	provider text not null,
	digest text not null,
	call text not null,
	at bigint not null
);
alter table provider_body add constraint provider_body_pkey PRIMARY KEY (provider, digest);
CREATE INDEX provider_body_by_time ON public.provider_body USING btree (at);

-- A day’s transactions, compared with the provider’s own report
create table provider_day (
	provider text not null,
	day integer not null,
	compared_at bigint not null,
	differences integer not null
);
alter table provider_day add constraint provider_day_pkey PRIMARY KEY (provider, day);

-- A provider’s transactions with what each was answered first
create table provider_transaction (
	provider text not null,
	tx_id text not null,
	call text not null,
	request_hash text not null,
	wallet_id bigint,
	round text,
	paid bigint not null default 0,
	received bigint not null default 0,
	outcome text,
	at bigint not null,
	reported_on integer,
	own_id uuid,
	prize bigint not null default 0,
	prize_day integer
);
alter table provider_transaction add constraint provider_transaction_pkey PRIMARY KEY (provider, tx_id);
CREATE INDEX provider_transaction_by_prize ON public.provider_transaction USING btree (provider, prize_day) WHERE (prize_day IS NOT NULL);
CREATE INDEX provider_transaction_by_time ON public.provider_transaction USING btree (provider, at);
CREATE INDEX provider_transaction_of_player ON public.provider_transaction USING btree (provider, wallet_id) WHERE (wallet_id IS NOT NULL);

-- The readiness probe writes this row when nothing was committed for a while
create table readiness_probe (
	id smallint not null,
	probed_at timestamp with time zone not null
);
alter table readiness_probe add constraint readiness_probe_id_check CHECK ((id = 1));
alter table readiness_probe add constraint readiness_probe_pkey PRIMARY KEY (id);

-- Facts that an operator refuted for an account, such as a mobile that has a new owner: they connect it with nobody
create table refuted_fact (
	player_id bigint not null,
	kind text not null,
	value text not null,
	at bigint not null,
	operator text not null,
	reason text not null
);
alter table refuted_fact add constraint refuted_fact_kind_check CHECK ((kind = ANY (ARRAY['mobile'::text, 'document'::text, 'payout'::text])));
alter table refuted_fact add constraint refuted_fact_pkey PRIMARY KEY (player_id, kind, value);
alter table refuted_fact add constraint refuted_fact_player_id_fkey FOREIGN KEY (player_id) REFERENCES player(player_id);

-- A player in the making. It becomes a row of player when its code is given, or ends
create table registration (
	registration_id text not null,
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
	code_tries integer not null,
	codes_sent integer not null,
	code_texted boolean not null default false,
	device_tries integer not null default 0
);
alter table registration add constraint registration_brand_name_key_mobile_key UNIQUE (brand, name_key, mobile);
alter table registration add constraint registration_pkey PRIMARY KEY (registration_id);

-- What reports of the payment provider and statements of the bank said: an order that one of them has named is not missing from the next one
create table report_line (
	source text not null,
	pool text not null,
	key text not null,
	amount bigint not null,
	at bigint not null
);
alter table report_line add constraint report_line_pkey PRIMARY KEY (source, pool, key);

-- What an accepted request was answered, so that its repetition gets the same. Five partitions in turn, by the day of the stamp modulo five, so that old days go by truncation
create table request_key (
	slot smallint not null,
	wallet_id bigint not null,
	client_request_id text not null,
	body_hash text not null,
	answer jsonb not null,
	at bigint not null
) partition by list (slot);
alter table request_key add constraint request_key_pkey PRIMARY KEY (wallet_id, client_request_id, slot);

create table request_key_0 partition of request_key FOR VALUES IN ('0');

create table request_key_1 partition of request_key FOR VALUES IN ('1');

create table request_key_2 partition of request_key FOR VALUES IN ('2');

create table request_key_3 partition of request_key FOR VALUES IN ('3');

create table request_key_4 partition of request_key FOR VALUES IN ('4');

-- Screens of the console that members keep with their filters
create table saved_view (
	staff_id bigint not null,
	name text not null,
	address text not null,
	saved_at bigint not null
);
alter table saved_view add constraint saved_view_pkey PRIMARY KEY (staff_id, name);

-- Accounts that were used in one browser, by the cookies of known devices that it showed when it logged in
create table shared_device (
	player_id bigint not null,
	other_id bigint not null
);
alter table shared_device add constraint shared_device_other_id_fkey FOREIGN KEY (other_id) REFERENCES player(player_id);
alter table shared_device add constraint shared_device_pkey PRIMARY KEY (player_id, other_id);
alter table shared_device add constraint shared_device_player_id_fkey FOREIGN KEY (player_id) REFERENCES player(player_id);

-- The books of the simulated payment provider, which stands for one elsewhere
create table simulated_payment (
	reference text not null,
	provider_id text not null,
	amount bigint not null,
	paid bigint not null,
	outcome text not null,
	status text not null,
	utr text,
	due_at bigint,
	expires_at bigint not null,
	dispute jsonb
);
alter table simulated_payment add constraint simulated_payment_pkey PRIMARY KEY (reference);
CREATE INDEX simulated_payment_due ON public.simulated_payment USING btree (due_at) WHERE (due_at IS NOT NULL);

-- Payouts of the simulated payment provider
create table simulated_payout (
	reference text not null,
	amount bigint not null,
	status text not null,
	utr text,
	due_at bigint not null
);
alter table simulated_payout add constraint simulated_payout_pkey PRIMARY KEY (reference);

-- Members of the operator’s staff, who use the console. Their names are unique for ever, because the journal names them
create table staff (
	staff_id bigint not null generated always as identity,
	name text not null,
	name_key text not null,
	password_hash text not null,
	roles text[] not null,
	brands text[],
	totp_key_id text,
	totp_secret bytea,
	totp_step bigint not null default 0,
	recovery_hashes text[] not null default '{}'::text[],
	created_at bigint not null,
	removed_at bigint
);
alter table staff add constraint staff_name_key_key UNIQUE (name_key);
alter table staff add constraint staff_pkey PRIMARY KEY (staff_id);

-- Browsers that showed the second factor and need not show it again until then
create table staff_device (
	device_hash text not null,
	staff_id bigint not null,
	expires_at bigint not null
);
alter table staff_device add constraint staff_device_pkey PRIMARY KEY (device_hash);
alter table staff_device add constraint staff_device_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff(staff_id);

-- Security keys of members of staff (WebAuthn), beside the codes of an app. A public key opens nothing, so it is not sealed; the journal vouches for the rows, so that nobody adds a key by other means
create table staff_key (
	key_id text not null,
	staff_id bigint not null,
	name text not null,
	public_key bytea not null,
	transports text[] not null,
	counter bigint not null,
	created_at bigint not null,
	last_used_at bigint,
	removed_at bigint
);
alter table staff_key add constraint staff_key_pkey PRIMARY KEY (key_id);
alter table staff_key add constraint staff_key_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff(staff_id);
CREATE INDEX staff_key_of ON public.staff_key USING btree (staff_id) WHERE (removed_at IS NULL);

-- Members of staff who are players, too: an operator says so. Members do not decide about their own accounts
create table staff_player (
	player_id bigint not null,
	staff_id bigint not null,
	linked_at bigint not null,
	removed_at bigint
);
alter table staff_player add constraint staff_player_pkey PRIMARY KEY (player_id);
alter table staff_player add constraint staff_player_player_id_fkey FOREIGN KEY (player_id) REFERENCES player(player_id);
alter table staff_player add constraint staff_player_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff(staff_id);

-- Roles beside the built-in ones
create table staff_role (
	name text not null,
	permissions text[] not null
);
alter table staff_role add constraint staff_role_pkey PRIMARY KEY (name);

-- Log-ins of members of staff
create table staff_session (
	session_id uuid not null,
	staff_id bigint not null,
	token_hash text not null,
	address text not null,
	user_agent text not null,
	created_at bigint not null,
	last_used_at bigint not null,
	factor_at bigint
);
alter table staff_session add constraint staff_session_pkey PRIMARY KEY (session_id);
alter table staff_session add constraint staff_session_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff(staff_id);
alter table staff_session add constraint staff_session_token_hash_key UNIQUE (token_hash);

-- Pictures of receipts: encrypted, seen by their owner and by operators
create table stored_image (
	image_ref text not null,
	player_id bigint not null,
	at bigint not null,
	type text not null,
	hash text not null,
	key_id text not null,
	bytes bytea not null,
	is_used boolean not null
);
alter table stored_image add constraint stored_image_pkey PRIMARY KEY (image_ref);
CREATE INDEX stored_image_by_hash ON public.stored_image USING btree (hash);
CREATE INDEX stored_image_of_player ON public.stored_image USING btree (player_id, at);

-- What players decided while a round was played, such as to cash out. It stands once it is here, and is paid afterwards. The rows of a round are deleted when all of its bets are settled
create table table_decision (
	game text not null,
	round bigint not null,
	part integer not null,
	decisions jsonb not null
);
alter table table_decision add constraint table_decision_pkey PRIMARY KEY (game, round, part);

-- Rounds that everybody plays together: what was dealt, and when it was settled
create table table_round (
	game text not null,
	round bigint not null,
	chain integer not null,
	position integer not null,
	phase text not null,
	bettor_seeds jsonb not null default '[]'::jsonb,
	opened_at bigint not null,
	first_bet bigint,
	tick_ms integer,
	hash text,
	result jsonb,
	is_interrupted boolean not null default false,
	ended_at bigint
);
alter table table_round add constraint table_round_game_chain_position_key UNIQUE (game, chain, "position");
alter table table_round add constraint table_round_pkey PRIMARY KEY (game, round);
CREATE INDEX table_round_running ON public.table_round USING btree (game, round) WHERE (phase <> ALL (ARRAY['ENDED'::text, 'VOID'::text]));

-- What was traded in a market, for charts, and for the volume of trades that have no other row: a row for each hour, rewritten while the hour goes on
create table trade_hour (
	market_id bigint not null,
	hour bigint not null,
	bars bytea not null
);
alter table trade_hour add constraint trade_hour_pkey PRIMARY KEY (market_id, hour);

-- Matches that were declared not to have been, by their batch and line
create table void_match (
	batch bigint not null,
	line integer not null
);
alter table void_match add constraint void_match_pkey PRIMARY KEY (batch, line);

-- What each wallet has: free cash, exposure, holds and bonus, paise. It is what its postings add up to
create table wallet (
	wallet_id bigint not null,
	pool text not null,
	currency text not null,
	commission_bp integer,
	cash bigint not null,
	exposure bigint not null,
	hold bigint not null,
	bonus bigint not null,
	version bigint not null,
	limits jsonb,
	quotes boolean not null default false
);
alter table wallet add constraint wallet_bonus_check CHECK ((bonus >= 0));
alter table wallet add constraint wallet_exposure_check CHECK ((exposure >= 0));
alter table wallet add constraint wallet_hold_check CHECK ((hold >= 0));
alter table wallet add constraint wallet_pkey PRIMARY KEY (wallet_id);

-- Moves of money other than bets, from their first step to their last, and how each one stands
create table workflow (
	kind text not null,
	id bigint not null,
	wallet_id bigint not null,
	pool text not null,
	state text not null,
	step integer not null,
	postings integer not null,
	is_open boolean not null,
	opened_at bigint not null,
	at bigint not null,
	data jsonb not null
);
alter table workflow add constraint workflow_pkey PRIMARY KEY (kind, id);
CREATE INDEX workflow_by_picture ON public.workflow USING btree (((data ->> 'imageRef'::text))) WHERE (kind = 'DEPOSIT'::text);
CREATE INDEX workflow_by_utr ON public.workflow USING btree (((data ->> 'utr'::text))) WHERE ((kind = ANY (ARRAY['PAYMENT'::text, 'DEPOSIT'::text])) AND (data ? 'utr'::text));
CREATE INDEX workflow_disputed ON public.workflow USING btree (wallet_id) WHERE (kind = 'DISPUTE'::text);
CREATE INDEX workflow_of_campaign ON public.workflow USING btree (((data ->> 'brand'::text)), ((data ->> 'campaign'::text))) WHERE (kind = 'BONUS'::text);
CREATE INDEX workflow_of_provider_round ON public.workflow USING btree (((data ->> 'provider'::text)), ((data ->> 'providerRound'::text))) WHERE ((kind = 'CASINO'::text) AND ((data ->> 'provider'::text) IS NOT NULL));
CREATE INDEX workflow_of_referee ON public.workflow USING btree ((((data ->> 'refereeId'::text))::bigint)) WHERE (kind = 'REFERRAL'::text);
CREATE INDEX workflow_of_wallet ON public.workflow USING btree (wallet_id, kind, id DESC);
CREATE INDEX workflow_open ON public.workflow USING btree (kind, id) WHERE is_open;
CREATE INDEX workflow_round_by_time ON public.workflow USING btree (wallet_id, at) WHERE (kind = 'CASINO'::text);
CREATE INDEX workflow_win_of_day ON public.workflow USING btree (pool, (((at + 19800000) / 86400000)), ((data -> 'payout'::text)) DESC) WHERE ((kind = 'CASINO'::text) AND (state = 'SETTLED'::text) AND ((data -> 'payout'::text) > (data -> 'stake'::text)));
CREATE INDEX workflow_with_pair ON public.workflow USING btree (wallet_id, id DESC) WHERE ((kind = 'CASINO'::text) AND ((data ->> 'pair'::text) IS NOT NULL));

-- Names that are taken once for ever, such as a bank’s reference of a payment
create table workflow_claim (
	name text not null,
	kind text not null,
	id bigint not null
);
alter table workflow_claim add constraint workflow_claim_pkey PRIMARY KEY (name);

-- What happened to each workflow; rows are only ever added
create table workflow_step (
	kind text not null,
	id bigint not null,
	step integer not null,
	from_state text,
	to_state text not null,
	actor text not null,
	at bigint not null,
	data jsonb not null
);
alter table workflow_step add constraint workflow_step_pkey PRIMARY KEY (kind, id, step);
