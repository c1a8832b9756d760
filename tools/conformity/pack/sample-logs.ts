/** Samples of what the system records, without anything that names a person. */
import { createHash } from 'node:crypto';
import type pg from 'pg';
import { csvOf } from '#values/csv.ts';

const MOST_ROWS = 200;

/** The newest rows of each log. Names of columns say what is hidden. */
const SAMPLES = {
	journal: `select seq, at, actor as hidden_actor, address as hidden_address, act, subject as hidden_subject, outcome,
		encode(chain, 'hex') as chain from journal order by seq desc`,
	postings: `select batch, line, at, kind, ref, step, pool, debit, credit, amount, wallet_id as hidden_wallet, cash_after
		from posting order by batch desc, line desc`,
	rounds: `select id, wallet_id as hidden_wallet, pool, state, opened_at, at, data ->> 'game' as game,
		data ->> 'stake' as stake, data ->> 'payout' as payout from workflow where kind = 'CASINO' order by id desc`,
	bets: `select bet_id, wallet_id as hidden_wallet, market_id, pool, runner, side, price, stake, placed_at, matched, lapsed,
		cancelled, voided, result, ended_at from bet order by bet_id desc`,
	'failed log-ins': `select at, brand, player_id as hidden_player, address as hidden_address from login_attempt
		where not succeeded order by at desc`,
	seals: `select batch, part, key_id, encode(chain, 'hex') as chain from batch_seal order by batch desc, part desc`,
} as const;

/** A name for a hidden value, the same wherever it occurs in this pack; another pack has other names. */
const hidden = (value: unknown, secret: string): string =>
	value === null
		? ''
		: createHash('sha256')
				.update(`${secret} ${String(value)}`)
				.digest('hex')
				.slice(0, 12);

/** @param secret of the pack, which is not kept. @returns a file of each log by its name */
export async function sampleLogs(db: Pick<pg.Pool, 'query'>, secret: string): Promise<Map<string, string>> {
	const files = new Map<string, string>();
	for (const [name, sql] of Object.entries(SAMPLES)) {
		const { rows, fields } = await db.query<Record<string, string | number | null>>(`${sql} limit ${MOST_ROWS}`);
		const columns = fields.map((field) => field.name);
		const cellsOf = (row: Record<string, string | number | null>) =>
			columns.map((column) =>
				column.startsWith('hidden_') ? hidden(row[column], secret) : (row[column] ?? '').toString(),
			);
		files.set(`logs/${name.replaceAll(' ', '-')}.csv`, csvOf(columns, rows.map(cellsOf)));
	}
	return files;
}
