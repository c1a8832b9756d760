/** Takes a brand that moved into the empty database of another server: in one transaction, once its audit passes. */
import pg from 'pg';
import { migrate } from '../../src/server/platform/postgres/migrate.ts';
import { inTransaction } from '../../src/server/platform/postgres/transaction.ts';
import { closeLog } from '../../src/server/platform/public-log/log-rows.ts';
import { CHECKS } from '../audit-checks.ts';
import { type BrandManifest, filePath, readManifest } from './brand-folder.ts';
import { WRITTEN_BY_MIGRATIONS } from './moved-tables.ts';
import type { ServerKeys } from './server-keys.ts';
import { inOrder, readRows, type Table, tablesOf } from './table-rows.ts';
import { migrationsOf } from './write-brand.ts';

/**
 * A kill leaves the database as it was.
 * @throws Error in words for an operator: wrong files, keys or release, a database that a server used, a failed check
 */
export async function readBrand(db: pg.Pool, folder: string, keys: ServerKeys): Promise<BrandManifest> {
	const manifest = await readManifest(folder, keys.seals);
	compareKeys(manifest, keys);
	await migrate(db);
	await inTransaction(db, async (client) => {
		// A server that starts takes this lock, and waits.
		await client.query('lock table migration in exclusive mode');
		compareMigrations(await migrationsOf(client), manifest);
		const tables = await tablesOf(client);
		const moved = inOrder(tables).filter(({ name }) => name in manifest.files);
		await expectUnused(client, moved);
		for (const table of moved) await take(client, folder, table, manifest);
		// What the folder lacks of the log was published and signed.
		await closeLog(client, 'the brand moved to another server');
		await client.query('analyze');
		for (const { name, run } of CHECKS) {
			const { wrong } = await run(client, keys.seals);
			if (wrong) throw new Error(`The audit fails, and nothing was taken in: ${name}. ${JSON.stringify(wrong)}`);
		}
	});
	return manifest;
}

function compareKeys({ keys: needed }: BrandManifest, { tokenKeyId, seals, data }: ServerKeys): void {
	const missing = [
		...(needed.token === tokenKeyId ? [] : [`TOKEN_KEY (${needed.token})`]),
		...needed.ledger.filter((id) => !seals.keys.has(id)).map((id) => `LEDGER_KEY or LEDGER_KEYS_RETIRED (${id})`),
		...needed.data.filter((id) => !data.has(id)).map((id) => `DATA_KEYS (${id})`),
	];
	if (missing.length > 0)
		throw new Error(`Set the keys of the server that the brand comes from: ${missing.join(', ')}.`);
}

function compareMigrations(here: Readonly<Record<string, string>>, { migrations: there }: BrandManifest): void {
	const names = [...new Set([...Object.keys(here), ...Object.keys(there)])].filter(
		(name) => here[name] !== there[name],
	);
	if (names.length > 0)
		throw new Error(`The release that wrote the folder has other tables than this one: ${names.sort().join(', ')}.`);
}

/** @throws Error with the tables that have rows which no migration wrote */
async function expectUnused(client: pg.ClientBase, tables: readonly Table[]): Promise<void> {
	const used: string[] = [];
	const isUsed = async (name: string, condition: string): Promise<void> => {
		const { rowCount } = await client.query(`select from ${pg.escapeIdentifier(name)} ${condition} limit 1`);
		if (rowCount !== 0) used.push(name);
	};
	for (const { name } of tables) if (!WRITTEN_BY_MIGRATIONS.includes(name)) await isUsed(name, '');
	await isUsed('brand', `where host <> 'default'`);
	await isUsed('lease', 'where epoch <> 0');
	if (used.length > 0)
		throw new Error(`A server has used this database; it has rows in ${used.join(', ')}. Name an empty one.`);
}

async function take(client: pg.ClientBase, folder: string, table: Table, manifest: BrandManifest): Promise<void> {
	const { name, columns, counter } = table;
	const file = manifest.files[name];
	const isSame = file?.columns.join() === columns.map((column) => column.name).join();
	if (WRITTEN_BY_MIGRATIONS.includes(name)) await client.query(`delete from ${pg.escapeIdentifier(name)}`);
	const rows = isSame ? await readRows(client, filePath(folder, name), table) : null;
	if (rows !== file?.rows) throw new Error(`${filePath(folder, name)} has other columns, or not ${file?.rows} rows.`);
	const last = manifest.counters[name];
	if (counter !== null && last !== undefined)
		await client.query('select setval(pg_get_serial_sequence($1, $2), $3)', [name, counter, last]);
}
