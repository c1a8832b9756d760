/**
 * Numbered SQL files, each applied once; missing ones are applied in one transaction. An applied file must never
 * change what it makes. The files below 0100 are the baseline, which replaced the migrations of earlier releases: a database with all
 * of those is adopted, because its tables equal the baseline's.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { openMonths } from '#server/platform/postgres/months.ts';
import { inTransaction } from '#server/platform/postgres/transaction.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..', '..', 'db');
const FOLDER = join(ROOT, 'migrations');
/** The migrations that the baseline replaced, as `sha256sum` prints them. */
const REPLACED = join(ROOT, 'before-baseline.sha256');
/**
 * Former texts of files that were rewritten, as `sha256sum` prints them: they make the same tables, and PostgreSQL 15 does not
 * read them.
 */
const REWRITTEN = join(ROOT, 'rewritten.sha256');
/** A comment of the baseline is one statement on one line. */
const COMMENT = /^comment on .*;$/gm;

/** The names of migrations with the checksums of their texts. */
type Checksums = ReadonlyMap<string, string>;

interface MigrationFile {
	name: string;
	text: string;
	checksum: string;
}

interface Known {
	/** In the order in which they are applied. */
	files: readonly MigrationFile[];
	/** The migrations that the baseline replaced. */
	replaced: Checksums;
	/** Of former texts; a database that was made by one of them stays as it is. */
	rewritten: Checksums;
}

/**
 * Brings the database up to date. If two processes do so at once, the second waits for the first.
 * @param only the files to apply, for a database in the state of an older version; all of them by default
 * @throws Error if a later release migrated the database, if it lacks a migration that the baseline replaced, or if a
 *   file was changed after it was applied; nothing is changed
 */
export async function migrate(db: pg.Pool, only?: ReadonlySet<string>): Promise<void> {
	const known = await readKnown();
	await inTransaction(db, async (client) => {
		await prepare(client);
		if (hasReplaced(await appliedIn(client), known)) await adopt(client, known);
		const applied = await appliedIn(client);
		for (const { name, text, checksum } of known.files) {
			if (only && !only.has(name)) continue;
			const before = applied.get(name);
			if (before === checksum || (before && before === known.rewritten.get(name))) continue;
			if (before) refuseChanged(name);
			await client.query(text);
			await record(client, name, checksum);
		}
	});
	if (!only) await openMonths(db, Date.now());
}

/** Whether `migrate` would apply nothing. It is only read, so that a start on such a database waits for no lock. */
export async function isMigrated(db: Pick<pg.Pool, 'query'>): Promise<boolean> {
	const { files } = await readKnown();
	const { rows } = await db.query<{ exists: boolean }>(`select to_regclass('migration') is not null as exists`);
	if (!rows[0]?.exists) return false;
	const applied = await appliedIn(db);
	return applied.size === files.length && files.every(({ name, checksum }) => applied.get(name) === checksum);
}

/**
 * The files whose tables a database has; it is only read. The baseline is among them if the database has the migrations
 * that the baseline replaced.
 * @throws Error as `migrate` does
 */
export async function appliedFiles(db: pg.Pool): Promise<ReadonlySet<string>> {
	const known = await readKnown();
	const applied = await appliedIn(db);
	const adopted = hasReplaced(applied, known) ? baselineOf(known) : [];
	return new Set([...applied.keys(), ...adopted.map(({ name }) => name)]);
}

let known: Promise<Known> | null = null;

/** They are read once: the files of a release do not change while it runs. */
function readKnown(): Promise<Known> {
	known ??= readFiles();
	known.catch(() => {
		known = null;
	});
	return known;
}

async function readFiles(): Promise<Known> {
	const names = (await readdir(FOLDER)).filter((name) => /^\d{4}-[a-z0-9-]+\.sql$/.test(name)).sort();
	const files = names.map(async (name) => {
		const text = await readFile(join(FOLDER, name), 'utf8');
		return { name, text, checksum: createHash('sha256').update(text).digest('hex') };
	});
	return {
		files: await Promise.all(files),
		replaced: await checksumsIn(REPLACED),
		rewritten: await checksumsIn(REWRITTEN),
	};
}

async function checksumsIn(file: string): Promise<Checksums> {
	const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
	return new Map(
		lines.map((line) => {
			const [checksum, name] = line.split('  ') as [string, string];
			return [name, checksum];
		}),
	);
}

const baselineOf = ({ files }: Known): MigrationFile[] => files.filter(({ name }) => name < '0100');

async function appliedIn(db: Pick<pg.Pool, 'query'>): Promise<Checksums> {
	const { rows } = await db.query<{ name: string; checksum: string }>('select name, checksum from migration');
	return new Map(rows.map(({ name, checksum }) => [name, checksum]));
}

/**
 * Whether the database was created by the migrations that the baseline replaced. @throws Error if they are incomplete
 */
function hasReplaced(applied: Checksums, { files, replaced }: Known): boolean {
	const names = new Set([...files.map(({ name }) => name), ...replaced.keys()]);
	refuseLater([...applied.keys()].filter((name) => !names.has(name)));
	const missing = [...replaced.keys()].filter((name) => !applied.has(name));
	if (missing.length === replaced.size) return false;
	if (missing.length > 0)
		throw new Error(
			`A release before the baseline migrated this database, and it lacks ${missing.join(', ')}. Start the last release ` +
				'before the baseline on it once, then this one. Nothing was changed.',
		);
	for (const [name, checksum] of replaced) if (applied.get(name) !== checksum) refuseChanged(name);
	return true;
}

/** The rows of a later release could be misread, and be written without required columns. */
function refuseLater(unknown: readonly string[]): void {
	if (unknown.length === 0) return;
	throw new Error(
		`A later release migrated this database: ${unknown.toSorted().join(', ')} ${unknown.length === 1 ? 'is' : 'are'} not known to ` +
			'this one. Start that release, or restore a backup from before it. Nothing was changed.',
	);
}

function refuseChanged(name: string): never {
	throw new Error(`Migration ${name} was changed after it was applied; write a new one instead.`);
}

/** The tables are the baseline's already, except for its comments. */
async function adopt(client: pg.PoolClient, known: Known): Promise<void> {
	await client.query('delete from migration where name = any($1)', [[...known.replaced.keys()]]);
	for (const { name, text, checksum } of baselineOf(known)) {
		await client.query((text.match(COMMENT) ?? []).join('\n'));
		await record(client, name, checksum);
	}
}

async function record(client: pg.PoolClient, name: string, checksum: string): Promise<void> {
	await client.query('insert into migration (name, checksum) values ($1, $2)', [name, checksum]);
}

/** Creates the migration table, and locks it while migrating. */
async function prepare(client: pg.PoolClient): Promise<void> {
	const { rows } = await client.query<{ exists: boolean }>(`select to_regclass('migration') is not null as exists`);
	if (!rows[0]?.exists) {
		await client.query('commit');
		try {
			await client.query(`create table if not exists migration (
				name text primary key, checksum text not null, applied_at timestamptz not null default now()
			)`);
		} catch (error) {
			// If two processes create the same table at once, one gets an error and finds the table created.
			if (!['23505', '42P07', '42710'].includes((error as { code?: string }).code ?? '')) throw error;
		}
		await client.query('begin');
	}
	await client.query('lock table migration in exclusive mode');
}
