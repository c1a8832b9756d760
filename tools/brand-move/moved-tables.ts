/**
 * What of a server moves with a brand, and what stays and why. Each table is in one of the lists; a test compares them
 * with the schema.
 */

/** The literal of the brand's host in the conditions below. */
export const HOST = ':host';

/** Tables of which the brand's own rows move. */
export const MOVED_IN_PART: Readonly<Record<string, string>> = {
	brand: `host in ('default', ${HOST})`,
	brand_picture: `host = ${HOST}`,
	brand_schedule: `host = ${HOST}`,
	brand_version: `host = ${HOST}`,
	back_end_client: `brand = ${HOST}`,
	game_rule: `brand in ('', ${HOST})`,
	login_attempt: `brand = ${HOST}`,
	// With the names by which each notice is written once. Codes are asked for again.
	mail: `brand = ${HOST} and not is_code`,
	webhook_endpoint: `brand = ${HOST}`,
	webhook_delivery: `endpoint_id in (select endpoint_id from webhook_endpoint where brand = ${HOST})`,
};

/** Tables that move whole, because the seals and the journal prove all their rows together. */
export const MOVED_WHOLE: readonly string[] = [
	// The ledger and what explains it
	'batch_seal',
	'bet',
	'bet_end',
	'bet_match',
	'bet_reference',
	'bet_terms',
	'bet_trigger',
	'order_group',
	'auto_cash_out',
	'detached_bets',
	'detached_month',
	'house_account',
	'lease',
	'market_event',
	'market_state',
	'money_at_risk',
	'player_settlement',
	'posting',
	'request_key',
	'served_pools',
	'trade_hour',
	'void_match',
	'wallet',
	'workflow',
	'workflow_claim',
	'workflow_step',
	// Fixtures and their feeds
	'feed_finding',
	'limit_rule',
	'tightened_market',
	'feed_progress',
	'fixture',
	'fixture_mark',
	'market_listing',
	'own_fixture',
	'own_score',
	'panic_press',
	// Money from outside
	'payment_claim',
	'payment_webhook',
	'provider_body',
	'provider_day',
	'provider_transaction',
	'report_line',
	'simulated_payment',
	'simulated_payout',
	'mail_cursor',
	'webhook_cursor',
	'webhook_event',
	// The casino
	'game_chain',
	'game_mark',
	'game_seed_pair',
	'round_tally',
	'table_decision',
	'table_round',
	// People
	'accepted_terms',
	'api_key',
	'bar_on_hint',
	'excluded_identity',
	'exclusion',
	'identity_document',
	'login_lock',
	'mail_address',
	'payout_details',
	'pinned_event',
	'player',
	'player_authenticator',
	'player_closed_sport',
	'player_identity',
	'player_note',
	'player_passkey',
	'player_preference',
	'player_protection',
	'player_sport_limit',
	'player_tag',
	'push_choice',
	'refuted_fact',
	'shared_device',
	'stored_image',
	'ticket',
	'ticket_message',
	// Staff and their acts
	'act_under_way',
	'compliance_case',
	'compliance_case_entry',
	'compliance_case_fact',
	'compliance_case_player',
	'journal',
	'journal_fence',
	'proposal',
	'saved_view',
	'staff',
	'staff_identity',
	'staff_key',
	'staff_player',
	'staff_role',
	// What strangers keep
	'public_log',
	'public_log_entry',
	'public_log_tile',
	'receipt_root',
	'sum_tree',
	'sum_tree_place',
	'sum_tree_tile',
];

interface Staying {
	why: string;
	tables: readonly string[];
}

export const STAYING: readonly Staying[] = [
	{
		why: 'Log-ins end with the server that opened them.',
		tables: [
			'api_session',
			'bot_heartbeat',
			'game_session',
			'login',
			'push_subscription',
			'staff_device',
			'staff_session',
		],
	},
	{
		why: 'Registrations, and codes with the messages that have them, are asked for again.',
		tables: ['account_code', 'code_budget', 'mail_proof', 'mobile_proof', 'outbox', 'password_reset', 'registration'],
	},
	{
		why: 'They serve processes that run: answers of the last minute, standbys, probes.',
		tables: ['api_answer', 'batch_command', 'follower', 'readiness_probe'],
	},
	{ why: 'The manifest has the migrations, and they are compared.', tables: ['migration'] },
];

/** Tables in which migrations write rows. A server that starts raises the epoch of the lease. */
export const WRITTEN_BY_MIGRATIONS: readonly string[] = [
	'brand',
	'journal_fence',
	'lease',
	'mail_cursor',
	'webhook_cursor',
];

/** Columns that name the data key of a row. */
export const DATA_KEY_COLUMNS: readonly (readonly [table: string, column: string])[] = [
	['game_chain', 'key_id'],
	['identity_document', 'key_id'],
	['payout_details', 'key_id'],
	['player_authenticator', 'key_id'],
	['proposal', 'half_key_id'],
	['staff', 'totp_key_id'],
	['stored_image', 'key_id'],
	['webhook_endpoint', 'key_id'],
	['webhook_endpoint', 'earlier_key_id'],
];

/** Columns that name the ledger's key of a row. */
export const LEDGER_KEY_COLUMNS: readonly (readonly [table: string, column: string])[] = [
	['batch_seal', 'key_id'],
	['detached_month', 'key_id'],
	['journal', 'key_id'],
];
