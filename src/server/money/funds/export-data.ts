/**
 * All data of a player as CSV, as data protection law requires. Each table with something about single players is in one of
 * the two lists; a test compares them with the schema. Every field is chosen by its name, also those within JSON: beside
 * them stand the house's doubts, names of staff and ids of other players, of which the player is not told.
 */
import type pg from 'pg';
import type { TransferKind } from '#engine/effect.ts';
import { REASON_FOR_PLAYER } from '#server/money/funds/funds-rows.ts';
import { isOwn } from '#server/people/persons/facts.ts';
import { csvOf } from '#values/csv.ts';
import type { PlayerId } from '#values/ids.ts';

interface ExportedFile {
	name: string;
	/** Whose rows of the player it has. */
	tables: readonly string[];
	/** Gives the rows of the file; secrets and keys are not among the columns. */
	sql: string;
}

/** What the player gets of the data of each kind of workflow. Those of the other kinds are not about the player's money. */
const WORKFLOW_FIELDS = {
	COINS: ['amount', 'reason'],
	PAYMENT: ['amount', 'of', 'expiresAtMs', 'payee', 'paid', 'paidAtMs', 'utr', 'held', 'lost'],
	DEPOSIT: ['amount', 'utr', 'imageRef', 'paidAtMs', 'bankAtMs'],
	WITHDRAWAL: ['amount', 'method', 'masked', 'identity', 'utr', 'paidAtMs', 'tax'],
	DISPUTE: ['payment', 'cycle', 'amount', 'held', 'taken', 'paidAtMs', 'lostAtMs', 'name', 'deadlineMs'],
	ADJUSTMENT: ['amount', 'isCredit', 'reasonCode', 'paidAtMs'],
	BONUS: [
		'brand',
		'campaign',
		'title',
		'terms',
		'bonusKind',
		'amount',
		'required',
		'expiresAtMs',
		'source',
		'sportsWeight',
		'casinoWeight',
	],
	REFERRAL: ['friend', 'amount', 'thresholds'],
	CASINO: [
		'game',
		'stake',
		'payout',
		'bets',
		'actions',
		'result',
		'outcome',
		'pair',
		'nonce',
		'round',
		'slot',
		'terms',
		'beacon',
		'provider',
		'providerRound',
		'wins',
		'wonBets',
		'payments',
		'rollbacks',
		'event',
		'isTip',
		'tombstone',
		'rollback',
	],
	TAX: ['name', 'host', 'period', 'base', 'amount'],
} as const satisfies Partial<Record<TransferKind, readonly string[]>>;

const listed = (names: readonly string[]): string => names.map((name) => `'${name}'`).join(', ');

/** SQL: the fields of a JSON object that a list names. */
const chosen = (json: string, names: string): string =>
	`(select jsonb_object_agg(key, value) from jsonb_each(${json}) where key = any(${names}))`;

const CHOSEN_OF_KIND = chosen(
	'data',
	`case kind ${Object.entries(WORKFLOW_FIELDS)
		.map(([kind, names]) => `when '${kind}' then array[${listed(names)}]`)
		.join(' ')} end`,
);

/** Without the reason for which the account is frozen. */
const PROTECTION_FIELDS = [
	'limits',
	'raises',
	'timeOutUntilMs',
	'excludedUntilMs',
	'closedAtMs',
	'realityCheckMinutes',
	'identifiedAtMs',
	'ageSeen',
	'limitsReviewedAtMs',
];

export const EXPORTED: readonly ExportedFile[] = [
	{
		name: 'account.csv',
		tables: ['player'],
		sql: `select player_id, brand, user_name, mobile, to_timestamp(mobile_verified_at / 1000.0) as mobile_proven_at,
		  referral_code, pool, stakes, to_timestamp(created_at / 1000.0) as created_at from player where player_id = $1`,
	},
	{
		name: 'statement.csv',
		tables: ['posting'],
		sql: `select to_timestamp(at / 1000.0) as at, kind, ref, debit, credit, amount / 100.0 as amount,
		  cash_after / 100.0 as balance from posting where wallet_id = $1 order by batch, line`,
	},
	{
		name: 'bets.csv',
		tables: ['bet_end', 'bet'],
		sql: `select bet_id, market_id, runner, case side when 0 then 'BACK' else 'LAY' end as side, price / 100.0 as price,
		  stake / 100.0 as stake, matched / 100.0 as matched, result, to_timestamp(placed_at / 1000.0) as placed_at,
		  to_timestamp(ended_at / 1000.0) as ended_at from bet where wallet_id = $1 order by bet_id`,
	},
	{
		// Of months whose bets were put away, the sums that stay.
		name: 'bets-of-earlier-months.csv',
		tables: ['detached_bets'],
		sql: `select month, market_id, matched / 100.0 as matched, round(profit / 10000, 2) as profit from detached_bets
		  where wallet_id = $1 order by month, market_id`,
	},
	{
		name: 'waiting-bets.csv',
		tables: ['bet_trigger'],
		sql: `select trigger_id, market_id, runner, case side when 0 then 'BACK' else 'LAY' end as side,
		  price / 100.0 as price, stake / 100.0 as stake, watches, moves, at_price / 100.0 as at_price, plan, status, reason,
		  bet_id, to_timestamp(placed_at / 1000.0) as placed_at from bet_trigger where wallet_id = $1 order by trigger_id`,
	},
	{
		name: 'automatic-cash-outs.csv',
		tables: ['auto_cash_out'],
		sql: `select market_id, target / 100.0 as target, to_timestamp(set_at / 1000.0) as set_at from auto_cash_out
		  where wallet_id = $1 order by market_id`,
	},
	{
		name: 'order-groups.csv',
		tables: ['order_group'],
		sql: `select name, most / 100.0 as most, to_timestamp(closed_at / 1000.0) as closed_at from order_group
		  where wallet_id = $1 order by name`,
	},
	{
		name: 'seeds.csv',
		tables: ['game_seed_pair'],
		sql: `select number, client_seed, commitment, server_seed, to_timestamp(begun_at / 1000.0) as begun_at,
		  to_timestamp(revealed_at / 1000.0) as revealed_at from game_seed_pair where wallet_id = $1 order by number`,
	},
	{
		name: 'deposits-withdrawals-bonuses.csv',
		tables: ['workflow'],
		// An adjustment that operators have not decided yet, or have rejected, did nothing.
		sql: `select kind, id, case state when 'UNKNOWN' then 'PROCESSING' else state end as state,
		  to_timestamp(opened_at / 1000.0) as opened_at, to_timestamp(at / 1000.0) as at,
		  case when kind in ('PAYMENT', 'DEPOSIT', 'WITHDRAWAL') then ${REASON_FOR_PLAYER} end as reason,
		  ${CHOSEN_OF_KIND} as data
		  from workflow where wallet_id = $1 and kind in (${listed(Object.keys(WORKFLOW_FIELDS))})
		    and (kind <> 'ADJUSTMENT' or state = 'POSTED') order by opened_at, id`,
	},
	{
		name: 'payout-details.csv',
		tables: ['payout_details'],
		sql: `select method, masked, to_timestamp(at / 1000.0) as saved_at from payout_details where player_id = $1 order by at`,
	},
	{
		name: 'identity-documents.csv',
		tables: ['identity_document'],
		sql: `select kind, masked, state, reason, to_timestamp(at / 1000.0) as at, to_timestamp(decided_at / 1000.0) as decided_at
		  from identity_document where player_id = $1 order by at`,
	},
	{
		name: 'identity.csv',
		tables: ['player_identity'],
		sql: 'select to_timestamp(at / 1000.0) as verified_at from player_identity where player_id = $1',
	},
	{
		name: 'receipts.csv',
		tables: ['stored_image'],
		sql: `select image_ref, type, is_used, to_timestamp(at / 1000.0) as stored_at from stored_image where player_id = $1
		  order by at`,
	},
	{
		name: 'messages.csv',
		tables: ['outbox'],
		sql: `select to_timestamp(at / 1000.0) as at, case when sent_at is null then 'waiting' else 'sent' end as state
		  from outbox join player using (brand, mobile) where player_id = $1 and ${isOwn('mobile', 'player')} order by at`,
	},
	{
		name: 'mail-address.csv',
		tables: ['mail_address'],
		sql: `select address, to_timestamp(proven_at / 1000.0) as proven_at, tells_limits, tells_withdrawals, tells_statement
		  from mail_address where player_id = $1`,
	},
	{
		name: 'mail.csv',
		tables: ['mail'],
		sql: `select to_timestamp(at / 1000.0) as at, recipient, subject, state from mail where player_id = $1 order by at`,
	},
	{
		name: 'support.csv',
		tables: ['ticket', 'ticket_message'],
		sql: `select ticket_id, kind, topic, to_timestamp(ticket_message.at / 1000.0) as at,
		  case when author is null then 'player' else 'support' end as written_by, text
		  from ticket join ticket_message using (ticket_id) where ticket.player_id = $1 order by ticket_id, number`,
	},
	{
		name: 'results.csv',
		tables: ['player_settlement'],
		sql: `select market_id, profit / 100.0 as profit, to_timestamp(at / 1000.0) as at from player_settlement
		  where wallet_id = $1 order by at`,
	},
	{
		name: 'logins.csv',
		tables: ['login_attempt'],
		sql: `select to_timestamp(at / 1000.0) as at, address, succeeded from login_attempt where player_id = $1 order by at`,
	},
	{
		name: 'open-logins.csv',
		tables: ['login'],
		sql: `select to_timestamp(opened_at / 1000.0) as opened_at, address, to_timestamp(active_at / 1000.0) as active_at,
		  to_timestamp(expires_at / 1000.0) as expires_at from login where player_id = $1 order by login_id`,
	},
	{
		name: 'passkeys.csv',
		tables: ['player_passkey'],
		sql: `select name, host, to_timestamp(created_at / 1000.0) as created_at, to_timestamp(last_used_at / 1000.0) as used_at
		  from player_passkey where player_id = $1 order by created_at, key_id`,
	},
	{
		name: 'authenticator.csv',
		tables: ['player_authenticator'],
		sql: 'select to_timestamp(created_at / 1000.0) as created_at from player_authenticator where player_id = $1',
	},
	{
		name: 'app-keys.csv',
		tables: ['api_key'],
		sql: `select name, hint, may_trade, addresses, per_second, to_timestamp(created_at / 1000.0) as created_at,
		  to_timestamp(used_at / 1000.0) as used_at from api_key where player_id = $1 order by key_id`,
	},
	{
		name: 'accepted-terms.csv',
		tables: ['accepted_terms'],
		sql: `select kind, version, brand, to_timestamp(at / 1000.0) as at, address from accepted_terms where player_id = $1
		  order by at, kind`,
	},
	{
		name: 'protection.csv',
		tables: ['player_protection'],
		sql: `select record ->> 'frozen' is not null as is_frozen, ${chosen('record', `array[${listed(PROTECTION_FIELDS)}]`)} as record
		  from player_protection where player_id = $1`,
	},
	{
		name: 'sports.csv',
		tables: ['player_closed_sport', 'player_sport_limit'],
		sql: `select sport, true as is_closed, null as max_stake, null as max_profit from player_closed_sport
		  where player_id = $1
		  union all select sport, false, max_stake / 100.0, max_profit / 100.0 from player_sport_limit where player_id = $1`,
	},
	{
		name: 'preferences.csv',
		tables: ['player_preference'],
		sql: `select language, show_balance, show_exposure, odds_format, theme from player_preference where player_id = $1`,
	},
	{
		name: 'pinned-events.csv',
		tables: ['pinned_event'],
		sql: `select event_id, to_timestamp(pinned_at_ms / 1000.0) as pinned_at from pinned_event where player_id = $1
		  order by pinned_at_ms, event_id`,
	},
	{
		name: 'favourite-games.csv',
		tables: ['game_mark'],
		sql: `select game, to_timestamp(favourite_since_ms / 1000.0) as favourite_since,
		  to_timestamp(opened_at_ms / 1000.0) as opened_at from game_mark where player_id = $1 order by game`,
	},
	{
		name: 'notifications.csv',
		tables: ['push_choice'],
		sql: 'select "off", at_night from push_choice where player_id = $1',
	},
	{
		name: 'notified-browsers.csv',
		tables: ['push_subscription'],
		sql: `select to_timestamp(created_at / 1000.0) as created_at from push_subscription where player_id = $1
		  order by created_at`,
	},
];

interface NotExported {
	why: string;
	tables: readonly string[];
}

export const NOT_EXPORTED: readonly NotExported[] = [
	{
		why: 'The files have it already: sums of their rows, copies of answers, and what others were sent about them.',
		tables: [
			'api_answer',
			'bot_heartbeat',
			'money_at_risk',
			'provider_transaction',
			'request_key',
			'wallet',
			'webhook_event',
		],
	},
	{
		why: 'Codes and keys that are good for minutes or hours, and locks until then.',
		tables: [
			'account_code',
			'game_session',
			'login_lock',
			'mail_proof',
			'mobile_proof',
			'password_reset',
			'registration',
		],
	},
	{
		why: 'What staff wrote, and what links the account with other persons and protects them.',
		tables: [
			'bar_on_hint',
			'compliance_case_fact',
			'compliance_case_player',
			'exclusion',
			'journal',
			'player_note',
			'player_tag',
			'refuted_fact',
			'shared_device',
			'staff_player',
		],
	},
];

export async function exportData(
	db: Pick<pg.Pool, 'query'>,
	playerId: PlayerId,
): Promise<{ files: { name: string; csv: string }[] }> {
	const files: { name: string; csv: string }[] = [];
	for (const { name, sql } of EXPORTED) {
		const { rows, fields } = await db.query<Record<string, unknown>>(sql, [playerId]);
		const names = fields.map((field) => field.name);
		const csv = csvOf(
			names,
			rows.map((row) => names.map((column) => row[column])),
		);
		files.push({ name, csv });
	}
	return { files };
}
