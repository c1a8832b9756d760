/**
 * Browser tests drive the real thing: the server as a process of its own that can be killed, and the system's Chromium.
 * This file starts, kills and stops the server; a killed one is started again on the same data folder.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import type { InputOf, ResultOf } from '#contract/call.ts';
import { CALLS, type CallName, type Calls } from '#contract/registry.ts';
import { operatorKeyOf } from '#server/operators/operator-key.ts';
import { PostgresProcesses } from '../faults/support/postgres-processes.ts';
import { failedAuditChecks } from '../support/audit.ts';
import { type FreshDatabase, freshDatabase, placeCluster } from '../support/database.ts';
import { checkAnswer } from '../support/operator-answer.ts';
import { type Finished, runTool } from '../support/run-tool.ts';
import { type Answered, answered, bearer } from '../support/server.ts';
import { serverProgram } from '../support/server-program.ts';

const LOOK_EVERY_MS = 15;

export const ROOT = join(import.meta.dirname, '..', '..');

function resultOf<Result>({ body: { success, result, error } }: Answered<Result>): Result {
	if (!success) throw new Error(`${error?.code}: ${error?.message}`);
	return result as Result;
}

export class ServerProcess {
	readonly dataDir: string;
	/** The system's choice at the first start, and the same at every other. */
	#port = 0;
	/** Null: PostgreSQL of its own, in the data folder. */
	readonly #database: FreshDatabase | null;
	/** What the test configures by the environment. */
	readonly #own: NodeJS.ProcessEnv;
	readonly #postgres: PostgresProcesses;
	#child: ChildProcess | null = null;
	/** What its processes have written so far, line by line. */
	readonly output: string[] = [];
	readonly #killAtExit = () => this.#killAll();

	private constructor(dataDir: string, database: FreshDatabase | null, environment: NodeJS.ProcessEnv) {
		this.dataDir = dataDir;
		this.#database = database;
		this.#own = environment;
		this.#postgres = new PostgresProcesses(dataDir);
		process.once('exit', this.#killAtExit);
	}

	/** Memory of the process as the system counts it. */
	get residentBytes(): number {
		const status = readFileSync(`/proc/${this.#child?.pid}/status`, 'utf8');
		return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
	}

	/** Its database in the test run's PostgreSQL. @throws Error for one with a PostgreSQL of its own */
	get database(): FreshDatabase {
		if (!this.#database) throw new Error('the server has a PostgreSQL of its own');
		return this.#database;
	}

	/** Known when it was started. */
	get url(): string {
		return `http://localhost:${this.#port}`;
	}

	/**
	 * A server with a data folder of its own, not started yet.
	 * @param options.embedded with a PostgreSQL of its own, that can be killed; otherwise it has a database in the test run's
	 * @param options.environment what its configuration has otherwise
	 */
	static async create({ embedded = false, environment = {} as NodeJS.ProcessEnv } = {}): Promise<ServerProcess> {
		const dataDir = await mkdtemp(join(tmpdir(), 'backlay-browser-'));
		if (embedded) placeCluster(dataDir);
		return new ServerProcess(dataDir, embedded ? null : await freshDatabase(), environment);
	}

	#environment(): NodeJS.ProcessEnv {
		return {
			...process.env,
			NODE_ENV: 'development',
			DATA_DIR: this.dataDir,
			PORT: String(this.#port),
			DATABASE_URL: this.#database?.url ?? '',
			DATABASE_CONNECTIONS: '3',
			// Every test makes demo players from the same address, on a fast machine more than a minute allows.
			RATE_LIMIT_FACTOR: '1000',
			// Pages do not need a calendar of three days.
			SIM_FIXTURES: '2',
			SIM_PAYMENT_SECONDS: '1',
			PAYMENT_POLL_SECONDS: '1',
			...this.#own,
		};
	}

	/**
	 * Starts the server with options as `npm start --` takes them; resolves when it answers. A server that a failed attempt
	 * at a test left running is killed first.
	 */
	async start(options: string[]): Promise<void> {
		await this.kill();
		const child = spawn(process.execPath, [serverProgram(), ...options], {
			cwd: ROOT,
			env: this.#environment(),
			stdio: ['ignore', 'pipe', 'pipe'],
		});
		this.#child = child;
		const from = this.output.length;
		const ended = once(child, 'exit').then(([code]) => {
			throw new Error(`The server ended with ${code} before it was ready:\n${this.output.slice(from).join('\n')}`);
		});
		const ready = new Promise<number>((resolve) => {
			for (const stream of [child.stdout, child.stderr]) {
				if (!stream) continue;
				createInterface({ input: stream }).on('line', (line) => {
					this.output.push(line);
					const port = /ready on http:\/\/localhost:(\d+)/.exec(line)?.[1];
					if (port) resolve(Number(port));
				});
			}
		});
		this.#port = await Promise.race([ready, ended]);
		ended.catch(() => {});
	}

	/** An act of the operators, by a person of that name. @throws unless it succeeds */
	async operator<Result = unknown>(act: string, body: object, as = 'asha'): Promise<Result> {
		const key = operatorKeyOf((await readFile(join(this.dataDir, 'token.key'), 'utf8')).trim());
		const response = await fetch(`${this.url}/operator/api/${act}`, {
			method: 'POST',
			body: JSON.stringify(body),
			headers: { 'Content-Type': 'application/json', Authorization: `Operator ${key}`, 'X-Operator': as },
		});
		const result = resultOf(await answered<Result>(response));
		checkAnswer(act, result);
		return result;
	}

	/** A call as the site makes it. @throws when no whole answer comes */
	async answer<Name extends CallName>(
		name: Name,
		input: InputOf<Calls[Name]>,
		token: string | null = null,
	): Promise<Answered<ResultOf<Calls[Name]>>> {
		const { method, path, from } = CALLS[name];
		const query = from === 'query' ? `?${new URLSearchParams(input as Record<string, string>)}` : '';
		const response = await fetch(`${this.url}/${path}${query}`, {
			method,
			...(from === 'query' ? {} : { body: JSON.stringify(input) }),
			headers: { 'Content-Type': 'application/json', ...(token === null ? {} : bearer(token)) },
		});
		return answered<ResultOf<Calls[Name]>>(response);
	}

	/** The same. @throws unless it succeeds */
	async call<Name extends CallName>(
		name: Name,
		input: InputOf<Calls[Name]>,
		token: string | null = null,
	): Promise<ResultOf<Calls[Name]>> {
		return resultOf(await this.answer(name, input, token));
	}

	/** kill -9: no drain, no farewell. */
	async kill(): Promise<void> {
		await this.#end('SIGKILL');
	}

	/** kill -9 of PostgreSQL, while the server goes on. */
	async killDatabase(): Promise<void> {
		while (this.#postgres.postmaster === null) await delay(LOOK_EVERY_MS);
		this.#postgres.kill();
	}

	/** Stops it as an operator would, with its PostgreSQL, and removes its data, whatever state they are in. */
	async dispose(): Promise<void> {
		process.off('exit', this.#killAtExit);
		await this.#end('SIGTERM');
		await this.#postgres.end();
		await this.#database?.drop();
		await rm(this.dataDir, { recursive: true, force: true });
	}

	/** When the test run itself ends early there is time for signals only. */
	#killAll(): void {
		this.#child?.kill('SIGKILL');
		for (const pid of this.#postgres.pids) process.kill(pid, 'SIGKILL');
	}

	async stop(): Promise<void> {
		await this.#end('SIGTERM');
	}

	async #end(signal: NodeJS.Signals): Promise<void> {
		const child = this.#child;
		this.#child = null;
		if (!child || child.exitCode !== null || child.signalCode !== null) return;
		const exited = once(child, 'exit');
		child.kill(signal);
		await exited;
	}

	/** Runs one of the project's command-line tools against this server's data. */
	async run(script: string, args: string[] = []): Promise<Finished> {
		return await runTool(script, args, this.#environment());
	}

	/** The audit of its database. @returns the names of the checks that failed */
	async failedAuditChecks(): Promise<string[]> {
		return await failedAuditChecks(this.#environment());
	}
}
