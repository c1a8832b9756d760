/** Writes a brand with its ledger to a folder, whole or not at all, from one snapshot beside a running server. */
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import pg from 'pg';
import { synced } from '../durable-file.ts';
import { type BrandManifest, filePath, writeManifest } from './brand-folder.ts';
import { hindrances } from './hindrances.ts';
import { DATA_KEY_COLUMNS, HOST, LEDGER_KEY_COLUMNS, MOVED_IN_PART, MOVED_WHOLE } from './moved-tables.ts';
import type { ServerKeys } from './server-keys.ts';
import { type Table, tablesOf, writeRows } from './table-rows.ts';

/**
 * A kill leaves a folder FOLDER.partial, which the next run replaces.
 * @param folder that does not exist yet
 * @throws Error with the list of what keeps the brand, and such as ENOSPC; there is no folder then
 */
export async function writeBrand(
	client: pg.ClientBase,
	host: string,
	folder: string,
	keys: ServerKeys,
): Promise<BrandManifest> {
	if (existsSync(folder)) throw new Error(`${folder} exists: name a new folder.`);
	const partial = `${folder}.partial`;
	await rm(partial, { recursive: true, force: true });
	// Documents and password hashes of persons.
	await mkdir(partial, { recursive: true, mode: 0o700 });
	await client.query('begin transaction isolation level repeatable read read only');
	await client.query(`set local timezone = 'UTC'`);
	const found = await hindrances(client, host);
	if (found.length > 0) {
		await rm(partial, { recursive: true });
		throw new Error([`${host} cannot move yet:`, ...found].join('\n'));
	}
	const tables = await tablesOf(client);
	const files: BrandManifest['files'] = {};
	const moved = [...MOVED_WHOLE.map((name) => [name, null] as const), ...Object.entries(MOVED_IN_PART)];
	for (const [name, condition] of moved) {
		const table = tables.get(name);
		if (!table) throw new Error(`There is no table ${name}.`);
		const ofHost = condition?.replaceAll(HOST, pg.escapeLiteral(host)) ?? null;
		files[name] = await writeRows(client, filePath(partial, name), table, ofHost);
	}
	const manifest = {
		host,
		...(await snapshotOf(client)),
		migrations: await migrationsOf(client),
		keys: {
			token: keys.tokenKeyId,
			ledger: await keyIdsIn(client, LEDGER_KEY_COLUMNS),
			data: await keyIdsIn(client, DATA_KEY_COLUMNS),
		},
		counters: await countersOf(
			client,
			[...tables.values()].filter(({ name }) => name in files),
		),
		files,
	};
	const written = await writeManifest(partial, manifest, keys.ledgerKey);
	await client.query('rollback');
	await synced(partial);
	await rename(partial, folder);
	await synced(dirname(folder));
	return written;
}

async function snapshotOf(client: pg.ClientBase): Promise<Pick<BrandManifest, 'at' | 'batch' | 'isRehearsal'>> {
	const { rows } = await client.query<{ at: Date; batch: number; isRehearsal: boolean }>(
		`select now() as at, batch, exists (
		   select from pg_stat_activity where datname = current_database() and application_name = holder
		 ) as "isRehearsal" from lease`,
	);
	const [lease] = rows;
	if (!lease) throw new Error('The ledger has no lease.');
	return { ...lease, at: lease.at.toISOString() };
}

/** Names with their checksums. */
export async function migrationsOf(client: pg.ClientBase): Promise<Record<string, string>> {
	const { rows } = await client.query<{ name: string; checksum: string }>(
		'select name, checksum from migration order by name',
	);
	return Object.fromEntries(rows.map(({ name, checksum }) => [name, checksum]));
}

async function keyIdsIn(
	client: pg.ClientBase,
	columns: readonly (readonly [table: string, column: string])[],
): Promise<string[]> {
	const selects = columns.map(([table, column]) => `select ${column} as id from ${table} where ${column} is not null`);
	const { rows } = await client.query<{ id: string }>(`${selects.join(' union ')} order by id`);
	return rows.map(({ id }) => id);
}

/** A number is not given twice, not even that of a row that was deleted. */
async function countersOf(client: pg.ClientBase, tables: readonly Table[]): Promise<Record<string, number>> {
	const counters: Record<string, number> = {};
	for (const { name, counter } of tables) {
		if (counter === null) continue;
		const { rows } = await client.query<{ last: number | null }>(
			'select pg_sequence_last_value(pg_get_serial_sequence($1, $2)::regclass)::float8 as last',
			[name, counter],
		);
		const last = rows[0]?.last ?? null;
		if (last !== null) counters[name] = last;
	}
	return counters;
}
