/**
 * The real server as a process of its own with its embedded PostgreSQL, and the faults of a test: a small disk under
 * its data folder, a log that blocks or breaks, a clock that jumps, kill -9.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { operatorKeyOf } from '#server/operators/operator-key.ts';
import { keptTokenKey } from '#server/platform/keys/kept-token-key.ts';
import { failedAuditChecks } from '../../support/audit.ts';
import { placeCluster } from '../../support/database.ts';
import { serverProgram } from '../../support/server-program.ts';
import { matchByHand } from './listed-match.ts';
import { PostgresProcesses } from './postgres-processes.ts';
import { PipeLog, type ServerLog } from './server-log.ts';
import type { SmallDisk } from './small-disk.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const CLOCK = new URL('./shifted-clock.ts', import.meta.url);
const MEMORY = new URL('./memory-in-use.ts', import.meta.url);
const LOOK_EVERY_MS = 15;

export interface FaultyServerOptions {
	/**
	 * Options as `npm start --` takes them; the log level is `warn` unless they name another. Simulated sports cost a start as
	 * much as all else: `openMarket` needs none.
	 */
	args?: readonly string[];
	/** More of the environment, or other values. */
	environment?: Readonly<Record<string, string>>;
	/** The data folder, and so PostgreSQL, stands on this disk. It stays the test's to dispose of. */
	disk?: SmallDisk;
	/** A pipe unless the test wants another; made again for every start. */
	log?: () => ServerLog;
}

/** How a process ended. */
export interface Ended {
	code: number | null;
	signal: NodeJS.Signals | null;
}

export class FaultyServer {
	readonly dataDir: string;
	readonly postgres: PostgresProcesses;
	/** Of the process that was started last. */
	log: ServerLog = new PipeLog();
	/** Resolves when the process that was started last has ended. */
	ended: Promise<Ended> = Promise.resolve({ code: 0, signal: null });
	readonly #options: FaultyServerOptions;
	/** Holds the clock's offset, and the data where there is no small disk. */
	readonly #folder: string;
	#child: ChildProcess | null = null;
	/** The event whose markets operators open. */
	#match: string | null = null;
	/** The system's choice at the first start, and the same at every other. */
	#port = 0;
	readonly #killAtExit = () => this.#killAll();

	private constructor(options: FaultyServerOptions) {
		this.#options = options;
		this.#folder = mkdtempSync(join(tmpdir(), 'backlay-fault-'));
		this.dataDir = join(options.disk?.folder ?? this.#folder, 'data');
		this.postgres = new PostgresProcesses(this.dataDir);
		mkdirSync(this.dataDir, { mode: 0o700 });
		if (!options.environment?.['DATABASE_URL']) placeCluster(this.dataDir);
		writeFileSync(this.#clockFile, '0');
		process.once('exit', this.#killAtExit);
	}

	/** A server that is ready. When it does not come up everything is cleaned away again, and the error holds its log. */
	static async start(options: FaultyServerOptions = {}): Promise<FaultyServer> {
		const server = new FaultyServer(options);
		try {
			await server.start();
			return server;
		} catch (error) {
			await server.dispose();
			throw error;
		}
	}

	/** A server that was not started yet, on a data folder with a migrated database. */
	static stopped(options: FaultyServerOptions = {}): FaultyServer {
		return new FaultyServer(options);
	}

	/** Opens a market of a match that it adds the first time, as an operator does. */
	async openMarket(name = 'Winner'): Promise<{ marketId: string; runnerId: string }> {
		this.#match ??= (await this.operate<{ eventId: string }>('event-add', matchByHand())).eventId;
		const market = { eventId: this.#match, name, type: 'MATCH_ODDS', runners: ['Reds', 'Blues'] };
		const opened = await this.operate<{ marketId: string; runners: { id: string }[] }>('open-market', market);
		return { marketId: opened.marketId, runnerId: opened.runners[0]?.id ?? '' };
	}

	/** The head of an operators' request. */
	get operator(): string {
		return `Operator ${operatorKeyOf(keptTokenKey(this.dataDir))}`;
	}

	/** The result of an operators' act that must succeed. */
	async operate<Result>(act: string, body: object): Promise<Result> {
		const response = await fetch(`${this.url}/operator/api/${act}`, {
			method: 'POST',
			headers: { 'Content-Type': 'application/json', Authorization: this.operator },
			body: JSON.stringify(body),
		});
		const { result, error } = (await response.json()) as { result: Result; error: { code: string } | null };
		if (error) throw new Error(`${act}: ${error.code}`);
		return result;
	}

	/** Starts it on the same data folder and port; resolves when it is ready. @throws Error with its log when it is not */
	async start(): Promise<void> {
		const { args = [], log = () => new PipeLog() } = this.#options;
		this.log = log();
		const child = spawn(process.execPath, [serverProgram(), '--log-level', 'warn', ...args], {
			cwd: ROOT,
			env: this.#environment(),
			stdio: ['ignore', this.log.stdio, this.log.stdio],
		});
		this.#child = child;
		this.log.attach(child);
		this.ended = once(child, 'exit').then(([code, signal]) => ({ code, signal }));
		const ended = this.ended.then(({ code, signal }) => {
			throw new Error(`The server ended with ${code ?? signal}:\n${this.log.tail().join('\n')}`);
		});
		ended.catch(() => {});
		this.#port = await Promise.race([this.log.ready(), ended]);
	}

	#environment(): NodeJS.ProcessEnv {
		return {
			...process.env,
			NODE_ENV: 'development',
			NODE_OPTIONS: `--import=${CLOCK.href} --import=${MEMORY.href}`,
			CLOCK_OFFSET_FILE: this.#clockFile,
			MEMORY_FILE: this.#memoryFile,
			DATA_DIR: this.dataDir,
			DATABASE_URL: '',
			PORT: String(this.#port),
			RATE_LIMIT_FACTOR: '1000',
			// A calendar of three days takes a second of each start.
			SIM_FIXTURES: '2',
			...this.#options.environment,
		};
	}

	get #clockFile(): string {
		return join(this.#folder, 'clock-offset');
	}

	get #memoryFile(): string {
		return join(this.#folder, 'memory');
	}

	get url(): string {
		return `http://localhost:${this.#port}`;
	}

	get port(): number {
		return this.#port;
	}

	/** @throws Error when it does not run */
	get pid(): number {
		const pid = this.#child?.pid;
		if (pid === undefined) throw new Error('The server does not run.');
		return pid;
	}

	/** Bytes that the server's process holds after a collection, its database left out. */
	async memoryInUse(): Promise<number> {
		rmSync(this.#memoryFile, { force: true });
		process.kill(this.pid, 'SIGWINCH');
		while (!existsSync(this.#memoryFile)) await delay(LOOK_EVERY_MS);
		return Number(readFileSync(this.#memoryFile, 'utf8'));
	}

	/** Sets the server's wall clock off by this much from now on; later starts begin with it. Resolves when it is so. */
	async shiftClock(offsetMs: number): Promise<void> {
		const applied = `${this.#clockFile}.applied`;
		rmSync(applied, { force: true });
		writeFileSync(this.#clockFile, String(offsetMs));
		process.kill(this.pid, 'SIGUSR2');
		while (!existsSync(applied)) await delay(LOOK_EVERY_MS);
	}

	/** SIGSTOP of the server alone; `thaw` lets it go on. */
	freeze(): void {
		process.kill(this.pid, 'SIGSTOP');
	}

	thaw(): void {
		process.kill(this.pid, 'SIGCONT');
	}

	/** kill -9: no drain. PostgreSQL goes on, and `start` takes it over. */
	async kill(): Promise<Ended> {
		return await this.#end('SIGKILL');
	}

	/** Stops it as an operator would. */
	async stop(): Promise<Ended> {
		return await this.#end('SIGTERM');
	}

	async #end(signal: NodeJS.Signals): Promise<Ended> {
		this.#child?.kill(signal);
		this.#child = null;
		return await this.ended;
	}

	/** The ledger's audit, run as operators run it. @returns the names of the checks that failed */
	async failedAuditChecks(): Promise<string[]> {
		return await failedAuditChecks(this.#environment());
	}

	/** Ends the server and its PostgreSQL, whatever state they are in, and removes the data. A second call does nothing. */
	async dispose(): Promise<void> {
		process.off('exit', this.#killAtExit);
		await this.kill();
		await this.postgres.end();
		rmSync(this.dataDir, { recursive: true, force: true });
		rmSync(this.#folder, { recursive: true, force: true });
	}

	/** When the test run itself ends early there is time for signals only. */
	#killAll(): void {
		this.#child?.kill('SIGKILL');
		for (const pid of this.postgres.pids) process.kill(pid, 'SIGKILL');
	}
}
