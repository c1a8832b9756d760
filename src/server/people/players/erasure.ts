/**
 * What is erased of a player, and what is kept and why. Each table with something about single players is in one of the
 * two lists; a test compares them with the schema.
 */
import type pg from 'pg';
import { isOwn } from '#server/people/persons/facts.ts';
import type { PlayerId } from '#values/ids.ts';

interface Erased {
	/** As members read it before they confirm. */
	words: string;
	/** By table; the parameter is the player's id. What is found by the player's name or mobile comes before these go. */
	statements: Readonly<Record<string, string>>;
}

const deleteOf = (table: string, column = 'player_id'): Readonly<Record<string, string>> => ({
	[table]: `delete from ${table} where ${column} = $1`,
});

/** The name that stays; no player can choose it, because no name has a blank. */
export const erasedName = (playerId: PlayerId): string => `${playerId} (erased)`;

export const ERASED: readonly Erased[] = [
	{
		words: 'The texts of messages, complaints and answers, and text messages and mail to the player.',
		statements: {
			ticket: `update ticket set topic = null, state = 'CLOSED', due_at = null where player_id = $1`,
			ticket_message: 'update ticket_message set text = null, salt = null where player_id = $1',
			...deleteOf('mail'),
			outbox: `delete from outbox using player
			  where player_id = $1 and outbox.brand = player.brand and outbox.mobile = player.mobile
			    and ${isOwn('mobile', 'player')}`,
		},
	},
	{
		words:
			'Log-ins, tries to log in with their addresses, locks after wrong passwords, passkeys and authenticators, and ' +
			'keys and sessions of bots.',
		statements: {
			...deleteOf('login'),
			...deleteOf('login_attempt'),
			...deleteOf('login_lock'),
			...deleteOf('player_passkey'),
			...deleteOf('player_authenticator'),
			api_session: 'delete from api_session where key_id in (select key_id from api_key where player_id = $1)',
			...deleteOf('api_key'),
			...deleteOf('api_answer'),
			...deleteOf('game_session', 'wallet_id'),
		},
	},
	{
		words: 'Preferences, notifications, pinned events, favourite games, and notes and tags of the staff.',
		statements: {
			...deleteOf('player_preference'),
			...deleteOf('pinned_event'),
			...deleteOf('push_subscription'),
			...deleteOf('push_choice'),
			...deleteOf('game_mark'),
			...deleteOf('player_note'),
			...deleteOf('player_tag'),
		},
	},
	{
		words: 'The name, the mobile, the mail address, the password, the stakes and the referral code.',
		statements: {
			registration: `delete from registration using player
			  where player_id = $1 and registration.brand = player.brand and registration.name_key = player.name_key`,
			...deleteOf('mobile_proof'),
			...deleteOf('mail_proof'),
			...deleteOf('mail_address'),
			...deleteOf('account_code'),
			...deleteOf('password_reset'),
			refuted_fact: `delete from refuted_fact where player_id = $1 and kind = 'mobile'`,
			code_budget: `delete from code_budget using player
			  where player_id = $1 and account = brand || '|' || name_key || '|' || mobile`,
			player: `update player set user_name = player_id || ' (erased)', name_key = player_id || ' (erased)',
			   password_hash = null, stakes = null, mobile = null, mobile_verified_at = null, referral_code = null
			  where player_id = $1`,
		},
	},
];

interface Kept {
	words: string;
	tables: readonly string[];
}

export const KEPT: readonly Kept[] = [
	{
		words: 'The ledger stays under the player’s number: bets, rounds, payments, postings and what explains them.',
		tables: [
			'auto_cash_out',
			'bet',
			'bet_end',
			'bet_trigger',
			'order_group',
			'bot_heartbeat',
			'detached_bets',
			'game_seed_pair',
			'money_at_risk',
			'player_settlement',
			'posting',
			'provider_transaction',
			'request_key',
			'wallet',
			'workflow',
		],
	},
	{
		words:
			'The names by which a grant is given once stay: they have the mobile as a fingerprint that tells nothing without the key. Grants claimed before this was so have it as it is, in rows that are sealed.',
		tables: ['workflow_claim'],
	},
	{
		words:
			'Identity documents, receipts and payout accounts stay for the time that the law asks for, and are then erased.',
		tables: ['identity_document', 'payout_details', 'player_identity', 'stored_image'],
	},
	{
		words: 'Limits, breaks and exclusions stay; an exclusion bars the mobile and the document until its end.',
		tables: [
			'bar_on_hint',
			'excluded_identity',
			'exclusion',
			'player_closed_sport',
			'player_protection',
			'player_sport_limit',
		],
	},
	{
		words: 'Which terms and privacy policy were accepted, when and from which address, stays as proof.',
		tables: ['accepted_terms'],
	},
	{
		words: 'The journal, cases, and links of browsers with other accounts stay, because each row proves another.',
		tables: [
			'act_under_way',
			'compliance_case_fact',
			'compliance_case_player',
			'journal',
			'shared_device',
			'staff_player',
		],
	},
	{
		words:
			'What has left the house is not taken back: webhooks and day files, which name the player by number alone, exports of cases, and backups.',
		tables: ['webhook_event'],
	},
];

/** Erases the rows of a player, in a transaction. Once more, it erases what was written since. */
export async function eraseRows(client: Pick<pg.ClientBase, 'query'>, playerId: PlayerId): Promise<void> {
	for (const { statements } of ERASED) for (const sql of Object.values(statements)) await client.query(sql, [playerId]);
}
