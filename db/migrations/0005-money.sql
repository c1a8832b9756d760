-- Payments, withdrawals, receipts, identity and the protection of players. The money itself moves by workflows
-- (0002-exchange.sql). Pictures, documents and payout accounts are encrypted with a data key.

-- The payment provider.

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
comment on table payment_webhook is 'Webhooks of the payment provider as they came. The receiver stores one before it answers, and applies it afterwards';
comment on column payment_webhook.state is 'NEW; DONE once it was applied; DEAD once it failed for a day';
comment on column payment_webhook.next_at is 'Time of the next try';
create index payment_webhook_new on payment_webhook (next_at) where state = 'NEW';

create table report_line (
	source text not null,
	pool text not null,
	key text not null,
	amount bigint not null,
	at bigint not null,
	primary key (source, pool, key)
);
comment on table report_line is 'Lines of the payment provider’s reports and the bank’s statements: an order that one of them has named is not missing from the next one';
comment on column report_line.source is 'PROVIDER or BANK';
comment on column report_line.key is 'Direction and reference of the transfer';

create table simulated_payment (
	reference text primary key,
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
comment on table simulated_payment is 'Payments in the books of the simulated payment provider, which stands for one elsewhere and alone writes here';
comment on column simulated_payment.reference is 'The order’s name, which the server chose';
comment on column simulated_payment.provider_id is 'The provider’s own name of it';
comment on column simulated_payment.outcome is 'The course that this payment takes';
comment on column simulated_payment.utr is 'The bank’s reference; null until it is paid';
comment on column simulated_payment.due_at is 'When its next event happens; null when none is left';
comment on column simulated_payment.dispute is 'The cycle of its dispute that is open, or was last; null without one';
create index simulated_payment_due on simulated_payment (due_at) where due_at is not null;

create table simulated_payout (
	reference text primary key,
	amount bigint not null,
	status text not null,
	utr text,
	due_at bigint not null
);
comment on table simulated_payout is 'Payouts in the books of the simulated payment provider';
comment on column simulated_payout.status is 'The verdict, which the provider gives from due_at on; PROCESSING before';
comment on column simulated_payout.utr is 'The bank’s reference; null unless it is paid';

create table payment_claim (
	kind text not null,
	id bigint not null,
	holder text not null,
	staff_id bigint references staff,
	step int not null,
	since bigint not null,
	until bigint not null,
	primary key (kind, id)
);
comment on table payment_claim is 'A member’s claim on a workflow in the payment queue. It holds until its end, while the holder has taken no later step and is not removed; a row that no longer holds stays until the next claim or release';
comment on column payment_claim.staff_id is 'Null for an operator at the command line';
comment on column payment_claim.step is 'Of the workflow when it was claimed';

-- Receipts, payout accounts, identity.

create table stored_image (
	image_ref text primary key,
	player_id bigint not null,
	at bigint not null,
	type text not null,
	hash text not null,
	key_id text not null,
	bytes bytea not null,
	is_used boolean not null
);
alter table stored_image alter column bytes set storage external;
comment on table stored_image is 'Pictures of receipts and documents: encrypted, seen by their owner and by operators';
comment on column stored_image.hash is 'Of the picture, to find the same one again';
comment on column stored_image.key_id is 'Fingerprint of the data key';
comment on column stored_image.bytes is 'Encrypted bytes do not shrink, so they are stored without compression';
comment on column stored_image.is_used is 'It belongs to a deposit or a document';
create index stored_image_of_player on stored_image (player_id, at);
create index stored_image_by_hash on stored_image (hash);

create table payout_details (
	details_id text primary key,
	player_id bigint not null,
	method text not null,
	masked text not null,
	fingerprint text not null,
	key_id text not null,
	bytes bytea not null,
	at bigint not null,
	unique (player_id, fingerprint)
);
comment on table payout_details is 'Accounts to which players want their withdrawals: encrypted, shown masked';
comment on column payout_details.method is 'UPI or BANK';
comment on column payout_details.fingerprint is 'Keyed hash: the same details of two players have the same';
comment on column payout_details.key_id is 'Fingerprint of the data key';
create index payout_details_fingerprint on payout_details (fingerprint);

create table identity_document (
	document_id text primary key,
	player_id bigint not null references player (player_id),
	request_id text not null,
	at bigint not null,
	kind text not null,
	masked text not null,
	fingerprint text not null,
	key_id text not null,
	number bytea not null,
	image_refs text[] not null,
	state text not null check (state in ('SUBMITTED', 'ACCEPTED', 'REJECTED')),
	decided_at bigint check ((decided_at is null) = (state = 'SUBMITTED')),
	decided_by text,
	reason text,
	unique (player_id, request_id)
);
comment on table identity_document is 'Documents by which players prove their identity';
comment on column identity_document.request_id is 'The player’s name for the request: a repetition stores nothing';
comment on column identity_document.masked is 'The last characters of the number';
comment on column identity_document.fingerprint is 'Keyed hash of kind and number: the same document of another account has it';
comment on column identity_document.key_id is 'Fingerprint of the data key';
comment on column identity_document.number is 'Encrypted';
comment on column identity_document.image_refs is 'Its pictures in stored_image';
comment on column identity_document.decided_by is 'The operator; null while it waits';
comment on column identity_document.reason is 'Of a rejection, for the player';
-- One document of a player waits at a time.
create unique index identity_document_waiting on identity_document (player_id) where state = 'SUBMITTED';
create index identity_document_queue on identity_document (at) where state = 'SUBMITTED';
create index identity_document_of_player on identity_document (player_id, at);
create index identity_document_image on identity_document using gin (image_refs);

-- Protection of players.

create table player_protection (
	player_id bigint primary key,
	record jsonb not null
);
comment on table player_protection is 'Protection of a player: limits that the player chose, raises that wait, time-out, exclusion, closure, freezing';

create table exclusion (
	mobile text primary key,
	until_at bigint not null
);
comment on table exclusion is 'Persons who excluded themselves, by their mobile: it holds for every brand, and for accounts made later';

create table excluded_identity (
	fingerprint text primary key,
	until_at bigint not null
);
comment on table excluded_identity is 'Persons who excluded themselves, by their document; the table exclusion has them by mobile';
comment on column excluded_identity.fingerprint is 'As in player_identity';
