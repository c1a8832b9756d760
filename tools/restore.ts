/**
 * `npm run restore -- --from BACKUP --to DATA_DIR [--archive FOLDER [--until TIME]]`: creates the embedded database of
 * a new data folder from a base backup, recovers it from archived WAL up to its end or to a moment, and runs the audit
 * on it. All of this is done in the folder `restoring` of the data folder, and the database gets its place last. With
 * `--drill` in place of `--to` the copy is removed after the audit. Exits with 1 if the audit fails.
 *
 * The audit's keys come from the environment, or from the current data folder (DATA_DIR).
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { placeBackup, readBackup } from '../src/server/platform/postgres/base-backup.ts';
import {
	clusterFolder,
	type EmbeddedPostgres,
	endOfLog,
	isInRecovery,
	restoringFolder,
	startEmbeddedPostgres,
	stopCluster,
} from '../src/server/platform/postgres/embedded-postgres.ts';
import { lockFolder } from '../src/server/platform/postgres/folder-lock.ts';
import { closeLog } from '../src/server/platform/public-log/log-rows.ts';
import { auditKeys } from './audit-keys.ts';
import { synced } from './durable-file.ts';
import { failureOf } from './own-database.ts';

const ROOT = join(import.meta.dirname, '..');
const LOOK_EVERY_MS = 50;
/** A recovery that fails ends PostgreSQL; it is started again meanwhile, and fails again. */
const GONE_AFTER_MS = 5_000;

interface Archive {
	folder: string;
	/** An ISO 8601 time; null for the end of the archive. */
	until: string | null;
}

/** In a shell command of PostgreSQL, where a per cent sign begins a placeholder. */
const quoted = (path: string): string => `'${path.replaceAll("'", "'\\''").replaceAll('%', '%%')}'`;

/** @throws Error with the end of PostgreSQL's log if the recovery fails */
async function recover(dataDir: string, archive: Archive | null): Promise<EmbeddedPostgres> {
	const cluster = clusterFolder(dataDir);
	if (archive) await writeFile(join(cluster, 'recovery.signal'), '');
	const settings: Record<string, string> = archive
		? {
				restore_command: `cp ${quoted(archive.folder)}/%f "%p"`,
				recovery_target_action: 'promote',
				...(archive.until === null ? {} : { recovery_target_time: archive.until }),
			}
		: {};
	const embedded = await startEmbeddedPostgres({ dataDir, settings });
	let answeredAtMs = performance.now();
	for (;;) {
		const inRecovery = await isInRecovery(embedded.url('postgres'));
		if (inRecovery === false) return embedded;
		if (inRecovery) answeredAtMs = performance.now();
		else if (performance.now() - answeredAtMs > GONE_AFTER_MS) {
			await embedded.stop();
			throw new Error(`The recovery failed:\n${endOfLog(cluster)}`);
		}
		await delay(LOOK_EVERY_MS);
	}
}

/**
 * The ledger's last batch, after an audit of it. What the backup lacks of the public log was published and signed, so the
 * restored database begins another log.
 * @throws Error if a check fails
 */
async function audited(embedded: EmbeddedPostgres): Promise<number> {
	const url = embedded.url('backlay');
	const audit = spawn(process.execPath, [join(ROOT, 'tools', 'audit.ts'), '--database-url', url], {
		stdio: ['ignore', 'inherit', 'inherit'],
	});
	const [code] = await once(audit, 'close');
	if (code !== 0) throw new Error('The audit of the restored database failed.');
	const client = new pg.Client({ connectionString: url });
	await client.connect();
	try {
		await closeLog(client, 'the database was restored from a backup');
		const { rows } = await client.query<{ batch: number }>('select batch::float8 as batch from lease');
		return rows[0]?.batch ?? 0;
	} finally {
		await client.end();
	}
}

/**
 * @param dataDir without a database
 * @throws Error if the backup is damaged or none, or the restored ledger is not sound; then nothing is in its place
 */
export async function restore(from: string, dataDir: string, archive: Archive | null): Promise<void> {
	const cluster = clusterFolder(dataDir);
	const refuseDatabase = (): void => {
		if (existsSync(cluster)) throw new Error(`${cluster} exists. Restore to a data folder without a database.`);
	};
	refuseDatabase();
	await using held = new AsyncDisposableStack();
	const lock = await lockFolder(dataDir);
	held.defer(() => lock.release());
	// Made by the server that had the lock before.
	refuseDatabase();
	const backup = await readBackup(from);
	if (archive?.until && !(Date.parse(archive.until) > backup.manifest.takenAtMs))
		throw new Error('--until must be a time after the backup, such as 2026-01-31T10:00:00Z.');
	const scratch = restoringFolder(dataDir);
	// Of a restore that was killed.
	await stopCluster(clusterFolder(scratch));
	await rm(scratch, { recursive: true, force: true });
	await placeBackup(backup, clusterFolder(scratch));
	const batch = await recovered(scratch, archive);
	if (batch < backup.manifest.batch) throw new Error(`Batch ${backup.manifest.batch} is missing.`);
	await rename(clusterFolder(scratch), cluster);
	await synced(dataDir);
	await rm(scratch, { recursive: true, force: true });
	console.log(JSON.stringify({ restored: dataDir, batch, batchOfBackup: backup.manifest.batch }));
}

/** The last batch of the cluster, which was recovered, audited and stopped. */
async function recovered(dataDir: string, archive: Archive | null): Promise<number> {
	const embedded = await recover(dataDir, archive);
	try {
		return await audited(embedded);
	} finally {
		await embedded.stop();
	}
}

async function run(): Promise<void> {
	const { values } = parseArgs({
		options: {
			from: { type: 'string' },
			to: { type: 'string' },
			drill: { type: 'boolean', default: false },
			archive: { type: 'string' },
			until: { type: 'string' },
		},
	});
	const { from, to, drill, archive, until } = values;
	const drillFolder = drill ? await mkdtemp(join(tmpdir(), 'backlay-drill-')) : null;
	try {
		const target = to === undefined ? drillFolder : resolve(to);
		if (from === undefined || target === null || (drill && to !== undefined))
			throw new Error('npm run restore -- --from BACKUP (--to DATA_DIR | --drill) [--archive FOLDER [--until TIME]]');
		if (until !== undefined && archive === undefined) throw new Error('--until needs --archive.');
		// The audit at the end needs them; without them a large backup would be restored in vain.
		auditKeys(process.env, process.env['DATA_DIR'] ?? null);
		const wal = archive === undefined ? null : { folder: resolve(archive), until: until ?? null };
		await restore(resolve(from), target, wal);
	} catch (error) {
		console.error(failureOf(error));
		process.exitCode = 1;
	} finally {
		if (drillFolder !== null) await rm(drillFolder, { recursive: true, force: true });
	}
}

if (import.meta.main) await run();
