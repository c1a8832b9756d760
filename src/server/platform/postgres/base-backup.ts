/**
 * Base backups of the embedded cluster, taken while it runs. A backup is a folder with a copy of the cluster's files, the
 * WAL that makes the copy consistent, and a manifest with the SHA-256 of each file. The manifest is written last, so a
 * folder without one is no backup.
 */
import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { MACHINE } from '#server/platform/machine/machine.ts';
import { archiveNeeds } from '#server/platform/postgres/archive-needs.ts';

const MANIFEST = 'manifest.json';
/** Ends the name of a folder whose backup or removal is in progress. */
const PARTIAL = '.partial';
/** The time that names a backup, such as 2026-11-25T07-33-48.485Z. */
const NAME = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z$/;
/** Beside the manifest. */
const FILES = 'postgres';
const WAL_FILE = /^[0-9A-F]{24}$/;
/** Files that a cluster recreates at its start, and those of the running process. */
const CONTENT_LEFT_OUT = new Set([
	'pg_wal',
	'pg_replslot',
	'pg_dynshmem',
	'pg_notify',
	'pg_serial',
	'pg_snapshots',
	'pg_stat_tmp',
	'pg_subtrans',
]);
const LEFT_OUT = /^(postmaster\.(pid|opts)|server\.log|pg_internal\.init.*|pgsql_tmp.*|backup_label|tablespace_map)$/;

interface BackupManifest {
	/** Milliseconds since 1970. */
	takenAtMs: number;
	/** Major version of PostgreSQL, as in the cluster's PG_VERSION. */
	version: string;
	/** The last batch of the ledger when the backup began; the backup contains it and perhaps later ones. */
	batch: number;
	/** The first WAL segment that a restore reads. An archive needs none before it. */
	firstWal: string;
	/** SHA-256 of each file in hexadecimal digits, by its path. */
	files: Record<string, string>;
}

export interface Backup {
	folder: string;
	manifest: BackupManifest;
}

/**
 * Copies a running cluster.
 * @param options.url of the ledger's database in the cluster
 * @param options.cluster the cluster's folder
 * @param options.into the folder that gets the backup as a folder of its own, named by its time
 * @throws the error of the database or the disk; then there is no backup
 */
export async function takeBackup(options: { url: string; cluster: string; into: string }): Promise<Backup> {
	const { url, cluster, into } = options;
	const takenAtMs = Date.now();
	const folder = join(into, new Date(takenAtMs).toISOString().replaceAll(':', '-'));
	const partial = folder + PARTIAL;
	await mkdir(join(partial, FILES), { recursive: true, mode: 0o700 });
	// The backup lives as long as this session.
	const client = new pg.Client({ connectionString: url });
	try {
		await client.connect();
		const { rows } = await client.query<{ batch: number }>('select batch::float8 as batch from lease');
		const files: Record<string, string> = {};
		const firstWal = await copyCluster(client, cluster, join(partial, FILES), files);
		const version = (await readFile(join(cluster, 'PG_VERSION'), 'utf8')).trim();
		const manifest: BackupManifest = { takenAtMs, version, batch: rows[0]?.batch ?? 0, firstWal, files };
		await writeFile(join(partial, MANIFEST), JSON.stringify(manifest, null, '\t'), { mode: 0o600 });
		await flush(partial);
		await verify({ folder: partial, manifest });
		await rename(partial, folder);
		await flush(folder);
		return { folder, manifest };
	} catch (error) {
		await rm(partial, { recursive: true, force: true });
		throw error;
	} finally {
		await client.end();
	}
}

/** @returns the first WAL segment that belongs to the copy */
async function copyCluster(
	client: pg.Client,
	cluster: string,
	to: string,
	files: Record<string, string>,
): Promise<string> {
	// The slot keeps the WAL of the copy from being recycled; it goes with the session.
	await client.query('select pg_create_physical_replication_slot($1, true, true)', [
		`backup_${randomBytes(8).toString('hex')}`,
	]);
	const started = await client.query<{ first: string }>(
		`select pg_walfile_name(pg_backup_start('Backlay', fast => true)) as first`,
	);
	const first = started.rows[0]?.first ?? '';
	await copyFolder(cluster, to, '', files);
	const stopped = await client.query<{ last: string; label: string }>(
		'select pg_walfile_name(lsn) as last, labelfile as label from pg_backup_stop(wait_for_archive => false)',
	);
	const { last = '', label = '' } = stopped.rows[0] ?? {};
	await writeFile(join(to, 'backup_label'), label, { mode: 0o600 });
	files['backup_label'] = await digestOf(join(to, 'backup_label'));
	for (const name of await readdir(join(cluster, 'pg_wal'))) {
		if (!WAL_FILE.test(name) || name < first || name > last) continue;
		await copyFile(join(cluster, 'pg_wal', name), join(to, 'pg_wal', name));
		files[`pg_wal/${name}`] = await digestOf(join(to, 'pg_wal', name));
	}
	for (const name of [first, last])
		if (!files[`pg_wal/${name}`]) throw new Error(`The segment ${name} was gone before it was copied.`);
	return first;
}

/** A file that is removed meanwhile is left out: its removal is in the WAL. */
async function copyFolder(from: string, to: string, path: string, files: Record<string, string>): Promise<void> {
	for (const entry of await readdir(join(from, path), { withFileTypes: true })) {
		if (LEFT_OUT.test(entry.name)) continue;
		const name = path === '' ? entry.name : `${path}/${entry.name}`;
		if (entry.isDirectory()) {
			await mkdir(join(to, name), { mode: 0o700 });
			if (!CONTENT_LEFT_OUT.has(name)) await copyFolder(from, to, name, files);
		} else if (entry.isFile()) {
			try {
				await copyFile(join(from, name), join(to, name));
			} catch (error) {
				if ((error as NodeJS.ErrnoException).code === 'ENOENT') continue;
				throw error;
			}
			files[name] = await digestOf(join(to, name));
		}
	}
}

/** The backups of a folder, oldest first, and the folders that have a backup's name and are none. */
export async function backupsIn(folder: string): Promise<{ backups: Backup[]; broken: string[] }> {
	const backups: Backup[] = [];
	const broken: string[] = [];
	for (const name of (await readdir(folder)).filter((each) => NAME.test(each))) {
		const backup = await readBackup(join(folder, name)).catch(() => null);
		if (backup) backups.push(backup);
		else broken.push(name);
	}
	return { backups: backups.sort((one, other) => one.manifest.takenAtMs - other.manifest.takenAtMs), broken };
}

/** @throws Error when the folder is no complete backup */
export async function readBackup(folder: string): Promise<Backup> {
	try {
		return { folder, manifest: JSON.parse(await readFile(join(folder, MANIFEST), 'utf8')) as BackupManifest };
	} catch (error) {
		throw new Error(`${folder} is no backup, or one that was interrupted.`, { cause: error });
	}
}

/**
 * Restores a backup in the place of a cluster. The next start recovers it.
 * @param cluster a folder that does not exist
 * @throws Error if a file is missing or differs from the copied one; then nothing is left in the place
 */
export async function placeBackup({ folder, manifest }: Backup, cluster: string): Promise<void> {
	await mkdir(dirname(cluster), { recursive: true, mode: 0o700 });
	await mkdir(cluster, { mode: 0o700 });
	try {
		await copyFolders(join(folder, FILES), cluster, '');
		for (const [name, digest] of Object.entries(manifest.files)) {
			await copyFile(join(folder, FILES, name), join(cluster, name));
			if ((await digestOf(join(cluster, name))) !== digest)
				throw new Error(`${join(folder, FILES, name)} is not the file that was copied.`);
		}
		await flush(cluster);
	} catch (error) {
		await rm(cluster, { recursive: true, force: true });
		throw error;
	}
}

/** Empty folders count, too: a cluster does not start without them. */
async function copyFolders(from: string, to: string, path: string): Promise<void> {
	for (const entry of await readdir(join(from, path), { withFileTypes: true })) {
		if (!entry.isDirectory()) continue;
		const name = join(path, entry.name);
		await mkdir(join(to, name), { mode: 0o700 });
		await copyFolders(from, to, name);
	}
}

/** @throws Error if a file of the backup is missing or is not the one that was copied */
async function verify({ folder, manifest }: Backup): Promise<void> {
	for (const [name, digest] of Object.entries(manifest.files)) {
		const found = await digestOf(join(folder, FILES, name)).catch(() => 'missing');
		if (found !== digest) throw new Error(`${join(folder, FILES, name)} is not the file that was copied.`);
	}
}

/** Removes what killed backups and removals left. No other process may work in the folder. */
export async function removePartial(folder: string): Promise<void> {
	for (const name of await readdir(folder))
		if (name.endsWith(PARTIAL) && NAME.test(name.slice(0, -PARTIAL.length)))
			await rm(join(folder, name), { recursive: true, force: true });
}

/**
 * Removes older backups, the oldest first. A removed one loses its name first, so that a kill leaves no backup that lacks
 * files.
 * @param options.newest the backup that was just taken: it is kept whatever the clock said when others were taken
 * @param options.keep how many are kept, the newest among them
 */
export async function forgetBackups(options: { folder: string; newest: Backup; keep: number }): Promise<void> {
	const { folder, newest, keep } = options;
	const { backups } = await backupsIn(folder);
	const others = backups.filter((backup) => backup.folder !== newest.folder);
	for (const old of others.slice(0, Math.max(0, others.length - (keep - 1)))) {
		await rename(old.folder, old.folder + PARTIAL);
		await rm(old.folder + PARTIAL, { recursive: true, force: true });
	}
}

/** Timelines come first in the name; the rest orders segments by age. */
const ageOf = (name: string): string => name.slice(8);

/** The first WAL segment that a restore of one of the backups reads; empty without a backup. */
export const firstWalOf = (backups: readonly Backup[]): string =>
	backups
		.map(({ manifest }) => manifest.firstWal)
		.reduce((first, name) => (first === '' || ageOf(name) < ageOf(first) ? name : first), '');

/** Removes the archived WAL that no folder of backups needs. */
export async function forgetWal(archive: string): Promise<void> {
	const [oldest = ''] = (await archiveNeeds(archive)).map(({ firstWal }) => ageOf(firstWal)).sort();
	for (const name of await readdir(archive))
		if (WAL_FILE.test(name) && ageOf(name) < oldest) await rm(join(archive, name), { force: true });
}

async function flush(folder: string): Promise<void> {
	const [program, args] = MACHINE.flushing(folder);
	await promisify(execFile)(program, args);
}

async function digestOf(file: string): Promise<string> {
	const digest = createHash('sha256');
	await pipeline(createReadStream(file), digest);
	return digest.digest('hex');
}
