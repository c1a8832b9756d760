/** Numbered SQL files, each applied once in a transaction of its own. A file that was applied must never change. */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { openMonths } from '#server/platform/postgres/months.ts';
import { inTransaction } from '#server/platform/postgres/transaction.ts';

const FOLDER = join(import.meta.dirname, '..', '..', '..', '..', 'db', 'migrations');

/**
 * Brings the database up to date. When two processes do so at once, the second waits for the first.
 * @param only the files to apply, for a database that is to be as an older version left it; all of them by default
 * @throws Error when a later release migrated the database, or a file was changed after it was applied; nothing is changed
 */
export async function migrate(db: pg.Pool, only?: ReadonlySet<string>): Promise<void> {
	const known = (await readdir(FOLDER)).filter((name) => /^\d{4}-[a-z0-9-]+\.sql$/.test(name)).sort();
	const files = known.filter((name) => only?.has(name) ?? true);
	await inTransaction(db, async (client) => {
		await prepare(client);
		const { rows } = await client.query<{ name: string; checksum: string }>('select name, checksum from migration');
		const applied = new Map(rows.map(({ name, checksum }) => [name, checksum]));
		refuseLater(rows.map(({ name }) => name).filter((name) => !known.includes(name)));
		for (const name of files) {
			const text = await readFile(join(FOLDER, name), 'utf8');
			const checksum = createHash('sha256').update(text).digest('hex');
			const before = applied.get(name);
			if (before === checksum) continue;
			if (before) throw new Error(`Migration ${name} was changed after it was applied; write a new one instead.`);
			await client.query(text);
			await client.query('insert into migration (name, checksum) values ($1, $2)', [name, checksum]);
		}
	});
	if (!only) await openMonths(db, Date.now());
}

/** What a later release made of the tables is not known here: its rows could be read wrongly, and be written without. */
function refuseLater(unknown: readonly string[]): void {
	if (unknown.length === 0) return;
	throw new Error(
		`A later release migrated this database: ${unknown.toSorted().join(', ')} ${unknown.length === 1 ? 'is' : 'are'} not known to ` +
			'this one. Start that release, or restore a backup from before it. Nothing was changed.',
	);
}

/** Creates the migration table, and locks it while migrating. */
async function prepare(client: pg.PoolClient): Promise<void> {
	const { rowCount } = await client.query(`select 1 from information_schema.tables where table_name = 'migration'`);
	if (rowCount === 0) {
		await client.query('commit');
		try {
			await client.query(`create table if not exists migration (
				name text primary key, checksum text not null, applied_at timestamptz not null default now()
			)`);
		} catch (error) {
			// When two processes create the same table at once, one gets an error and finds the table created.
			if (!['23505', '42P07', '42710'].includes((error as { code?: string }).code ?? '')) throw error;
		}
		await client.query('begin');
	}
	await client.query('lock table migration in exclusive mode');
}
