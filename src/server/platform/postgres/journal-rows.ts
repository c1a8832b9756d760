/**
 * Rows that only the journal protects: staff, their roles, proposals, findings of feeds, messages of support and entries
 * of cases. A change of such a row is a transaction that adds a row of the journal with its keyed hash, so the audit
 * finds a row that was changed by other means.
 */
import { createHmac } from 'node:crypto';
import type pg from 'pg';
import { unhurried } from '#server/platform/postgres/limited-queries.ts';
import { canonicalJson } from '#values/canonical-json.ts';

interface KeptTable {
	key: string;
	/** The columns covered by the hash. */
	columns: string;
}

/**
 * Excluded: the step of the last one-time code and the counter of a key, which log-ins change, and half a password,
 * which is not kept.
 */
export const KEPT_TABLES = {
	staff: {
		key: 'staff_id',
		columns:
			'staff_id, name, name_key, password_hash, roles, brands, totp_key_id, totp_secret, recovery_hashes, created_at, removed_at',
	},
	staff_key: {
		key: 'key_id',
		columns: 'key_id, staff_id, name, public_key, transports, created_at, removed_at',
	},
	staff_identity: {
		key: 'staff_id',
		columns: 'staff_id, issuer, email, subject, entered_at, removed_at',
	},
	staff_role: { key: 'name', columns: 'name, permissions' },
	staff_player: {
		key: 'player_id',
		columns: 'player_id, staff_id, linked_at, removed_at',
	},
	proposal: {
		key: 'proposal_id',
		columns:
			'proposal_id, act, input, subject, reason, preview, basis, proposed_by, proposed_at, state, decided_by, decided_at, outcome',
	},
	/** The digest stands for the text, which is erased with the person. */
	ticket_message: {
		key: 'message_id',
		columns: 'message_id, ticket_id, number, player_id, at, author, request_id, digest',
	},
	/** The digest stands for the facts that came with the entry. */
	compliance_case_entry: {
		key: 'entry_id',
		columns: 'entry_id, case_id, number, at, author, kind, text, facts_digest',
	},
	feed_finding: {
		key: 'finding_id',
		columns: 'finding_id, market_id, words, holds, reported_at, closed_by, closed_at',
	},
	brand_schedule: {
		key: 'schedule_id',
		columns: 'schedule_id, host, at, changes, scheduled_by, state, outcome, decided_at',
	},
} as const satisfies Record<string, KeptTable>;

export type KeptTableName = keyof typeof KEPT_TABLES;

/** The name of a row and the keyed hash of its cells. */
export interface KeptRow {
	name: string;
	hash: string;
}

const nameOfRow = (table: KeptTableName, key: string | number): string => `${table} ${key}`;

/** @param row the covered cells; bytes count as their text */
export function rowHashOf(key: string, row: object): string {
	const cells = Object.entries(row).map(([name, cell]) => [name, Buffer.isBuffer(cell) ? cell.toString('hex') : cell]);
	const text = canonicalJson(Object.fromEntries(cells));
	return createHmac('sha256', key).update(text).digest('hex').slice(0, 32);
}

/** The row as the transaction sees it. */
export async function keptRow(
	client: pg.PoolClient,
	secret: string,
	table: KeptTableName,
	key: string | number,
): Promise<KeptRow> {
	const { columns, key: column } = KEPT_TABLES[table];
	const { rows } = await client.query<object>(`select ${columns} from ${table} where ${column} = $1`, [key]);
	const [row] = rows;
	if (!row) throw new Error(`there is no row ${nameOfRow(table, key)}`);
	return { name: nameOfRow(table, key), hash: rowHashOf(secret, row) };
}

/** All rows of all tables, for a database from before their hashes. */
export async function allKeptRows(client: pg.PoolClient, secret: string): Promise<KeptRow[]> {
	const found: KeptRow[] = [];
	for (const [table, { columns, key }] of Object.entries(KEPT_TABLES)) {
		const { rows } = await unhurried(client).query<Record<string, string | number>>(
			`select ${columns} from ${table} order by ${key}`,
		);
		for (const row of rows) {
			found.push({ name: nameOfRow(table as KeptTableName, row[key] ?? ''), hash: rowHashOf(secret, row) });
		}
	}
	return found;
}
