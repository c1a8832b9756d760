-- The schema as the migrations make it. Written by `npx vitest run test/ledger/schema.test.ts --update`; never edited.

-- Written when a player accepts, and never changed or deleted: GLI-19, 2.5.2
-- at: By the exchange’s clock
create table accepted_terms (
	player_id bigint not null,
	kind text not null,
	version text not null,
	brand text not null,
	at bigint not null,
	address text not null
);
alter table accepted_terms add constraint accepted_terms_kind_check CHECK ((kind = ANY (ARRAY['TERMS'::text, 'PRIVACY'::text])));
alter table accepted_terms add constraint accepted_terms_pkey PRIMARY KEY (player_id, kind, version);
alter table accepted_terms add constraint accepted_terms_player_id_fkey FOREIGN KEY (player_id) REFERENCES player(player_id);

-- Seals of one-time codes by which a player sets a new password or unlocks the account: the latest of each device that asked
-- device: In the sealed cookie of the browser that asked
-- network: The network that asked: a client without the cookie tries the latest code of its network
-- code_ends_at: End of the code, in milliseconds; the next request of the account deletes ended rows
-- device_tries: How often the device tried the code
-- network_tries: How often clients without the cookie tried it
create table account_code (
	player_id bigint not null,
	purpose text not null,
	device text not null,
	network text not null,
	code_hash text not null,
	code_ends_at bigint not null,
	device_tries integer not null default 0,
	network_tries integer not null default 0
);
alter table account_code add constraint account_code_pkey PRIMARY KEY (player_id, purpose, device);
alter table account_code add constraint account_code_player_id_fkey FOREIGN KEY (player_id) REFERENCES player(player_id);
alter table account_code add constraint account_code_purpose_check CHECK ((purpose = ANY (ARRAY['RESET'::text, 'UNLOCK'::text])));

-- Acts of operators from before they begin until their row of the journal is written. A kill in between leaves the act here, and the next start writes its row. The columns are those of journal
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

-- Answers to calls of bots in which something was refused, so that a repetition gets the same answer. Accepted calls are in request_key
-- reference: The operation, and the bot’s own name of the call. It counts for a minute
create table api_answer (
	player_id bigint not null,
	reference text not null,
	body_hash text not null,
	answer jsonb not null,
	at bigint not null
);
alter table api_answer add constraint api_answer_pkey PRIMARY KEY (player_id, reference);
CREATE INDEX api_answer_at ON public.api_answer USING btree (at);

-- App keys of players’ bots. The player alone has the key itself
-- hint: The last characters, by which the player tells keys apart
-- addresses: Addresses and networks that may use the key; empty for any
-- per_second: Calls a second
-- used_at: The last log-in with it; null before the first
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

-- Log-ins of bots, apart from the logins of the site
-- password_mark: Digest of the password that opened it: another password ends the session
create table api_session (
	token_hash text not null,
	key_id bigint not null,
	password_mark text not null,
	expires_at bigint not null
);
alter table api_session add constraint api_session_key_id_fkey FOREIGN KEY (key_id) REFERENCES api_key(key_id) ON DELETE CASCADE;
alter table api_session add constraint api_session_pkey PRIMARY KEY (token_hash);
CREATE INDEX api_session_of_key ON public.api_session USING btree (key_id);

-- Cash-out targets. The row is deleted when the market is cashed out, when the player removes the target, and when the market closes or is decided
-- target: The certain result at which the market is cashed out automatically; paise, may be below zero
create table auto_cash_out (
	wallet_id bigint not null,
	market_id bigint not null,
	target bigint not null,
	set_at bigint not null
);
alter table auto_cash_out add constraint auto_cash_out_pkey PRIMARY KEY (wallet_id, market_id);

-- Back ends that may change an authorization code into a player’s tokens. An operator registers them
-- ends_with_login: Its logins end with the player’s login that authorized it
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

-- Accounts that shared limits and breaks by a mobile that nothing proved, in databases from before mobiles were proven. Each account keeps them as its own until an operator looks at it; no row is added any more
-- others: The accounts that it shared limits and breaks with
-- before: Its own record before it kept theirs; null without one
-- decided_at: When an operator looked at it; null while it waits
-- decided_by: The operator who decided
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
-- part: A batch with many commands has several rows, numbered from 0
-- previous: The batch that was written before
-- digest: Digest of the engine’s state after the batch
-- format: Encoding of commands: src/server/exchange/ledger/command-rows.ts
-- commands: Rows live for a minute and are read once, so they are not compressed
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

-- The rows that each batch wrote, sealed with a key that is not in the database: an entry for each row, and the chain over them
-- part: 0, except where a start entered the rows of a database from before the seals, in several parts
-- key_id: Fingerprint of the key, which does not reveal it
-- entries: 17 bytes a row: the table, the row’s name, and the keyed hash of the row’s content. Hashes do not shrink, so they are stored without compression
-- chain: Keyed hash over the chain before, the batch and its entries
create table batch_seal (
	batch bigint not null,
	part integer not null,
	key_id text not null,
	entries bytea not null,
	chain bytea not null
);
alter table batch_seal add constraint batch_seal_pkey PRIMARY KEY (batch, part);

-- Bets, by the month in which they were placed. Of the house’s quotes only the matched ones are here
-- side: 0 back, 1 lay
-- price: The price asked, hundredths
-- persist: The remaining stake stays at the turn in-play; otherwise it lapses
-- placed_at: The month’s column is part of the primary key, because PostgreSQL demands it of a partitioned table. It never changes
-- matched_value: Σ stake × price of the matches, paise × hundredths
-- remaining: Rests in the order book, or waits out the bet delay
-- result: WON, LOST or VOID; null until the settlement
-- profit_exact: Before commission, in hundredths of a paisa times parts; null until the settlement
-- ended_at: When the last of it was decided: settled, voided, lapsed or cancelled
-- fills: [{stake, price}] of each match as reduced since, in markets whose runners can be removed or that are played on lines; null elsewhere
-- delay: {dueAtMs, version, minFill} while the bet waits out an in-play delay, with cashOut for a hedge: PendingBet (src/engine/bet-detail.ts)
-- parts: How many runners tied; 1 without a tie
-- queued_after: Of a bet that waited out an in-play delay: the last bet placed before it reached the book, behind which it stands
-- matched_at: When the bet was matched last; null while it was not
-- on_close: Of a bet that waits outside the book for the starting price: {limit, liability}. The limit is the worst price that it takes, hundredths, or null; the liability is the stake of a back, or what a lay can lose, paise, as it was placed. Before the auction price is evens and stake the liability; the auction writes the starting price and the stake that it came to.
-- takes_start: True where the unmatched part takes the starting price at the turn in-play; null for other bets
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
	matched_at bigint,
	on_close jsonb,
	takes_start boolean
) partition by range (placed_at);
alter table bet add constraint bet_check CHECK ((stake = ((((matched + remaining) + lapsed) + cancelled) + voided)));
alter table bet add constraint bet_pkey PRIMARY KEY (bet_id, placed_at);
CREATE INDEX bet_in_market ON ONLY public.bet USING btree (market_id, wallet_id);
CREATE INDEX bet_of_wallet ON ONLY public.bet USING btree (wallet_id, bet_id DESC);

create table bet_default partition of bet DEFAULT;
alter table bet_default add constraint bet_check CHECK ((stake = ((((matched + remaining) + lapsed) + cancelled) + voided)));

-- When bets of a player ended: some of that market did then, unless it was reopened since. Finds bets by their end. Not sealed, the audit checks it against the bets
-- ended_at: Milliseconds since 1970; as of those bets
create table bet_end (
	wallet_id bigint not null,
	ended_at bigint not null,
	market_id bigint not null
);
alter table bet_end add constraint bet_end_pkey PRIMARY KEY (wallet_id, ended_at, market_id);

-- Matches of two bets with their price and stake, by the month of the match
-- line: Row number within the batch
-- price: The maker’s price, hundredths
-- taker_side: 0 back, 1 lay
-- at: When maker and taker met: after the taker’s bet delay. Null for matches from before the time was written down, which stay in the default partition: of those the time counts at which their taker was placed
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

-- Names that a bot gave a bet: written with the bet, in the same batch
create table bet_reference (
	bet_id bigint not null,
	order_ref text,
	strategy_ref text
);
alter table bet_reference add constraint bet_reference_pkey PRIMARY KEY (bet_id);

-- What few bets ask beside price and stake: written with the bet, in the same batch
-- post_only: What was done if the bet would have been matched as it arrived: REFUSE, REPRICE to the nearest price at which it rests; null for a bet that may be matched
-- expires_at: When the unmatched part lapses, by the exchange’s clock, milliseconds since 1970; null for a bet that is good till cancelled
-- self_match: What happens if this bet would be matched with a resting one of the same player; null where the wallet’s choice applies
-- until_matched: The unmatched part lapses once others have matched this volume of the runner since the bet, backers’ stake, paise; null for a bet that does not
-- until_volume: The volume of the book at which that is, paise, without what is matched of the bet itself
-- order_group: The group of its player that it is of; null without one
create table bet_terms (
	bet_id bigint not null,
	post_only text,
	expires_at bigint,
	self_match text,
	until_matched bigint,
	until_volume bigint,
	order_group text
);
alter table bet_terms add constraint bet_terms_check CHECK (((post_only IS NOT NULL) OR (expires_at IS NOT NULL) OR (self_match IS NOT NULL) OR (until_matched IS NOT NULL) OR (order_group IS NOT NULL)));
alter table bet_terms add constraint bet_terms_pkey PRIMARY KEY (bet_id);
alter table bet_terms add constraint bet_terms_post_only_check CHECK ((post_only = ANY (ARRAY['REFUSE'::text, 'REPRICE'::text])));
alter table bet_terms add constraint bet_terms_self_match_check CHECK ((self_match = ANY (ARRAY['REFUSE'::text, 'LAPSE_RESTING'::text, 'LAPSE_TAKING'::text])));
alter table bet_terms add constraint bet_terms_until_matched_check CHECK ((until_matched >= 0));

-- Triggers: bets that the exchange places when a price is reached. While one is WAITING or DUE its wallet holds what the bet could lose
-- trigger_id: One of the ids of bets, which no bet has
-- price: The limit of the bet, hundredths
-- stake: Of the bet, minor units; of a plan, what it holds for beside its bets, of a bracket at its stop
-- persist: Trigger and bet stay when the market turns in-play
-- watches: The price of the runner’s last match, or the BEST at which the bet could be matched; NONE for a plan
-- moves: Whether the price has to rise or to fall to at_price
-- at_price: Where it is reached, hundredths; null for a trailing one that has seen no price, or that would be reached beyond the ladder
-- trail: Of a trailing one: how many ticks behind the best price that it has seen it is reached
-- best_price: Of a trailing one: the best price that it has seen, hundredths
-- market_version: The bet lapses when the market’s version is newer; null for any
-- due_at: When its price was reached, milliseconds since 1970; the bet follows in the next batch in which its market is open
-- reason: Why it lapsed, or the code with which its bet was refused; null otherwise
-- bet_id: The bet that it placed, of a plan the latest one
-- plan: By which rule its bets follow each other: an ICEBERG with what it shows, a PEG with the price that it follows, a BRACKET with the ticks to its aim and its stop; null for a trigger that places one bet
-- whole: Of a plan: the stake that it was placed with, minor units
-- exit_id: Of a bracket: the latest bet that closes what is matched of its own
-- closed: Of a bracket: Σ stake × price that earlier bets than that closed
create table bet_trigger (
	trigger_id bigint not null,
	wallet_id bigint not null,
	market_id bigint not null,
	pool text not null,
	runner integer not null,
	side integer not null,
	price integer not null,
	stake bigint not null,
	persist boolean not null,
	watches text not null,
	moves text not null,
	at_price integer,
	trail integer,
	best_price integer,
	market_version bigint,
	placed_at bigint not null,
	due_at bigint,
	status text not null,
	reason text,
	bet_id bigint,
	plan jsonb,
	whole bigint,
	exit_id bigint,
	closed bigint
);
alter table bet_trigger add constraint bet_trigger_bet_id_key UNIQUE (bet_id);
alter table bet_trigger add constraint bet_trigger_moves_check CHECK ((moves = ANY (ARRAY['RISES'::text, 'FALLS'::text])));
alter table bet_trigger add constraint bet_trigger_pkey PRIMARY KEY (trigger_id);
alter table bet_trigger add constraint bet_trigger_plan_check CHECK ((((plan IS NULL) = (watches <> 'NONE'::text)) AND ((plan IS NULL) = (whole IS NULL))));
alter table bet_trigger add constraint bet_trigger_status_check CHECK ((status = ANY (ARRAY['WAITING'::text, 'DUE'::text, 'PLACED'::text, 'CANCELLED'::text, 'LAPSED'::text, 'REFUSED'::text])));
alter table bet_trigger add constraint bet_trigger_watches_check CHECK ((watches = ANY (ARRAY['LAST_TRADED'::text, 'BEST'::text, 'NONE'::text])));
CREATE INDEX bet_trigger_live ON public.bet_trigger USING btree (market_id) WHERE (status = ANY (ARRAY['WAITING'::text, 'DUE'::text]));
CREATE INDEX bet_trigger_of_wallet ON public.bet_trigger USING btree (wallet_id, trigger_id);

-- The latest heartbeat of a player’s bots
-- at: When it came, by the exchange’s clock: an older one, of a process that was deposed, changes nothing
-- due_at: When the player’s unmatched bets are cancelled unless another one comes; null: never
-- cancelling: The due time of a cancellation that is not finished; names the command, so that it is done once. Null without one
-- action: What was done since the heartbeat, as the next one is answered: Action (src/server/doors/bots-api/heartbeats.ts)
create table bot_heartbeat (
	player_id bigint not null,
	at bigint not null,
	due_at bigint,
	cancelling bigint,
	action text not null
);
alter table bot_heartbeat add constraint bot_heartbeat_pkey PRIMARY KEY (player_id);
CREATE INDEX bot_heartbeat_cancelling ON public.bot_heartbeat USING btree (player_id) WHERE (cancelling IS NOT NULL);
CREATE INDEX bot_heartbeat_due ON public.bot_heartbeat USING btree (due_at) WHERE (due_at IS NOT NULL);

-- Brands by host: settings and looks, as operators changed them last
-- host: The host of the site; "default" has the settings that default.json shows, and no host has this name
-- setting: The settings that the brand sets itself: src/contract/domain-setting.ts has the rest. Addresses of streams are https, or http from the machine itself
-- version: Each change raises it, and a writer names the version that it has read
-- from_seed: The demo seed made it and no operator has changed it since: it follows the seed
create table brand (
	host text not null,
	setting jsonb not null,
	version integer not null default 1,
	from_seed boolean not null default false
);
alter table brand add constraint brand_pkey PRIMARY KEY (host);

-- Pictures of a brand’s site, served by name: src/contract/brand-picture.ts
-- name: Digest of the picture and its size in pixels, so a name never serves another picture
-- bytes: WebP, as the media process encodes it. Stored without compression, because it does not shrink
-- at: When it was last uploaded, in milliseconds
create table brand_picture (
	host text not null,
	name text not null,
	bytes bytea not null,
	at bigint not null
);
alter table brand_picture add constraint brand_picture_bytes_check CHECK ((octet_length(bytes) <= 524288));
alter table brand_picture add constraint brand_picture_host_fkey FOREIGN KEY (host) REFERENCES brand(host);
alter table brand_picture add constraint brand_picture_pkey PRIMARY KEY (host, name);

-- Changes of brands that are made at an instant. The journal has a keyed hash of each row
-- at: In milliseconds. A server that does not run then makes the change when it starts
-- changes: A list of fields and their new values, as texts
-- scheduled_by: The name of the member, or of the operator at the command line
-- outcome: Code of the refusal; null without one
-- decided_at: When it was made, refused or withdrawn, in milliseconds; null while it waits
-- reason: What the refusal says; null without one, and of those from before it was kept
create table brand_schedule (
	schedule_id bigint not null generated always as identity,
	host text not null,
	at bigint not null,
	changes jsonb not null,
	scheduled_by text not null,
	state text not null,
	outcome text,
	decided_at bigint,
	reason text
);
alter table brand_schedule add constraint brand_schedule_check CHECK (((state = 'WAITING'::text) = (decided_at IS NULL)));
alter table brand_schedule add constraint brand_schedule_host_fkey FOREIGN KEY (host) REFERENCES brand(host);
alter table brand_schedule add constraint brand_schedule_pkey PRIMARY KEY (schedule_id);
alter table brand_schedule add constraint brand_schedule_state_check CHECK ((state = ANY (ARRAY['WAITING'::text, 'DONE'::text, 'REFUSED'::text, 'WITHDRAWN'::text])));
CREATE INDEX brand_schedule_of ON public.brand_schedule USING btree (host, schedule_id);
CREATE INDEX brand_schedule_waiting ON public.brand_schedule USING btree (at) WHERE (state = 'WAITING'::text);

-- Settings that a brand had: each is written by the change that replaces it, and stays. The journal has the actors
-- setting: As brand.setting was
-- replaced_at: When the next version took its place, in milliseconds
create table brand_version (
	host text not null,
	version integer not null,
	setting jsonb not null,
	replaced_at bigint not null
);
alter table brand_version add constraint brand_version_host_fkey FOREIGN KEY (host) REFERENCES brand(host);
alter table brand_version add constraint brand_version_pkey PRIMARY KEY (host, version);
CREATE INDEX brand_version_replaced ON public.brand_version USING btree (host, replaced_at);

-- When one-time codes were sent again for an account, whether or not there is such a registration
-- account: Brand, folded name and mobile of a registration; a player; or a purpose, brand, folded name and network
-- sent_at: The last hour’s, oldest first
create table code_budget (
	account text not null,
	sent_at bigint[] not null
);
alter table code_budget add constraint code_budget_pkey PRIMARY KEY (account);

-- What a rule over the ledger found about one subject. There is one for each rule and subject: later facts extend it while it is open, and open it again once it is decided
-- rule: Its name in src/values/cases.ts
-- subject: What the rule looks at, such as a player or a pair of players
-- outcome: As two members decided it; null while it is open
-- owner_id: The member who works on it; null without one
-- due_at: When it has to be decided, by the setting of the brand of its first player; null once it is
-- entries: How many rows of compliance_case_entry it has
create table compliance_case (
	case_id bigint not null generated always as identity,
	rule text not null,
	subject text not null,
	state text not null,
	outcome text,
	owner_id bigint,
	opened_at bigint not null,
	due_at bigint,
	changed_at bigint not null,
	entries integer not null
);
alter table compliance_case add constraint compliance_case_check CHECK (((state = 'OPEN'::text) = (due_at IS NOT NULL)));
alter table compliance_case add constraint compliance_case_check1 CHECK (((state = 'OPEN'::text) = (outcome IS NULL)));
alter table compliance_case add constraint compliance_case_outcome_check CHECK ((outcome = ANY (ARRAY['UNFOUNDED'::text, 'WATCHED'::text, 'REPORTED'::text])));
alter table compliance_case add constraint compliance_case_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES staff(staff_id);
alter table compliance_case add constraint compliance_case_pkey PRIMARY KEY (case_id);
alter table compliance_case add constraint compliance_case_rule_subject_key UNIQUE (rule, subject);
alter table compliance_case add constraint compliance_case_state_check CHECK ((state = ANY (ARRAY['OPEN'::text, 'DECIDED'::text])));
CREATE INDEX compliance_case_open ON public.compliance_case USING btree (due_at, case_id) WHERE (state = 'OPEN'::text);

-- What happened to a case. Rows are only ever added; a row of the journal has the keyed hash of each
-- number: From 1 on, in the order of the case
-- author: The member of staff; null for a rule
-- facts_digest: SHA-256 of the facts that came with it; null for an entry of a member
create table compliance_case_entry (
	entry_id bigint not null generated always as identity,
	case_id bigint not null,
	number integer not null,
	at bigint not null,
	author text,
	kind text not null,
	text text not null,
	facts_digest bytea
);
alter table compliance_case_entry add constraint compliance_case_entry_case_id_fkey FOREIGN KEY (case_id) REFERENCES compliance_case(case_id);
alter table compliance_case_entry add constraint compliance_case_entry_case_id_number_key UNIQUE (case_id, number);
alter table compliance_case_entry add constraint compliance_case_entry_check CHECK (((facts_digest IS NOT NULL) = (kind = ANY (ARRAY['OPENED'::text, 'EXTENDED'::text, 'REOPENED'::text]))));
alter table compliance_case_entry add constraint compliance_case_entry_kind_check CHECK ((kind = ANY (ARRAY['OPENED'::text, 'EXTENDED'::text, 'REOPENED'::text, 'NOTE'::text, 'DECIDED'::text])));
alter table compliance_case_entry add constraint compliance_case_entry_pkey PRIMARY KEY (entry_id);

-- The evidence of cases. Rows are only ever added. The primary key keeps a fact from being in two cases of a rule
-- fact: Names the fact within the rule, such as a payment or what passed between two players in a market
-- entry: The entry of the case that it came with
-- kind: With ref, the reference under which the console opens it, such as withdrawal 12
-- amount: Paise; null for a fact without an amount
create table compliance_case_fact (
	rule text not null,
	fact text not null,
	case_id bigint not null,
	entry integer not null,
	player_id bigint not null,
	at bigint not null,
	kind text not null,
	ref bigint not null,
	amount bigint,
	words text not null
);
alter table compliance_case_fact add constraint compliance_case_fact_case_id_entry_fkey FOREIGN KEY (case_id, entry) REFERENCES compliance_case_entry(case_id, number);
alter table compliance_case_fact add constraint compliance_case_fact_pkey PRIMARY KEY (rule, fact);
CREATE INDEX compliance_case_fact_of ON public.compliance_case_fact USING btree (case_id, entry);

-- The players that a case is about
create table compliance_case_player (
	case_id bigint not null,
	player_id bigint not null
);
alter table compliance_case_player add constraint compliance_case_player_case_id_fkey FOREIGN KEY (case_id) REFERENCES compliance_case(case_id);
alter table compliance_case_player add constraint compliance_case_player_pkey PRIMARY KEY (case_id, player_id);
alter table compliance_case_player add constraint compliance_case_player_player_id_fkey FOREIGN KEY (player_id) REFERENCES player(player_id);
CREATE INDEX compliance_case_of_player ON public.compliance_case_player USING btree (player_id);

-- Sums of the detached bets: settlements and the turnover of players still need them
-- profit: Of the bets that won or lost, hundredths of a paisa; a fraction where runners tied
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
-- month: Such as 2026-11, of UTC
-- last_batch: Of its last match; null without one
-- last_line: Of its last match; null without one
-- bets: How many sealed rows
-- matches: How many sealed rows
-- seal: Keyed hash over the row and its sums: only a holder of the ledger’s key detaches a month
-- last_event_batch: Of its last market event; null without one
-- last_event_line: Of its last market event; null without one
-- events: How many market events went with it; null for a month that was detached when they had no months
create table detached_month (
	month text not null,
	last_bet_id bigint not null,
	last_batch bigint,
	last_line integer,
	bets integer not null,
	matches integer not null,
	key_id text not null,
	seal bytea not null,
	last_event_batch bigint,
	last_event_line integer,
	events integer
);
alter table detached_month add constraint detached_month_pkey PRIMARY KEY (month);

-- Persons who excluded themselves, by their document; the table exclusion has them by mobile
-- fingerprint: As in player_identity
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

-- Contradictions between a feed and the books, until a member closes them: a result that the feed takes back, another result than was paid, a result by which no bet can be paid
-- words: The finding as the console shows it. The same words wait once for a market
-- holds: The market waits for an answer, and its settlement is one
-- closed_by: Null while the finding is open
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

-- How far a feed has come, so that a restarted server goes on from there. Each feed has a shape of its own
create table feed_progress (
	source text not null,
	source_ref text not null,
	progress jsonb not null
);
alter table feed_progress add constraint feed_progress_pkey PRIMARY KEY (source, source_ref);

-- The catalogue of fixtures and their scores. Feeds and operators write it
-- status: UPCOMING, IN_PLAY, FINISHED or ABANDONED
-- source: The feed that plays the fixture
-- source_ref: The feed’s own name of it
-- score_line: The score as one line of text; null before the first
-- score: The score by the shape of its sport; null before the first
-- stream_url: The HLS stream that an operator configured, over https, or http from the machine itself; null without one
-- ended_at: When it was finished or abandoned; null before. The server keeps an ended fixture in memory for some time and finds it here afterwards
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

-- Events of a fixture that moved its prices, as charts mark them: goals, wickets, sets, falls, the end
-- side: Index of the side that gained by it; null without one
create table fixture_mark (
	fixture_id bigint not null,
	at bigint not null,
	kind text not null,
	side smallint
);
alter table fixture_mark add constraint fixture_mark_fixture_id_fkey FOREIGN KEY (fixture_id) REFERENCES fixture(id);
alter table fixture_mark add constraint fixture_mark_pkey PRIMARY KEY (fixture_id, at, kind);

-- The standbys of the exchange. Each standby writes its own row
-- epoch: Epoch of the batch that it has applied; null while it joins
-- batch: The batch that it has applied; null while it joins
-- snapshot: Snapshot of the tables, which the exchange exports when a standby joins
-- snapshot_batch: The batch that the snapshot shows
-- markets: The ended markets that the exchange has in memory at the snapshot
-- difference: The difference that the standby found; null as long as it finds none
-- mark: Of the standby’s key and contract. The exchange hands over to a standby that has its own
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

-- Chains of hashes h_0 to h_N, one after another for each game: round by round the next hash decides the result and is revealed after it
-- number: From 1. A round takes its hash from the largest one with a first_round up to it
-- commitment: h_0, which the server publishes before the first round
-- length: N: how many rounds the chain has
-- salt: Of a chain without a beacon. The salt of others follows from salt_signature
-- return_percent: The game’s return to bettors, in per cent
-- is_development: The salt was known when the chain was made
-- key_id: Fingerprint of the key of secret
-- secret: Every 10,000th hash and h_N, encrypted
-- first_round: Number of the game’s round that uses h_1
-- owner: The process that runs the rounds; an older one writes nothing more
-- is_logged: The announcement is in the public log
-- beacon: The beacon of the chain’s rounds, as src/games/beacon has it: {name, publicKey, genesisMs, periodMs}. Null for a chain from before there was one: its hashes alone give the results, until it ends
-- salt_round: The salt is the beacon’s value of that round, which lies after the announcement in the public log
-- salt_signature: What the beacon published then; null until it did. No round begins before
-- replaced: Why the chain before was left before its end: BEACON (another beacon is configured), LATE (the public log had it after its salt was out, or a process ended before it had seen it there), UNSALTED (of earlier releases: the server stopped before its salt was known). Null where it came to its end
-- is_in_time: The process that ran the game saw the announcement in the public log before the salt was out, so the chain is played whatever happens to the process. Written before the salt is waited for
create table game_chain (
	game text not null,
	number integer not null,
	commitment text not null,
	length integer not null,
	salt text,
	return_percent integer not null,
	is_development boolean not null,
	key_id text not null,
	secret bytea not null,
	first_round bigint not null,
	owner text not null,
	begun_at bigint not null,
	is_logged boolean not null default false,
	beacon jsonb,
	salt_round bigint,
	salt_signature text,
	replaced text,
	is_in_time boolean not null default false
);
alter table game_chain add constraint game_chain_pkey PRIMARY KEY (game, number);
alter table game_chain add constraint game_chain_salt CHECK (((salt IS NULL) = (beacon IS NOT NULL)));
alter table game_chain add constraint game_chain_salt_round CHECK (((salt_round IS NULL) = (beacon IS NULL)));

-- Favourite games of a player, and when the player opened them last, the same on every device. No fact about money or access, so the journal does not cover it
-- game: Code of the game
-- favourite_since_ms: When it became a favourite; null while it is none
-- opened_at_ms: Null for a favourite that was never opened
create table game_mark (
	player_id bigint not null,
	game text not null,
	favourite_since_ms bigint,
	opened_at_ms bigint
);
alter table game_mark add constraint game_mark_pkey PRIMARY KEY (player_id, game);
alter table game_mark add constraint game_mark_player_id_fkey FOREIGN KEY (player_id) REFERENCES player(player_id);

-- The operator’s rules of a game of the casino; a game without a row is open under the house’s limits. The journal has each change
-- brand: Host of the brand; empty for all brands. Where both have a rule, the stricter one holds
-- is_open: A closed game begins no rounds; rounds that have begun are finished
-- max_stake: Of a player in a round, paise; null without a limit of its own
create table game_rule (
	brand text not null,
	game text not null,
	is_open boolean not null,
	max_stake bigint
);
alter table game_rule add constraint game_rule_max_stake_check CHECK ((max_stake > 0));
alter table game_rule add constraint game_rule_pkey PRIMARY KEY (brand, game);

-- The seeds of a player’s rounds, one pair after another. The commitment of the next pair is published while the pair before it is in use, so that the server chooses no seed by a client seed that it knows
-- number: From 1
-- client_seed: Null for a pair that is announced and not in use yet
-- commitment: SHA-256 of the server seed, shown before the pair is used
-- server_seed: Null until it is revealed at the end of the pair. A server seed follows from the server’s key, so no database holds one that is in use
-- begun_at: Null for a pair that is announced
-- rule: 1: the server made the commitment when it knew the client seed, as releases before the announcement did; 2: the pair was announced
-- announced_at: Null for pairs of rule 1
-- rounds: How many rounds were played with the pair, which its nonces count from zero; null while it is in use, and of rule 1
-- is_logged: The commitment is in the public log
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
	rounds integer,
	is_logged boolean not null default false
);
alter table game_seed_pair add constraint game_seed_pair_announced CHECK (((rule = 1) OR (announced_at IS NOT NULL)));
alter table game_seed_pair add constraint game_seed_pair_begun CHECK (((client_seed IS NULL) = (begun_at IS NULL)));
alter table game_seed_pair add constraint game_seed_pair_pkey PRIMARY KEY (wallet_id, number);
alter table game_seed_pair add constraint game_seed_pair_revealed CHECK (((server_seed IS NULL) OR (client_seed IS NOT NULL)));
alter table game_seed_pair add constraint game_seed_pair_rule CHECK ((rule = ANY (ARRAY[1, 2])));
CREATE INDEX game_seed_pair_unlogged ON public.game_seed_pair USING btree (wallet_id, number) WHERE ((NOT is_logged) AND (rule = 2));

-- Tokens of one player at one provider’s game
-- token_hash: SHA-256 of the token. The token itself stands nowhere
-- kind: LAUNCH: valid once, for a minute; or SESSION
-- brand: Host of the brand
-- login_id: The login that the session ends with
-- country: Two letters, as it was known at the launch; null when it was not
-- used_at: Of a launch token: it opens nothing any more
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

-- The house’s side of postings: commission, casino, the pots of markets and the other accounts of AccountKind (src/engine/effect.ts)
-- owner: The market of a pot; 0 for the house
-- balance: Money from outside, and money that the house spends, stands below zero
create table house_account (
	kind text not null,
	pool text not null,
	owner bigint not null,
	balance bigint not null,
	in_use boolean generated always as ((balance <> 0)) stored
);
alter table house_account add constraint house_account_check CHECK (((balance >= 0) OR (kind = ANY (ARRAY['mint'::text, 'rounding'::text, 'gateway'::text, 'bank'::text, 'payment_cost'::text, 'casino'::text, 'bonus_cost'::text, 'referral_cost'::text, 'loss'::text, 'tax_cost'::text]))));
alter table house_account add constraint house_account_pkey PRIMARY KEY (kind, pool, owner);
CREATE INDEX house_account_in_use ON public.house_account USING btree (kind, pool, owner) WHERE in_use;

-- Documents by which players prove their identity
-- request_id: The player’s name for the request: a repetition stores nothing
-- masked: The last characters of the number
-- fingerprint: Keyed hash of kind and number: the same document of another account has it
-- key_id: Fingerprint of the data key
-- number: Encrypted
-- image_refs: Its pictures in stored_image
-- decided_by: The operator; null while it waits
-- reason: Of a rejection, for the player
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

-- Acts of operators and changes of accounts: by whom, from where, and the state before and after. Rows are only ever added
-- seq: Place in the chain, without gaps
-- actor: The operator’s own name, "player", or "server"
-- address: Network address of the actor; null when the server acts
-- subject: The thing that the act concerns, such as "domain HOST"; empty for acts of the first releases
-- before: State of the subject before the act; null where the act shows none
-- after: State of the subject after the act; null where the act shows none
-- outcome: "done", or the code of the refusal
-- player_id: Of an act that wrote a row of player: that player
-- player_hash: Keyed hash of the content of the player’s row since this act; null where the act wrote no such row
-- key_id: Fingerprint of the key of the hashes in this row
-- chain: Keyed hash over the chain before and this row; null until the next start for rows from before the chain
-- row_name: Of an act that wrote a row of staff, staff_key, staff_role, staff_player, proposal or feed_finding: table and key of that row
-- row_hash: Keyed hash of the content of that row since this act
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
CREATE INDEX journal_by_time ON public.journal USING brin (at);
CREATE INDEX journal_of_player ON public.journal USING btree (player_id, seq) WHERE (player_hash IS NOT NULL);
CREATE INDEX journal_of_row ON public.journal USING btree (row_name, seq) WHERE (row_hash IS NOT NULL);

-- One row. A process that was deposed has an earlier epoch and appends nothing to the journal
-- epoch: Epoch of the lease with which a process opened the journal last
create table journal_fence (
	id integer not null,
	epoch bigint not null
);
alter table journal_fence add constraint journal_fence_id_check CHECK ((id = 1));
alter table journal_fence add constraint journal_fence_pkey PRIMARY KEY (id);

-- One row: the process that may write the ledger, the last batch, and the sums that the ledger comes to
-- epoch: Number of the right to write. A process with another epoch is deposed and writes nothing
-- batch: The last batch that was written
-- chain: Chain of the seals up to the last batch. Before the first seal: sha256 over the chain so far and the batch’s postings
-- digest: Digest of the engine’s state after the last batch, which a recovery must reach
-- last_bet_id: Counter of bets
-- last_reservation: Counter of the postings between cash and exposure: their posting.ref
-- last_command: Counter of the commands that changed the engine
-- at: Stamp of the last batch. The exchange’s time continues from it, whatever the machine’s clock shows
-- sealed_from: The batch after which batches are sealed; null until the first start
-- sealed_chain: The chain as the batch sealed_from left it: sha256 over postings, without a key
-- digest_format: Rule of the digest. A version of the engine with another rule does not compare it
-- released: An exchange that has stopped sets it when its last batch is durable: a standby takes over at once
-- beats: Whether the holder of the lease writes heartbeats. Standbys take over from no other
-- heir: In a planned hand-over: the standby for which the exchange releases the lease
-- address: Where the holder answers other processes; null when it started without standing by
-- holder: Name of the holder’s connections. A standby that finds none of them knows sooner that the holder is gone. Null for a holder of an earlier version
-- announced_ms: Unused, and always 0: standbys of the release before read it
-- sealed_code: The largest code of a sealed table whose rows of before are sealed, too: a release that seals further tables enters their rows at its first start
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
	announced_ms integer not null default 0,
	sealed_code integer not null default 12
);
alter table lease add constraint lease_id_check CHECK ((id = 1));
alter table lease add constraint lease_pkey PRIMARY KEY (id);

-- Rules by which the limits of markets are lowered by steps. The journal has each change
-- sport: Key of a sport; empty for every sport
-- market_type: A market type, such as MATCH_ODDS; empty for every type
-- brand: Host of the brand whose players are watched; empty for all players
-- pool: Whose money is watched; the amounts of the steps are minor units of its currency
-- watches: HOUSE: what the house can lose in a market; PLAYER: the largest loss that one player can have in it
-- relax_percent: A step ends when what is watched falls below this share of its threshold
-- steps: [{from, maxStake, maxExposure}], rising: from a liability on, the largest stake of a bet and the largest exposure of a player in the market, minor units of the pool’s currency; maxExposure is null where it stays
create table limit_rule (
	rule_id bigint not null generated always as identity,
	sport text not null,
	market_type text not null,
	brand text not null,
	pool text not null,
	watches text not null,
	relax_percent integer not null,
	steps jsonb not null
);
alter table limit_rule add constraint limit_rule_pkey PRIMARY KEY (rule_id);
alter table limit_rule add constraint limit_rule_relax_percent_check CHECK (((relax_percent >= 1) AND (relax_percent <= 99)));
alter table limit_rule add constraint limit_rule_sport_market_type_brand_pool_watches_key UNIQUE (sport, market_type, brand, pool, watches);
alter table limit_rule add constraint limit_rule_steps_check CHECK (((jsonb_typeof(steps) = 'array'::text) AND (jsonb_array_length(steps) > 0)));
alter table limit_rule add constraint limit_rule_watches_check CHECK ((watches = ANY (ARRAY['HOUSE'::text, 'PLAYER'::text])));

-- Logins of players: a family of tokens on one device. A token names the login and its generation and is sealed with the server’s key, so it stands nowhere
-- generation: Rises with each refresh; tokens carry it
-- rotated_at: When it was refreshed last
-- access_expires_at: End of the access token
-- expires_at: End of the login: no refresh after it
-- code_digest: Of a back end’s login: digest of its authorization code, so that a second use of the code ends the login even after a restart
-- parent_login_id: Of a back end’s login: the player’s login that ends this one, where the client asks for that
-- opened_at: Null for a login from before the time was written down
-- address: Where the password was shown; null for a login from before, and for a back end’s
-- active_at: When the player last gave the password or moved money, by the exchange’s clock; some minutes late. Null for a login from before
create table login (
	login_id text not null,
	player_id bigint not null,
	brand text not null,
	generation integer not null,
	rotated_at bigint not null,
	access_expires_at bigint not null,
	expires_at bigint not null,
	code_digest text,
	parent_login_id text,
	opened_at bigint,
	address text,
	active_at bigint
);
alter table login add constraint login_pkey PRIMARY KEY (login_id);
alter table login add constraint login_player_id_fkey FOREIGN KEY (player_id) REFERENCES player(player_id);

-- Each try of a password. A name without an account gets a row, too, so that both answers take as long
-- player_id: Null for a name without an account: the row holds no trace of the name
-- is_new_device: The device had not logged in as the player before. Null where a device shows nothing: a failure, an API key, a player without a password, and attempts from before
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
CREATE INDEX login_attempt_failed ON public.login_attempt USING btree (at) WHERE (NOT succeeded);
CREATE INDEX login_attempt_player ON public.login_attempt USING btree (player_id, at);

-- Accounts that take no password after too many wrong ones. A code to the proven mobile, or an operator, deletes the row
-- code_hash: Not used since account_code has the codes, nor are code_ends_at and code_tries
-- code_ends_at: End of that code
-- code_tries: How often a code was tried since it was sent
create table login_lock (
	player_id bigint not null,
	locked_at bigint not null,
	code_hash text,
	code_ends_at bigint,
	code_tries integer not null default 0
);
alter table login_lock add constraint login_lock_pkey PRIMARY KEY (player_id);
alter table login_lock add constraint login_lock_player_id_fkey FOREIGN KEY (player_id) REFERENCES player(player_id);

-- Messages to players by mail. Requests and the watcher of notices write them, the sender ends them, and deletes them a week later
-- mail_id: Its Message-ID, the same in each attempt, by which a receiver knows a repetition
-- text: Kept while it waits; of a notice that was given up until the row goes, so that it can be sent again
-- about: What is written about once; null for what may be written again
-- is_code: A player waits for it: it goes first
-- worth_until: It is given up after this
-- next_at: When it is sent next; an attempt moves it before it begins, so that a kill repeats it only after that
-- reason: Why the last attempt failed, without addresses; null after none, and after a success
create table mail (
	mail_id uuid not null,
	at bigint not null,
	brand text not null,
	player_id bigint not null,
	sender_name text not null,
	recipient text not null,
	kind text not null,
	subject text not null,
	text text,
	html text,
	about text,
	is_code boolean not null,
	worth_until bigint not null,
	state text not null,
	tries integer not null default 0,
	next_at bigint not null,
	ended_at bigint,
	reason text
);
alter table mail add constraint mail_about_key UNIQUE (about);
alter table mail add constraint mail_ended CHECK (((state = 'WAITING'::text) = (ended_at IS NULL)));
alter table mail add constraint mail_pkey PRIMARY KEY (mail_id);
alter table mail add constraint mail_player_id_fkey FOREIGN KEY (player_id) REFERENCES player(player_id);
alter table mail add constraint mail_state_check CHECK ((state = ANY (ARRAY['WAITING'::text, 'SENT'::text, 'DEAD'::text])));
alter table mail add constraint mail_text CHECK (
CASE state
    WHEN 'WAITING'::text THEN (text IS NOT NULL)
    WHEN 'SENT'::text THEN (text IS NULL)
    ELSE ((NOT is_code) OR (text IS NULL))
END);
CREATE INDEX mail_at ON public.mail USING btree (at);
CREATE INDEX mail_ended ON public.mail USING btree (ended_at) WHERE (state <> 'WAITING'::text);
CREATE INDEX mail_of_player ON public.mail USING btree (player_id);
CREATE INDEX mail_waiting ON public.mail USING btree (is_code DESC, next_at) WHERE (state = 'WAITING'::text);

-- Proven addresses of players: contact and log-in name. One that is not proven is in mail_proof alone, and counts for nothing
-- tells_limits: Whether a change of limits is told; what guards the account is told always
-- statement_month: The last month whose statement was written, such as 202611; null before the first
create table mail_address (
	player_id bigint not null,
	brand text not null,
	address text not null,
	proven_at bigint not null,
	tells_limits boolean not null default true,
	tells_withdrawals boolean not null default true,
	tells_statement boolean not null default true,
	statement_month integer
);
alter table mail_address add constraint mail_address_address_check CHECK ((address = lower(address)));
alter table mail_address add constraint mail_address_pkey PRIMARY KEY (player_id);
alter table mail_address add constraint mail_address_player_id_fkey FOREIGN KEY (player_id) REFERENCES player(player_id);
CREATE UNIQUE INDEX mail_address_once ON public.mail_address USING btree (brand, address);

-- How far the journal was read for notices by mail. Its only row is locked while they are written
create table mail_cursor (
	id integer not null,
	journal_seq bigint not null
);
alter table mail_cursor add constraint mail_cursor_id_check CHECK ((id = 1));
alter table mail_cursor add constraint mail_cursor_pkey PRIMARY KEY (id);

-- The address that a player wants to prove, and the seal of the latest code that was sent to it
-- code_hash: Null for an address that another account of the brand has: its owner is told, and no code proves it
create table mail_proof (
	player_id bigint not null,
	address text not null,
	code_hash text,
	code_ends_at bigint not null,
	code_tries integer not null default 0
);
alter table mail_proof add constraint mail_proof_address_check CHECK ((address = lower(address)));
alter table mail_proof add constraint mail_proof_pkey PRIMARY KEY (player_id);
alter table mail_proof add constraint mail_proof_player_id_fkey FOREIGN KEY (player_id) REFERENCES player(player_id);

-- Changes of markets and of resting bets that no other table has with their time, in the batch that made them, by month. Together with bet and bet_match they give each book as it was. Unmatched quotes of the house are in none of them
-- line: Row number within the batch
-- what: CANCELLED or LAPSED: so much of a bet left the book; DELAYED, ADMITTED: a bet began its bet delay, and reached the book; REPRICED: a bet got another price; MARKET: the market had this state at the end of the batch
-- stake: Of CANCELLED and LAPSED, paise
-- price: Of REPRICED: the price before, hundredths
create table market_event (
	batch bigint not null,
	line integer not null,
	at bigint not null,
	market_id bigint not null,
	what text not null,
	bet_id bigint,
	stake bigint,
	price integer,
	status text,
	in_play boolean,
	version integer
) partition by range (at);
alter table market_event add constraint market_event_pkey PRIMARY KEY (batch, line, at);
CREATE INDEX market_event_of_market ON ONLY public.market_event USING btree (market_id, batch, line);

create table market_event_default partition of market_event DEFAULT;

-- Markets as lists and pages name them; the state of a market is in market_state, under the same id
-- listing: Name, type, runners, limits and rules, as the catalogue holds them
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
-- runners: How many there are; runners are numbered from 0
-- commission_bp: Rate in basis points for players without one of their own
-- profit_ratio_rule: False where stakes of any profit ratio are taken, as in scenario files
-- self_match: REFUSE or ALLOW: whether a bet may meet a resting bet of its own player
-- status: OPEN, SUSPENDED, BALL_RUNNING, CLOSED, SETTLED or VOIDED
-- version: Rises when the market is suspended, when an operator suspends a runner, and at the turn in-play; a delayed bet of an older version lapses
-- results: Per runner: WIN, PLACED, LOSE, VOID, TIE, HALF_WIN or HALF_LOSE; null until the settlement
-- traded: [pool, runner, last price traded or null, total matched] for each pool and runner
-- terms: Limits, delay and reduction rules, as the engine has them: src/server/exchange/recovery/market-terms.ts. A new term needs no migration
-- removed: [runner, reduction in basis points] of the runners that were removed, with "RETURNED" after a return
-- is_over: Changes once in a market’s life, which keeps its index out of all other updates of the row
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

-- The migrations that this database has. A file that was applied never changes
-- checksum: SHA-256 of the file, hexadecimal digits
create table migration (
	name text not null,
	checksum text not null,
	applied_at timestamp with time zone not null default now()
);
alter table migration add constraint migration_pkey PRIMARY KEY (name);

-- A code that is on its way to a mobile, which proves that it is the player’s
-- code_hash: The latest code, sealed with the server’s key; earlier ones are worth nothing
create table mobile_proof (
	player_id bigint not null,
	mobile text not null,
	code_hash text not null,
	code_ends_at bigint not null,
	code_tries integer not null
);
alter table mobile_proof add constraint mobile_proof_pkey PRIMARY KEY (player_id);
alter table mobile_proof add constraint mobile_proof_player_id_fkey FOREIGN KEY (player_id) REFERENCES player(player_id);
CREATE INDEX mobile_proof_mobile ON public.mobile_proof USING btree (mobile);

-- The money that each player had at risk in each decided market and round of the casino, written with the decision
-- what: "market", or the code of a game
-- ref: The market; the number of a shared round; or the workflow of the player’s own round
-- at: Time of the decision
-- since: When the first of the bets was placed; 0 where a detached month has it
-- amount: The largest possible loss. Where worths is empty it is a bound of it: the stakes of backs and the liabilities of lays, or the loss at a dealt table
-- long_amount: The same of the bets at 1.50 or longer alone
-- worths: The position’s worth by winning runner, in hundredths of a paisa, null for a runner that was removed. Null for rounds, and where other than one runner wins; empty where amount is a bound, in rows that an upgrade computed for earlier decisions
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

-- Groups of bets that are cancelled together once more than an amount of them was matched within 15 seconds
-- name: A name of the player’s own
-- most: How much may be matched within 15 seconds, minor units
-- recent: What was matched of its bets of late: a list of times, milliseconds since 1970, with stakes, minor units
-- closed_at: When more was matched, milliseconds since 1970: it takes no bets until its player resets it; null while it takes bets
create table order_group (
	wallet_id bigint not null,
	name text not null,
	most bigint not null,
	recent jsonb not null,
	closed_at bigint
);
alter table order_group add constraint order_group_most_check CHECK ((most > 0));
alter table order_group add constraint order_group_name_check CHECK ((name <> ''::text));
alter table order_group add constraint order_group_pkey PRIMARY KEY (wallet_id, name);

-- Text messages to players. Without a gateway they stay here for operators to read. Housekeeping deletes them after a day
-- text: Empty once a gateway took the message
-- sent_at: Null while the message waits, or for ever without a gateway
-- gateway: How often it was handed from one gateway to the next: the gateway that sends it is counted from it
-- delivered_at: When the gateway said that it arrived; null before, and for ever where gateways send no receipts
-- reason: Why a gateway did not take it or did not deliver it, last
create table outbox (
	message_id text not null,
	at bigint not null,
	brand text not null,
	mobile text not null,
	text text not null,
	tries integer not null,
	sent_at bigint,
	gateway integer not null default 0,
	delivered_at bigint,
	reason text
);
alter table outbox add constraint outbox_pkey PRIMARY KEY (message_id);

-- Fixtures that no feed plays: traders create, score and end them
-- sides: Names of the sides, the first one first
create table own_fixture (
	fixture_id bigint not null,
	sides jsonb not null
);
alter table own_fixture add constraint own_fixture_fixture_id_fkey FOREIGN KEY (fixture_id) REFERENCES fixture(id);
alter table own_fixture add constraint own_fixture_pkey PRIMARY KEY (fixture_id);

-- Each score card of a fixture by hand. The newest one is the score; fixture.score has a copy for readers
-- version: The version of the card; two traders who score at once write the same one, and the second is refused
-- act: BEGIN, START, END, or an act of src/values/score-acts.ts
-- actor: The member of staff, as in the journal
-- back_to: The version whose card UNDO brings back; null where nothing can be taken back
-- clock_from: When this part of play began, by which the minute is counted; null before play
create table own_score (
	fixture_id bigint not null,
	version integer not null,
	at bigint not null,
	act text not null,
	actor text not null,
	card jsonb not null,
	back_to integer,
	clock_from bigint
);
alter table own_score add constraint own_score_fixture_id_fkey FOREIGN KEY (fixture_id) REFERENCES own_fixture(fixture_id);
alter table own_score add constraint own_score_pkey PRIMARY KEY (fixture_id, version);

-- Presses of panic keys. A row is written when its suspensions are durable; rows are only ever added
-- actor: The member of staff, as in the journal
-- scope: A market, an event, a sport, a feed or the platform, as in the journal
-- markets: [{marketId, version, wasOpen}]: the version right after the suspension, and whether the market took bets before. A market with another version has moved on, and is left alone
create table panic_press (
	press_id bigint not null generated always as identity,
	at bigint not null,
	actor text not null,
	scope text not null,
	markets jsonb not null
);
alter table panic_press add constraint panic_press_pkey PRIMARY KEY (press_id);
CREATE INDEX panic_press_by_time ON public.panic_press USING btree (at);

-- Not used since account_code has these codes
create table password_reset (
	player_id bigint not null,
	code_hash text not null,
	code_ends_at bigint not null,
	code_tries integer not null default 0
);
alter table password_reset add constraint password_reset_pkey PRIMARY KEY (player_id);
alter table password_reset add constraint password_reset_player_id_fkey FOREIGN KEY (player_id) REFERENCES player(player_id);

-- A member’s claim on a workflow in the payment queue. It holds until its end, while the holder has taken no later step and is not removed; a row that no longer holds stays until the next claim or release
-- staff_id: Null for an operator at the command line
-- step: Of the workflow when it was claimed
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

-- Webhooks of the payment provider as they came. The receiver stores one before it answers, and applies it afterwards
-- state: NEW; DONE once it was applied; DEAD once it failed for a day
-- next_at: Time of the next try
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

-- Accounts to which players want their withdrawals: encrypted, shown masked
-- method: UPI or BANK
-- fingerprint: Keyed hash: the same details of two players have the same
-- key_id: Fingerprint of the data key
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

-- Events that a player pinned, the same on every device. No fact about money or access, so the journal does not cover it
create table pinned_event (
	player_id bigint not null,
	event_id text not null,
	pinned_at_ms bigint not null
);
alter table pinned_event add constraint pinned_event_pkey PRIMARY KEY (player_id, event_id);
alter table pinned_event add constraint pinned_event_player_id_fkey FOREIGN KEY (player_id) REFERENCES player(player_id);

-- Players and their accounts. Money is in wallet under the same id, permissions in player_protection
-- brand: Host of the brand
-- name_key: The name in lower case: no two players of a brand differ in case alone
-- password_hash: Null for demo players, who have no password
-- stakes: Stake presets that the player saved; null for the brand’s
-- mobile: +91 and ten digits; null without one
-- referral_code: The code that the player entered at the registration; null without one
-- mobile_verified_at: When a code proved the mobile; null while only the account says it
-- invited_by: The player whose code the account registered with; null without an invitation
-- invitation_root: The first player of that tree of invitations; null without an invitation
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

-- Authenticator apps of players, whose codes are asked for after the password
-- key_id: The data key that seals the secret
-- last_step: Time step of the last accepted code, so that each is accepted once
-- recovery_hashes: Of the recovery codes that are left
create table player_authenticator (
	player_id bigint not null,
	key_id text not null,
	secret bytea not null,
	last_step bigint not null,
	recovery_hashes text[] not null,
	created_at bigint not null
);
alter table player_authenticator add constraint player_authenticator_pkey PRIMARY KEY (player_id);
alter table player_authenticator add constraint player_authenticator_player_id_fkey FOREIGN KEY (player_id) REFERENCES player(player_id);

-- Sports that an operator closed to one player although the brand shows them
create table player_closed_sport (
	player_id bigint not null,
	sport text not null
);
alter table player_closed_sport add constraint player_closed_sport_pkey PRIMARY KEY (player_id, sport);
alter table player_closed_sport add constraint player_closed_sport_player_id_fkey FOREIGN KEY (player_id) REFERENCES player(player_id);

-- The document by which an operator knows a player: accounts of one document are one person’s
-- fingerprint: Keyed hash of kind and number
-- at: When an operator knew the player by it; null for those from before the time was written down
create table player_identity (
	player_id bigint not null,
	fingerprint text not null,
	at bigint
);
alter table player_identity add constraint player_identity_pkey PRIMARY KEY (player_id);
alter table player_identity add constraint player_identity_player_id_fkey FOREIGN KEY (player_id) REFERENCES player(player_id);
CREATE INDEX player_identity_fingerprint ON public.player_identity USING btree (fingerprint);

-- Notes of members of staff about a player. Rows are only ever added
create table player_note (
	note_id bigint not null generated always as identity,
	player_id bigint not null,
	at bigint not null,
	author text not null,
	note text not null
);
alter table player_note add constraint player_note_pkey PRIMARY KEY (note_id);
CREATE INDEX player_note_of ON public.player_note USING btree (player_id, note_id DESC);
CREATE INDEX player_note_words ON public.player_note USING gin (to_tsvector('simple'::regconfig, note));

-- Passkeys with which players log in without a password (WebAuthn). A public key opens nothing, so it is not sealed
-- key_id: The credential’s id, base64url
-- host: The relying party’s id, the brand’s host when the key was made: browsers show it there alone
-- name: As the player calls it
-- counter: How often the key was used, where the key counts: an answer that does not raise it comes from a copy
create table player_passkey (
	key_id text not null,
	player_id bigint not null,
	host text not null,
	name text not null,
	public_key bytea not null,
	transports text[] not null,
	counter bigint not null,
	created_at bigint not null,
	last_used_at bigint
);
alter table player_passkey add constraint player_passkey_pkey PRIMARY KEY (key_id);
alter table player_passkey add constraint player_passkey_player_id_fkey FOREIGN KEY (player_id) REFERENCES player(player_id);
CREATE INDEX player_passkey_of ON public.player_passkey USING btree (player_id);

-- Preferences of a player, the same on every device; null until the player has chosen. No fact about money or access, so the journal does not cover it
-- show_balance: Whether the site shows the balance
-- show_exposure: Whether the site shows the exposure
-- theme: The theme that the player chose; without one the brand’s
-- odds_format: The format in which the site writes odds; bets are decimal prices in any case
create table player_preference (
	player_id bigint not null,
	language text,
	show_balance boolean,
	show_exposure boolean,
	theme text,
	odds_format text
);
alter table player_preference add constraint player_preference_odds_format CHECK ((odds_format = ANY (ARRAY['DECIMAL'::text, 'FRACTIONAL'::text, 'AMERICAN'::text])));
alter table player_preference add constraint player_preference_pkey PRIMARY KEY (player_id);
alter table player_preference add constraint player_preference_player_id_fkey FOREIGN KEY (player_id) REFERENCES player(player_id);
alter table player_preference add constraint player_preference_theme CHECK ((theme = ANY (ARRAY['dark'::text, 'light'::text])));

-- Protection of a player: limits that the player chose, raises that wait, time-out, exclusion, closure, freezing
create table player_protection (
	player_id bigint not null,
	record jsonb not null
);
alter table player_protection add constraint player_protection_pkey PRIMARY KEY (player_id);

-- Result of each player in each settled market
-- net: Profit or loss of all bets together, before commission
-- profit: net − commission
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

-- An operator’s limits of one bet of a player in a sport, beside those of the market and of the wallet
-- max_stake: Paise; 0 for none
-- max_profit: Paise; 0 for none
create table player_sport_limit (
	player_id bigint not null,
	sport text not null,
	max_stake bigint not null,
	max_profit bigint not null
);
alter table player_sport_limit add constraint player_sport_limit_check CHECK (((max_stake > 0) OR (max_profit > 0)));
alter table player_sport_limit add constraint player_sport_limit_max_profit_check CHECK ((max_profit >= 0));
alter table player_sport_limit add constraint player_sport_limit_max_stake_check CHECK ((max_stake >= 0));
alter table player_sport_limit add constraint player_sport_limit_pkey PRIMARY KEY (player_id, sport);
alter table player_sport_limit add constraint player_sport_limit_player_id_fkey FOREIGN KEY (player_id) REFERENCES player(player_id);

-- Words by which the staff find players, in lower case. The journal has each that was added or removed
create table player_tag (
	player_id bigint not null,
	tag text not null,
	at bigint not null,
	author text not null
);
alter table player_tag add constraint player_tag_pkey PRIMARY KEY (player_id, tag);
alter table player_tag add constraint player_tag_player_id_fkey FOREIGN KEY (player_id) REFERENCES player(player_id);
CREATE INDEX player_tag_players ON public.player_tag USING btree (tag, player_id);

-- Every move of money, from one account to another. Rows are only ever added. The primary key keeps anything from posting twice
-- line: Row number within the batch
-- kind: Reason of the move: PostingKind (src/engine/effect.ts)
-- ref: Subject of the move, by kind: a market, a grant, a workflow, or the counter lease.last_reservation
-- step: Number of the move within kind and ref
-- debit: The account that pays: AccountKind (src/engine/effect.ts)
-- debit_owner: Its wallet, or the market of a pot; 0 for the house
-- credit: The account that receives
-- credit_owner: Its wallet, or the market of a pot; 0 for the house
-- wallet_id: The wallet concerned; 0 when only accounts of the house are
-- cash_after: Free cash of that wallet after this move
-- market_id: The market concerned; 0 without one
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
alter table posting add constraint posting_amount_of_coins CHECK (((pool !~~ '%-JPY'::text) OR ((amount % (100)::bigint) = 0))) NOT VALID;
alter table posting add constraint posting_pkey PRIMARY KEY (kind, ref, step);
CREATE INDEX posting_below_zero ON public.posting USING btree (at) WHERE (cash_after < 0);
CREATE INDEX posting_by_time ON public.posting USING brin (at);
CREATE INDEX posting_of_bonuses ON public.posting USING btree (at) WHERE (((debit = ANY (ARRAY['bonus'::text, 'bonus_cost'::text, 'referral_cost'::text])) AND (credit = 'cash'::text)) OR ((credit = ANY (ARRAY['bonus'::text, 'bonus_cost'::text, 'referral_cost'::text])) AND (debit = 'cash'::text)));
CREATE INDEX posting_of_market ON public.posting USING btree (market_id) WHERE ((debit = 'exposure'::text) OR (credit = 'exposure'::text));
CREATE INDEX posting_of_wallet ON public.posting USING btree (wallet_id, batch DESC, line DESC);
CREATE INDEX posting_outside ON public.posting USING btree (at) WHERE (kind = ANY (ARRAY['PAYMENT'::text, 'DEPOSIT'::text, 'WITHDRAWAL'::text, 'ADJUSTMENT'::text, 'DISPUTE'::text]));
CREATE INDEX posting_reopened ON public.posting USING btree (at, ref) WHERE (kind = 'MARKET_REOPENED'::text);

-- Acts that one member proposes and another confirms
-- reason: Of the member, or the name of the feed that reported a result. The hash of the row in the journal covers it
-- preview: The effects of the confirmation, as the proposing member saw them
-- basis: Digest of the state from which the preview was computed: the confirmation is refused when it has changed
-- proposed_by: Null for a result that a feed reports
-- decided_by: The member who confirmed, rejected or withdrew it; null while it is open
-- outcome: Code of the refusal; null without one
-- half_key_id: Fingerprint of the data key that seals half
-- half: The half of an initial password that the proposing member was shown, sealed with a data key until the proposal is confirmed
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

-- Signed bodies whose signature does not name the call that it is for: each belongs to the first call that took it
-- digest: SHA-256 of the signed text, hexadecimal digits
create table provider_body (
	provider text not null,
	digest text not null,
	call text not null,
	at bigint not null
);
alter table provider_body add constraint provider_body_pkey PRIMARY KEY (provider, digest);
CREATE INDEX provider_body_by_time ON public.provider_body USING btree (at);

-- A day’s transactions, compared with the provider’s own report
-- day: Days since 1970, UTC
-- differences: How many transactions are in only one of the reports, or differ
create table provider_day (
	provider text not null,
	day integer not null,
	compared_at bigint not null,
	differences integer not null
);
alter table provider_day add constraint provider_day_pkey PRIMARY KEY (provider, day);

-- A provider’s transactions with the first answer to each, which a repetition gets again
-- request_hash: SHA-256 of the request, hexadecimal digits
-- wallet_id: Null where the server refused the request before a round was known
-- round: The provider’s name of the round; null like wallet_id
-- paid: Paise that the player paid by it
-- received: Paise that the player was paid by it
-- outcome: The answer as JSON; null until it is given
-- reported_on: Day of the first report of the provider that named it, days since 1970, UTC: a transaction that an earlier report has named is not missing from the next. Null until then
-- own_id: Our own name of it, which some providers are told; null for those from before
-- prize: Paise that it moves without a stake, by the provider’s word alone: a promotion, a correction, the win of a free bet; written before the money moves
-- prize_day: Days since 1970, UTC; null where it moves nothing without a stake
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

-- Logs, one after another; the last one is in use. A log ends where the database may have lost leaves that were published, so that no two trees of one size are signed
-- log: From 1
-- origin: Name of the log in its checkpoints
-- key: Public key of the checkpoints, NAME+ID+KEY as C2SP signed-note has it
-- cluster: System identifier and timeline of the PostgreSQL cluster that the log was begun in: another one may have less than was published
-- reason: Why the log was begun
-- size: How many leaves it has
-- checkpoint: The newest signed checkpoint; null before the first leaf
-- cursors: How far each source of leaves was read: {source: cursor}
-- closed: Why no leaf is appended any more: set where a backup was restored; null otherwise
create table public_log (
	log integer not null,
	origin text not null,
	key text not null,
	cluster text not null,
	reason text not null,
	begun_at bigint not null,
	size bigint not null default 0,
	checkpoint text,
	cursors jsonb not null default '{}'::jsonb,
	closed text
);
alter table public_log add constraint public_log_pkey PRIMARY KEY (log);

-- The leaves, never changed
-- entry: Place in the tree, from 0
-- type: What the leaf is about: batch, journal, market, chain, pair, round, rules or log
-- ref: By which a leaf is found; null for leaves that are read in order only
-- leaf: The bytes of the leaf: JSON with sorted keys
create table public_log_entry (
	log integer not null,
	entry bigint not null,
	type text not null,
	ref text,
	leaf text not null
);
alter table public_log_entry add constraint public_log_entry_pkey PRIMARY KEY (log, entry);
CREATE INDEX public_log_entry_by_ref ON public.public_log_entry USING btree (type, ref, log, entry) WHERE (ref IS NOT NULL);

-- Hashes of the tree (C2SP tlog-tiles). A tile grows to 256 hashes of 32 bytes and then never changes
create table public_log_tile (
	log integer not null,
	level integer not null,
	tile bigint not null,
	hashes bytea not null
);
alter table public_log_tile add constraint public_log_tile_pkey PRIMARY KEY (log, level, tile);

-- What players want no notifications of; a player without a row wants all of them, and none at night
create table push_choice (
	player_id bigint not null,
	off text[] not null,
	at_night boolean not null
);
alter table push_choice add constraint push_choice_pkey PRIMARY KEY (player_id);
alter table push_choice add constraint push_choice_player_id_fkey FOREIGN KEY (player_id) REFERENCES player(player_id);

-- Browsers that are sent notifications, until their log-in ends or the push service says that they are gone
-- endpoint_hash: SHA-256 of the endpoint, base64url: one browser is subscribed once, for the player who came last
-- login_id: The log-in of the browser: its notifications end with it
-- public_key: The browser’s key, P-256, uncompressed (RFC 8291)
-- secret: The browser’s authentication secret (RFC 8291)
create table push_subscription (
	endpoint_hash text not null,
	player_id bigint not null,
	login_id text not null,
	endpoint text not null,
	public_key bytea not null,
	secret bytea not null,
	created_at bigint not null
);
alter table push_subscription add constraint push_subscription_pkey PRIMARY KEY (endpoint_hash);
alter table push_subscription add constraint push_subscription_player_id_fkey FOREIGN KEY (player_id) REFERENCES player(player_id);
CREATE INDEX push_subscription_of ON public.push_subscription USING btree (player_id);

-- One row, which the readiness probe writes when no batch was committed for a while
create table readiness_probe (
	id smallint not null,
	probed_at timestamp with time zone not null
);
alter table readiness_probe add constraint readiness_probe_id_check CHECK ((id = 1));
alter table readiness_probe add constraint readiness_probe_pkey PRIMARY KEY (id);

-- Roots of the trees of receipts that were signed together. What a receipt says only its player has
-- id: Random, 16 hexadecimal digits; part of the signed name
-- size: How many receipts
-- at: When it was signed, by the exchange’s clock
-- is_logged: The root is in the public log
-- batch: The newest durable batch when it was signed, of all its statements; null where each has its own, and where no receipt is given on demand
-- seed: From which the salts of its statements are computed; null where no receipt is given on demand
-- leaves: Hashes of its leaves, 32 bytes each, in their order; null where no receipt is given on demand
-- moments: Of each leaf in their order: the time of its statement and the newest durable batch then, 6 bytes each; null where batch and at are those of all, and where no receipt is given on demand
create table receipt_root (
	id text not null,
	size integer not null,
	root bytea not null,
	at bigint not null,
	is_logged boolean not null default false,
	batch bigint,
	seed bytea,
	leaves bytea,
	moments bytea
);
alter table receipt_root add constraint receipt_root_pkey PRIMARY KEY (id);
CREATE INDEX receipt_root_unlogged ON public.receipt_root USING btree (at, id) WHERE (NOT is_logged);

-- Facts that an operator refuted for an account, such as a mobile that has a new owner: they connect it with no other account
-- value: The mobile, or the keyed fingerprint
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

-- Future players. A registration becomes a row of player when its code is given, or ends. Several may hold one name: the first whose code comes back becomes the player. The same name with the same mobile is one registration
-- mobile: +91 and ten digits
-- code_hash: The latest code, sealed with the server’s key; earlier ones are worth nothing
-- code_tries: Tries of the latest code by all devices but the one that registered
-- codes_sent: How many codes were made, the first included
-- code_texted: The latest code went to the mobile; one that the page was told proves nothing
-- device_tries: Tries of the latest code by the device that registered
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

-- Lines of the payment provider’s reports and the bank’s statements: an order that one of them has named is not missing from the next one
-- source: PROVIDER or BANK
-- key: Direction and reference of the transfer
create table report_line (
	source text not null,
	pool text not null,
	key text not null,
	amount bigint not null,
	at bigint not null
);
alter table report_line add constraint report_line_pkey PRIMARY KEY (source, pool, key);

-- The answers to accepted requests, so that a repetition gets the same answer. Five partitions in turn, so that old days go by truncation
-- slot: Number of the day of at since 1970, modulo five
-- body_hash: A request with the same key and another body is refused
-- answer: Receipt (src/server/exchange/exchange.ts)
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

-- How often the bets of the pay tables were paid, counted from ended rounds a few seconds behind them. It decides nothing: rounds, workflows and the public log can be counted again. src/server/money/casino/round-tallies.ts writes it
-- source: Code of a game with shared rounds, or own for all rounds of one player
-- after: The last round that was looked at, or the last workflow of a player’s own rounds
-- waiting: Workflows up to there that were still open
-- tallies: By code of the game: src/games/bet-tally.ts
create table round_tally (
	source text not null,
	after bigint not null,
	waiting jsonb not null,
	tallies jsonb not null
);
alter table round_tally add constraint round_tally_pkey PRIMARY KEY (source);

-- Screens of the console that members keep with their filters
-- address: The console’s path and its query
create table saved_view (
	staff_id bigint not null,
	name text not null,
	address text not null,
	saved_at bigint not null
);
alter table saved_view add constraint saved_view_pkey PRIMARY KEY (staff_id, name);

-- What an engine of this database serves: one row, written at the first start. Pools may leave it, and none comes
-- ledger_id: Tells this ledger from the one of another engine, which would serve the same pool
-- pools: Some of the pools: POOLS of every process of this database
create table served_pools (
	id smallint not null,
	ledger_id uuid not null default gen_random_uuid(),
	pools text[] not null
);
alter table served_pools add constraint served_pools_id_check CHECK ((id = 1));
alter table served_pools add constraint served_pools_pkey PRIMARY KEY (id);

-- Accounts that were used in one browser, by the cookies of known devices that it showed when it logged in
create table shared_device (
	player_id bigint not null,
	other_id bigint not null
);
alter table shared_device add constraint shared_device_other_id_fkey FOREIGN KEY (other_id) REFERENCES player(player_id);
alter table shared_device add constraint shared_device_pkey PRIMARY KEY (player_id, other_id);
alter table shared_device add constraint shared_device_player_id_fkey FOREIGN KEY (player_id) REFERENCES player(player_id);

-- Payments in the books of the simulated payment provider, which stands for one elsewhere and alone writes here
-- reference: The order’s name, which the server chose
-- provider_id: The provider’s own name of it
-- outcome: The course that this payment takes
-- utr: The bank’s reference; null until it is paid
-- due_at: When its next event happens; null when none is left
-- dispute: The cycle of its dispute that is open, or was last; null without one
-- currency: Of its amounts, ISO 4217
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
	dispute jsonb,
	currency text not null
);
alter table simulated_payment add constraint simulated_payment_pkey PRIMARY KEY (reference);
CREATE INDEX simulated_payment_due ON public.simulated_payment USING btree (due_at) WHERE (due_at IS NOT NULL);

-- Payouts in the books of the simulated payment provider
-- status: The verdict, which the provider gives from due_at on; PROCESSING before
-- utr: The bank’s reference; null unless it is paid
create table simulated_payout (
	reference text not null,
	amount bigint not null,
	status text not null,
	utr text,
	due_at bigint not null
);
alter table simulated_payout add constraint simulated_payout_pkey PRIMARY KEY (reference);

-- Members of the operator’s staff, who use the console. Their names are unique for ever, because the journal names them
-- roles: Names of built-in roles or of rows of staff_role
-- brands: Hosts of the brands this member works for; null for all brands and the things that brands share
-- totp_key_id: Fingerprint of the data key that seals totp_secret
-- totp_secret: The secret of the one-time codes, sealed with a data key; null until the member has set it up
-- totp_step: Time step of the last code that was accepted: a code counts once
-- recovery_hashes: Hashes of the recovery codes that are left
-- removed_at: Null for a member
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

-- Browsers that showed the second factor and need not show it again until expires_at
create table staff_device (
	device_hash text not null,
	staff_id bigint not null,
	expires_at bigint not null
);
alter table staff_device add constraint staff_device_pkey PRIMARY KEY (device_hash);
alter table staff_device add constraint staff_device_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff(staff_id);

-- By which identity of the company’s log-in a member is known. Two members enter it, or the command line; the journal vouches for the rows
-- issuer: The issuer that was configured then: another one’s subjects are other persons
-- subject: Of the issuer; where only an address was entered, that of the first log-in with it, so that an address that is given to another person opens nothing
-- removed_at: Null while it holds
create table staff_identity (
	staff_id bigint not null,
	issuer text not null,
	email text,
	subject text,
	entered_at bigint not null,
	removed_at bigint
);
alter table staff_identity add constraint staff_identity_email_check CHECK ((email = lower(email)));
alter table staff_identity add constraint staff_identity_named CHECK (((email IS NOT NULL) OR (subject IS NOT NULL)));
alter table staff_identity add constraint staff_identity_pkey PRIMARY KEY (staff_id);
alter table staff_identity add constraint staff_identity_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff(staff_id);
CREATE UNIQUE INDEX staff_identity_email ON public.staff_identity USING btree (issuer, email) WHERE ((removed_at IS NULL) AND (email IS NOT NULL));
CREATE UNIQUE INDEX staff_identity_subject ON public.staff_identity USING btree (issuer, subject) WHERE ((removed_at IS NULL) AND (subject IS NOT NULL));

-- Security keys of members of staff (WebAuthn), beside the codes of an app. A public key opens nothing, so it is not sealed; the journal vouches for the rows, so a key that was added by other means is found
-- key_id: The credential’s id, base64url
-- counter: How often the key was used, where the key counts: an answer that does not raise it comes from a copy
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

-- Members of staff who are players, too: an operator enters them. Members do not decide about their own accounts
-- removed_at: Null while the link holds
create table staff_player (
	player_id bigint not null,
	staff_id bigint not null,
	linked_at bigint not null,
	removed_at bigint
);
alter table staff_player add constraint staff_player_pkey PRIMARY KEY (player_id);
alter table staff_player add constraint staff_player_player_id_fkey FOREIGN KEY (player_id) REFERENCES player(player_id);
alter table staff_player add constraint staff_player_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff(staff_id);

-- Roles that the operator made, beside the built-in ones
create table staff_role (
	name text not null,
	permissions text[] not null
);
alter table staff_role add constraint staff_role_pkey PRIMARY KEY (name);

-- Log-ins of members of staff
-- token_hash: The token itself is in the member’s cookie alone
-- factor_at: When the second factor was shown in this session; null before
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

-- Pictures of receipts and documents: encrypted, seen by their owner and by operators
-- hash: Of the picture, to find the same one again
-- key_id: Fingerprint of the data key
-- bytes: Encrypted bytes do not shrink, so they are stored without compression
-- is_used: It belongs to a deposit or a document
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

-- A tree for each day and pool: no day has two. Amounts are paise
-- day: Its number since 1970 in India’s calendar; the tree has the balances at its end
-- batch: The last batch that counts: the last one that ended before the day did
-- size: How many leaves the tree has
-- root: Hash of the root
-- held: For bets, rounds, withdrawals and disputes: exposure and hold of the wallets
-- shortfall: What players owe: their cash below zero, which counts as none in the tree
-- pots: Held by markets whose settlement was under way
-- secret: Key of the salts of its leaves; null once a later tree has replaced it, when its nodes are deleted
-- is_logged: The root is in the public log
create table sum_tree (
	pool text not null,
	day integer not null,
	batch bigint not null,
	size integer not null,
	root bytea not null,
	cash bigint not null,
	held bigint not null,
	bonus bigint not null,
	shortfall bigint not null,
	pots bigint not null,
	secret bytea,
	is_logged boolean not null default false
);
alter table sum_tree add constraint sum_tree_bonus_check CHECK ((bonus >= 0));
alter table sum_tree add constraint sum_tree_cash_check CHECK ((cash >= 0));
alter table sum_tree add constraint sum_tree_held_check CHECK ((held >= 0));
alter table sum_tree add constraint sum_tree_pkey PRIMARY KEY (pool, day);
alter table sum_tree add constraint sum_tree_shortfall_check CHECK ((shortfall >= 0));
alter table sum_tree add constraint sum_tree_size_check CHECK ((size > 0));
CREATE INDEX sum_tree_unlogged ON public.sum_tree USING btree (day, pool) WHERE (NOT is_logged);

-- Where the leaves of each wallet stand in the newest tree of a pool
-- block: From 0; 256 wallets each, by their ids
-- first_wallet: The smallest id in the block
-- places: A wallet after another: its id in 8 bytes, and the places of its leaves in 4 each
create table sum_tree_place (
	pool text not null,
	day integer not null,
	block integer not null,
	first_wallet bigint not null,
	places bytea not null
);
alter table sum_tree_place add constraint sum_tree_place_pkey PRIMARY KEY (pool, day, block);
alter table sum_tree_place add constraint sum_tree_place_pool_day_fkey FOREIGN KEY (pool, day) REFERENCES sum_tree(pool, day);
CREATE INDEX sum_tree_place_by_wallet ON public.sum_tree_place USING btree (pool, day, first_wallet);

-- Nodes of the newest tree of a pool: up to 256 neighbours of every eighth level, from which paths are computed
-- level: In units of eight levels; 0 has the leaves
-- nodes: 56 bytes a node: hash, cash, held, bonus
create table sum_tree_tile (
	pool text not null,
	day integer not null,
	level integer not null,
	tile integer not null,
	nodes bytea not null
);
alter table sum_tree_tile add constraint sum_tree_tile_pkey PRIMARY KEY (pool, day, level, tile);
alter table sum_tree_tile add constraint sum_tree_tile_pool_day_fkey FOREIGN KEY (pool, day) REFERENCES sum_tree(pool, day);

-- Decisions of players while a round was played, such as to cash out. A decision stands once it is here, and is paid afterwards. The rows of a round are deleted when all of its bets are settled
-- part: From 1; each holds the decisions that arrived while the one before was written
-- decisions: [{bet, payout, outcome}], in the order in which they were decided; paise
create table table_decision (
	game text not null,
	round bigint not null,
	part integer not null,
	decisions jsonb not null
);
alter table table_decision add constraint table_decision_pkey PRIMARY KEY (game, round, part);

-- Rounds that all players of a game play together, from the first bet to the last payout. No hash is used twice
-- round: Rises over all chains of the game
-- chain: Number of the chain in game_chain
-- position: n: the round uses h_n
-- phase: BETTING, LOCKED, DECIDED (the result is revealed, bets are being settled), ENDED or VOID
-- bettor_seeds: Of the first players whose bets were accepted; known from LOCKED on
-- first_bet: The smallest id of its bets’ workflows; known from LOCKED on
-- tick_ms: How far play had come, milliseconds; at most 250 behind
-- hash: h_n, revealed with the result, and when the round is void
-- is_interrupted: It was not played to its end: a restart, or the beacon
-- is_logged: What became of the round is in the public log
-- void_reason: Why the round is void: RESTART, BEACON (no value in time) or CLOCK (the value was out before the last bet). Null for others, and for rounds that were void before this column
-- void_result: The result that a void round would have had; JSON null where its beacon was replaced before it gave a value
-- beacon_round: The beacon’s round whose value decides with the hash, announced before bets; its time lies after the last bet. Null in a chain without a beacon
-- beacon_signature: What the beacon published then. A locked round is final from here on
-- is_announced: The public log has beacon_round
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
	ended_at bigint,
	is_logged boolean not null default false,
	void_reason text,
	void_result jsonb,
	beacon_round bigint,
	beacon_signature text,
	is_announced boolean not null default false
);
alter table table_round add constraint table_round_beacon CHECK (((beacon_signature IS NULL) OR (beacon_round IS NOT NULL)));
alter table table_round add constraint table_round_game_chain_position_key UNIQUE (game, chain, "position");
alter table table_round add constraint table_round_pkey PRIMARY KEY (game, round);
CREATE INDEX table_round_running ON public.table_round USING btree (game, round) WHERE (phase <> ALL (ARRAY['ENDED'::text, 'VOID'::text]));
CREATE INDEX table_round_unannounced ON public.table_round USING btree (game, round) WHERE ((NOT is_announced) AND (beacon_round IS NOT NULL));
CREATE INDEX table_round_unlogged ON public.table_round USING btree (game, round) WHERE ((NOT is_logged) AND (phase = ANY (ARRAY['ENDED'::text, 'VOID'::text])));

-- A player’s message or complaint, or a message of the staff to a player, and what followed it. Its texts are rows of ticket_message
-- topic: What the ticket is about, in its first writer’s words; null once the person was erased
-- about_kind: The kind of the player’s own bet, round or payment that it is about; null without one
-- opened_by: The member of staff; null for a ticket that the player opened
-- state: WAITING for the staff, ANSWERED by them, or CLOSED
-- due_at: A complaint is closed, another ticket answered by then, by the brand’s rules; null while nothing is due
-- assignee_id: The member of staff who looks after it; null without one
-- messages: How many messages it has
-- read_messages: How many of them the player has read, from the first on
-- changed_at: When it was last written in, closed or reopened
create table ticket (
	ticket_id bigint not null generated always as identity,
	player_id bigint not null,
	kind text not null,
	topic text,
	about_kind text,
	about_id bigint,
	opened_at bigint not null,
	opened_by text,
	state text not null,
	due_at bigint,
	assignee_id bigint,
	messages integer not null,
	read_messages integer not null,
	changed_at bigint not null
);
alter table ticket add constraint ticket_assignee_id_fkey FOREIGN KEY (assignee_id) REFERENCES staff(staff_id);
alter table ticket add constraint ticket_check CHECK (((about_kind IS NULL) = (about_id IS NULL)));
alter table ticket add constraint ticket_check1 CHECK (((read_messages >= 0) AND (read_messages <= messages)));
alter table ticket add constraint ticket_check2 CHECK (((state <> 'CLOSED'::text) OR (due_at IS NULL)));
alter table ticket add constraint ticket_kind_check CHECK ((kind = ANY (ARRAY['MESSAGE'::text, 'COMPLAINT'::text])));
alter table ticket add constraint ticket_pkey PRIMARY KEY (ticket_id);
alter table ticket add constraint ticket_player_id_fkey FOREIGN KEY (player_id) REFERENCES player(player_id);
alter table ticket add constraint ticket_state_check CHECK ((state = ANY (ARRAY['WAITING'::text, 'ANSWERED'::text, 'CLOSED'::text])));
CREATE INDEX ticket_of_player ON public.ticket USING btree (player_id, ticket_id);
CREATE INDEX ticket_open ON public.ticket USING btree (due_at, ticket_id) WHERE (state <> 'CLOSED'::text);

-- The messages of tickets. Rows are only ever added; a row of the journal has the keyed hash of each, without its text
-- number: From 1 on, in the order of the ticket
-- player_id: The player of the ticket
-- author: The member of staff; null for the player
-- request_id: The writer’s own name of the request: a repetition writes nothing
-- text: Null once the person was erased
-- salt: Random, and erased with the text, so that no text can be guessed from the digest
-- digest: SHA-256 of salt and text, which the journal’s hash of the row covers
create table ticket_message (
	message_id bigint not null generated always as identity,
	ticket_id bigint not null,
	number integer not null,
	player_id bigint not null,
	at bigint not null,
	author text,
	request_id text not null,
	text text,
	salt bytea,
	digest bytea not null
);
alter table ticket_message add constraint ticket_message_check CHECK (((text IS NULL) = (salt IS NULL)));
alter table ticket_message add constraint ticket_message_check1 CHECK (((text IS NULL) OR (digest = sha256((salt || convert_to(text, 'UTF8'::name))))));
alter table ticket_message add constraint ticket_message_pkey PRIMARY KEY (message_id);
alter table ticket_message add constraint ticket_message_player_id_fkey FOREIGN KEY (player_id) REFERENCES player(player_id);
alter table ticket_message add constraint ticket_message_ticket_id_fkey FOREIGN KEY (ticket_id) REFERENCES ticket(ticket_id);
alter table ticket_message add constraint ticket_message_ticket_id_number_key UNIQUE (ticket_id, number);
CREATE INDEX ticket_message_of_player ON public.ticket_message USING btree (player_id, at) WHERE (author IS NULL);
CREATE UNIQUE INDEX ticket_message_request ON public.ticket_message USING btree (player_id, COALESCE(author, ''::text), request_id);

-- Markets whose limits rules have lowered, or operators have set against a rule: for all players, or for those of one brand. Written before the limits are changed, so that a restart changes them once
-- base_max_stake: What the market gets back when no step is reached, minor units of the home currency
-- base_max_exposure: The same of the exposure of a player; 0 sets no limit
-- set_max_stake: What the rules want now, minor units of the home currency
-- set_max_exposure: The same of the exposure of a player; 0 sets no limit
-- reached: [rule_id, step] of the steps that hold, steps numbered from 0
-- waived: [rule_id, step] of the steps that an operator overruled: they act again once the liability has fallen below them
-- is_applied: Whether the market has been changed; true for a brand, whose limits are read from this row
-- brand: Host of the brand whose players the limits are for; empty for all players
create table tightened_market (
	market_id bigint not null,
	base_max_stake bigint not null,
	base_max_exposure bigint not null,
	set_max_stake bigint not null,
	set_max_exposure bigint not null,
	reached jsonb not null,
	waived jsonb not null,
	is_applied boolean not null,
	at bigint not null,
	brand text not null
);
alter table tightened_market add constraint tightened_market_base_max_exposure_check CHECK ((base_max_exposure >= 0));
alter table tightened_market add constraint tightened_market_base_max_stake_check CHECK ((base_max_stake > 0));
alter table tightened_market add constraint tightened_market_check CHECK (((set_max_stake > 0) AND (set_max_stake <= base_max_stake)));
alter table tightened_market add constraint tightened_market_pkey PRIMARY KEY (market_id, brand);
alter table tightened_market add constraint tightened_market_set_max_exposure_check CHECK ((set_max_exposure >= 0));

-- Trades of a market by the hour, for charts, and for the volume of trades that have no other row. The price history writes it beside the ledger and rewrites it while the hour goes on. A row a minute came to 100 MB a day
-- hour: Its beginning, milliseconds since 1970
-- bars: Compressed columns: src/server/exchange/views/trade-hours.ts
create table trade_hour (
	market_id bigint not null,
	hour bigint not null,
	bars bytea not null
);
alter table trade_hour add constraint trade_hour_pkey PRIMARY KEY (market_id, hour);

-- Matches that an operator declared void, by their batch and row number in bet_match
create table void_match (
	batch bigint not null,
	line integer not null
);
alter table void_match add constraint void_match_pkey PRIMARY KEY (batch, line);

-- The money of each wallet, paise. It is the sum of the wallet’s postings
-- wallet_id: A player’s id from 1000 on; below are wallets of the house
-- pool: DEMO, PLAY or REAL, or one of them in a further currency, such as REAL-EUR: pools never meet
-- commission_bp: The player’s own rate in basis points; null for the market’s
-- cash: Free to bet with. Below zero only after a removed runner left the player owing more than the cash at the settlement, or a reopened market took back winnings that were spent
-- exposure: Held for bets
-- hold: Held for rounds of the casino, withdrawals and disputes
-- bonus: Bonus money that is not cash yet
-- version: Rises with each change
-- limits: {maxStake, maxProfit, maxExposure} in paise, 0 for none; null for players without limits of their own
-- quotes: A market maker’s wallet: its bets are quotes, and come into bet when they are matched, as far as they are matched
-- self_match: For a bet of the player that would be matched with a resting one of the same player: REFUSE it, LAPSE_RESTING the resting one, LAPSE_TAKING the rest of the arriving one
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
	quotes boolean not null default false,
	self_match text not null default 'REFUSE'::text
);
alter table wallet add constraint wallet_bonus_check CHECK ((bonus >= 0));
alter table wallet add constraint wallet_exposure_check CHECK ((exposure >= 0));
alter table wallet add constraint wallet_hold_check CHECK ((hold >= 0));
alter table wallet add constraint wallet_pkey PRIMARY KEY (wallet_id);
alter table wallet add constraint wallet_self_match_check CHECK ((self_match = ANY (ARRAY['REFUSE'::text, 'LAPSE_RESTING'::text, 'LAPSE_TAKING'::text])));
CREATE INDEX wallet_of_pool ON public.wallet USING btree (pool);

-- How far the journal was read for webhooks. Its only row is locked while deliveries are written
create table webhook_cursor (
	id integer not null,
	journal_seq bigint not null
);
alter table webhook_cursor add constraint webhook_cursor_id_check CHECK ((id = 1));
alter table webhook_cursor add constraint webhook_cursor_pkey PRIMARY KEY (id);

-- An event on its way to an endpoint. The sender writes it, and deletes it 30 days after its end
-- event_id: The header webhook-id, the same in each attempt, by which the receiver knows a repetition
-- at: When the event happened
-- next_at: When it is sent next; an attempt moves it before it begins, so that a kill repeats it only after that
-- status: HTTP status of the last answer; null without one
-- reason: Why the last attempt failed; null after none, and after a success
create table webhook_delivery (
	endpoint_id uuid not null,
	sequence bigint not null,
	event_id uuid not null,
	at bigint not null,
	kind text not null,
	data jsonb not null,
	state text not null,
	tries integer not null default 0,
	next_at bigint not null,
	ended_at bigint,
	status integer,
	reason text
);
alter table webhook_delivery add constraint webhook_delivery_ended CHECK (((state = 'WAITING'::text) = (ended_at IS NULL)));
alter table webhook_delivery add constraint webhook_delivery_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES webhook_endpoint(endpoint_id) ON DELETE CASCADE;
alter table webhook_delivery add constraint webhook_delivery_pkey PRIMARY KEY (endpoint_id, sequence);
alter table webhook_delivery add constraint webhook_delivery_state_check CHECK ((state = ANY (ARRAY['WAITING'::text, 'DELIVERED'::text, 'DEAD'::text])));
CREATE INDEX webhook_delivery_ended ON public.webhook_delivery USING btree (ended_at) WHERE (state <> 'WAITING'::text);
CREATE INDEX webhook_delivery_waiting ON public.webhook_delivery USING btree (endpoint_id, next_at, sequence) WHERE (state = 'WAITING'::text);

-- Addresses that receive webhooks of a brand. Operators write them, the sender counts failures
-- kinds: Kinds of events that it receives: src/contract/webhook-events.ts
-- secret: The bytes that sign, encrypted with the key key_id for "webhook ENDPOINT"
-- earlier_secret: The secret before the last rotation, which signs too until earlier_until; null without one
-- sequence: Number of its last delivery
-- failures: Failed attempts in a row; zero while it takes events
-- failing_since: First of the failed attempts; null while it takes events
-- next_at: It is not asked before; a failed attempt moves it
create table webhook_endpoint (
	endpoint_id uuid not null,
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
	next_at bigint not null default 0
);
alter table webhook_endpoint add constraint webhook_endpoint_earlier CHECK ((((earlier_secret IS NULL) = (earlier_until IS NULL)) AND ((earlier_secret IS NULL) = (earlier_key_id IS NULL))));
alter table webhook_endpoint add constraint webhook_endpoint_failing CHECK (((failures = 0) = (failing_since IS NULL)));
alter table webhook_endpoint add constraint webhook_endpoint_pkey PRIMARY KEY (endpoint_id);
CREATE INDEX webhook_endpoint_of_brand ON public.webhook_endpoint USING btree (brand);

-- What batches tell: written with the batch, deleted when the deliveries are written. Only kinds that an endpoint subscribed to
-- line: Place among the events of the batch
-- wallet_id: The player whose brand is told; null for every brand
create table webhook_event (
	event_id uuid not null,
	line integer not null,
	at bigint not null,
	kind text not null,
	wallet_id bigint,
	data jsonb not null
);
alter table webhook_event add constraint webhook_event_pkey PRIMARY KEY (event_id);

-- Moves of money other than bets, such as payments, deposits, withdrawals, bonuses and games, as they stand after their last step. Written with the postings of the step
-- kind: TransferKind (src/engine/effect.ts)
-- wallet_id: 0 when only the house is concerned
-- state: By kind: docs/FUNDS.md lists states and steps
-- step: Number of the last step
-- postings: How many postings the steps have made; they are numbered from 0 as posting.step
-- is_open: Something is still to happen
-- at: Time of the last step
-- data: By kind: src/server/exchange/order/workflow-data.ts
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
alter table workflow add constraint workflow_local_beacon_takes_no_further_real_money CHECK (((pool !~~ 'REAL-%'::text) OR (kind <> 'CASINO'::text) OR ((data ->> 'beacon'::text) IS DISTINCT FROM 'local'::text))) NOT VALID;
alter table workflow add constraint workflow_local_beacon_takes_no_real_money CHECK (((pool <> 'REAL'::text) OR (kind <> 'CASINO'::text) OR ((data ->> 'beacon'::text) IS DISTINCT FROM 'local'::text)));
alter table workflow add constraint workflow_pkey PRIMARY KEY (kind, id);
alter table workflow add constraint workflow_simulator_moves_no_further_real_money CHECK (((pool !~~ 'REAL-%'::text) OR (kind <> ALL (ARRAY['PAYMENT'::text, 'WITHDRAWAL'::text])) OR ((data ->> 'provider'::text) IS DISTINCT FROM 'SIMULATOR'::text))) NOT VALID;
alter table workflow add constraint workflow_simulator_moves_no_real_money CHECK (((pool <> 'REAL'::text) OR (kind <> ALL (ARRAY['PAYMENT'::text, 'WITHDRAWAL'::text])) OR ((data ->> 'provider'::text) IS DISTINCT FROM 'SIMULATOR'::text)));
CREATE INDEX workflow_by_picture ON public.workflow USING btree (((data ->> 'imageRef'::text))) WHERE (kind = 'DEPOSIT'::text);
CREATE INDEX workflow_by_utr ON public.workflow USING btree (((data ->> 'utr'::text))) WHERE ((kind = ANY (ARRAY['PAYMENT'::text, 'DEPOSIT'::text])) AND (data ? 'utr'::text));
CREATE INDEX workflow_disputed ON public.workflow USING btree (wallet_id) WHERE (kind = 'DISPUTE'::text);
CREATE INDEX workflow_late_round ON public.workflow USING btree (at) WHERE ((kind = 'CASINO'::text) AND ((at - opened_at) > 86400000));
CREATE INDEX workflow_of_campaign ON public.workflow USING btree (((data ->> 'brand'::text)), ((data ->> 'campaign'::text))) WHERE (kind = 'BONUS'::text);
CREATE INDEX workflow_of_provider_round ON public.workflow USING btree (((data ->> 'provider'::text)), ((data ->> 'providerRound'::text))) WHERE ((kind = 'CASINO'::text) AND ((data ->> 'provider'::text) IS NOT NULL));
CREATE INDEX workflow_of_referee ON public.workflow USING btree ((((data ->> 'refereeId'::text))::bigint)) WHERE (kind = 'REFERRAL'::text);
CREATE INDEX workflow_of_wallet ON public.workflow USING btree (wallet_id, kind, id DESC);
CREATE INDEX workflow_open ON public.workflow USING btree (kind, id) WHERE is_open;
CREATE INDEX workflow_payout_by_utr ON public.workflow USING btree (((data ->> 'utr'::text))) WHERE ((kind = 'WITHDRAWAL'::text) AND (data ? 'utr'::text));
CREATE INDEX workflow_round_by_time ON public.workflow USING btree (wallet_id, at) WHERE (kind = 'CASINO'::text);
CREATE INDEX workflow_win_of_quarter ON public.workflow USING btree (pool, ((at / 900000)), ((data -> 'payout'::text)) DESC) WHERE ((kind = 'CASINO'::text) AND (state = 'SETTLED'::text) AND ((data -> 'payout'::text) > (data -> 'stake'::text)));
CREATE INDEX workflow_with_pair ON public.workflow USING btree (wallet_id, id DESC) WHERE ((kind = 'CASINO'::text) AND ((data ->> 'pair'::text) IS NOT NULL));
CREATE INDEX workflow_withdrawal_paid ON public.workflow USING btree (at) WHERE ((kind = 'WITHDRAWAL'::text) AND (state = 'PAID'::text));

-- Names that a workflow takes once for ever, such as a bank’s reference of a payment
create table workflow_claim (
	name text not null,
	kind text not null,
	id bigint not null
);
alter table workflow_claim add constraint workflow_claim_pkey PRIMARY KEY (name);

-- The steps of each workflow. Rows are only ever added
-- from_state: Null for the first step
-- data: The part of the workflow’s data that the step changed
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
CREATE INDEX workflow_step_correction ON public.workflow_step USING btree (at) WHERE ((kind = 'CASINO'::text) AND (from_state = ANY (ARRAY['SETTLED'::text, 'VOID'::text])));
