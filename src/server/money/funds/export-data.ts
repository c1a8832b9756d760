/** All data of a player as CSV, as data protection law requires. */
import type pg from 'pg';
import { csvOf } from '#values/csv.ts';
import type { PlayerId } from '#values/ids.ts';

/** A query that gives the rows of one file; secrets and keys are not among the columns. */
const FILES: readonly { name: string; sql: string }[] = [
	{
		name: 'account.csv',
		sql: `select player_id, brand, user_name, mobile, referral_code, pool, to_timestamp(created_at / 1000.0) as created_at
		  from player where player_id = $1`,
	},
	{
		name: 'statement.csv',
		sql: `select to_timestamp(at / 1000.0) as at, kind, ref, debit, credit, amount / 100.0 as amount,
		  cash_after / 100.0 as balance from posting where wallet_id = $1 order by batch, line`,
	},
	{
		name: 'bets.csv',
		sql: `select bet_id, market_id, runner, case side when 0 then 'BACK' else 'LAY' end as side, price / 100.0 as price,
		  stake / 100.0 as stake, matched / 100.0 as matched, result, to_timestamp(placed_at / 1000.0) as placed_at
		  from bet where wallet_id = $1 order by bet_id`,
	},
	{
		name: 'deposits-withdrawals-bonuses.csv',
		sql: `select kind, id, state, to_timestamp(opened_at / 1000.0) as opened_at, to_timestamp(at / 1000.0) as at, data
		  from workflow where wallet_id = $1 order by opened_at, id`,
	},
	{
		name: 'payout-details.csv',
		sql: `select method, masked, to_timestamp(at / 1000.0) as saved_at from payout_details where player_id = $1 order by at`,
	},
	{
		name: 'identity-documents.csv',
		sql: `select kind, masked, state, reason, to_timestamp(at / 1000.0) as at, to_timestamp(decided_at / 1000.0) as decided_at
		  from identity_document where player_id = $1 order by at`,
	},
	{
		name: 'receipts.csv',
		sql: `select image_ref, type, is_used, to_timestamp(at / 1000.0) as stored_at from stored_image where player_id = $1
		  order by at`,
	},
	{
		name: 'messages.csv',
		sql: `select to_timestamp(at / 1000.0) as at, case when sent_at is null then 'waiting' else 'sent' end as state
		  from outbox where mobile = (select mobile from player where player_id = $1) order by at`,
	},
	{
		name: 'mail-address.csv',
		sql: `select address, to_timestamp(proven_at / 1000.0) as proven_at, tells_limits, tells_withdrawals, tells_statement
		  from mail_address where player_id = $1`,
	},
	{
		name: 'mail.csv',
		sql: `select to_timestamp(at / 1000.0) as at, recipient, subject, state from mail where player_id = $1 order by at`,
	},
	{
		name: 'support.csv',
		sql: `select ticket_id, kind, topic, to_timestamp(ticket_message.at / 1000.0) as at,
		  case when author is null then 'player' else 'support' end as written_by, text
		  from ticket join ticket_message using (ticket_id) where ticket.player_id = $1 order by ticket_id, number`,
	},
	{
		name: 'results.csv',
		sql: `select market_id, profit / 100.0 as profit, to_timestamp(at / 1000.0) as at from player_settlement
		  where wallet_id = $1 order by at`,
	},
	{
		name: 'logins.csv',
		sql: `select to_timestamp(at / 1000.0) as at, address, succeeded from login_attempt where player_id = $1 order by at`,
	},
	{
		name: 'accepted-terms.csv',
		sql: `select kind, version, brand, to_timestamp(at / 1000.0) as at, address from accepted_terms where player_id = $1
		  order by at, kind`,
	},
	{
		name: 'protection.csv',
		sql: 'select record from player_protection where player_id = $1',
	},
];

export async function exportData(
	db: Pick<pg.Pool, 'query'>,
	playerId: PlayerId,
): Promise<{ files: { name: string; csv: string }[] }> {
	const files: { name: string; csv: string }[] = [];
	for (const { name, sql } of FILES) {
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
