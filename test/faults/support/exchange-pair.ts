/** Two processes on one database, of which one serves and the other follows, and the faults that make them change places. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { operatorKeyOf } from '#server/operators/operator-key.ts';
import { freePort } from '../../bots-api/bot-process.ts';
import { type FreshDatabase, freshDatabase } from '../../support/database.ts';
import { TOKEN_KEY } from '../../support/server.ts';
import { serverProgram } from '../../support/server-program.ts';
import { DatabaseGate } from './database-gate.ts';
import { listMatch } from './listed-match.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const CLOCK = new URL('../../support/shifted-clock.ts', import.meta.url);
const LOOK_EVERY_MS = 10;

/** One of the two processes. It is started again whenever it ends, as by a supervisor. */
export class Member {
	readonly gate: DatabaseGate;
	/** Of the bots' stream. */
	readonly streamPort: number;
	/** What it wrote to its log since its last start. */
	#lines: string[] = [];
	readonly #environment: NodeJS.ProcessEnv;
	/** Where it answers; empty while it starts. */
	url = '';
	#child: ChildProcess | null = null;
	#isOver = false;

	constructor(gate: DatabaseGate, streamPort: number, environment: NodeJS.ProcessEnv) {
		this.gate = gate;
		this.streamPort = streamPort;
		this.#environment = { ...environment, STREAM_PORT: String(streamPort) };
		this.#start();
	}

	#start(): void {
		const lines: string[] = [];
		this.#lines = lines;
		this.url = '';
		const child = spawn(process.execPath, ['--import', CLOCK.href, serverProgram(), '--standby', '--no-feeds'], {
			cwd: ROOT,
			env: { ...process.env, ...this.#environment },
			stdio: ['ignore', 'pipe', 'pipe'],
		});
		this.#child = child;
		for (const stream of [child.stdout, child.stderr]) {
			createInterface({ input: stream }).on('line', (line) => {
				lines.push(line);
				if (this.#child !== child) return;
				this.url = /health is on (\S+)/.exec(line)?.[1] ?? this.url;
			});
		}
		child.once('exit', () => {
			if (!this.#isOver) this.#start();
		});
	}

	signal(signal: NodeJS.Signals): void {
		this.#child?.kill(signal);
	}

	/** It follows, and has not taken over since. */
	follows(): boolean {
		const last = this.#lines.findLast((line) => /the standby (follows|takes over)/.test(line));
		return last?.includes('the standby follows') ?? false;
	}

	/** It found a difference. */
	differs(): boolean {
		return this.#lines.some((line) => line.includes('differs from the exchange'));
	}

	/** Asks it to hand over. @returns the code that it refuses with; null when it begins */
	async handOver(): Promise<string | null> {
		return await this.operate('hand-over', {});
	}

	/** An operator's act. @returns the code that it is refused with; null when it is done */
	async operate(act: string, body: object): Promise<string | null> {
		const response = await fetch(`${this.url}/operator/api/${act}`, {
			method: 'POST',
			headers: { 'Content-Type': 'application/json', Authorization: `Operator ${operatorKeyOf(TOKEN_KEY)}` },
			body: JSON.stringify(body),
		});
		return ((await response.json()) as { error: { code: string } | null }).error?.code ?? null;
	}

	/** Resolves to the errors in the log of the process that runs now, when it has ended. */
	async errorsUntilEnd(): Promise<string[]> {
		const lines = this.#lines;
		if (this.#child) await once(this.#child, 'close');
		return lines.filter((line) => /"level":[56]0/.test(line));
	}

	/** Resolves to the first line of its log with these words. */
	async says(words: string): Promise<string> {
		for (;;) {
			if (this.#isOver) throw new Error(`It ended and never said “${words}”.`);
			const said = this.#lines.find((line) => line.includes(words));
			if (said) return said;
			await delay(LOOK_EVERY_MS);
		}
	}

	async isReady(): Promise<boolean> {
		try {
			return (await fetch(`${this.url}/ready`, { signal: AbortSignal.timeout(1_000) })).ok;
		} catch {
			return false;
		}
	}

	/** For the log of a test that fails. */
	toString(): string {
		return this.#lines.join('\n');
	}

	async end(): Promise<void> {
		this.#isOver = true;
		const child = this.#child;
		if (!child || child.exitCode !== null || child.signalCode !== null) return;
		const exited = once(child, 'exit');
		child.kill('SIGKILL');
		await exited;
	}
}

export class ExchangePair {
	readonly database: FreshDatabase;
	readonly members: readonly Member[];
	readonly #dataDir: string;
	#isOver = false;
	readonly #killAtExit = () => {
		for (const member of this.members) member.signal('SIGKILL');
	};

	private constructor(database: FreshDatabase, dataDir: string, members: readonly Member[]) {
		this.database = database;
		this.#dataDir = dataDir;
		this.members = members;
		process.once('exit', this.#killAtExit);
	}

	/**
	 * @param clockShiftMs how far the wall clock of the second one is off
	 * @param beside a database in place of one in the test run's PostgreSQL, where gateways connect, if there are any, and
	 *   what the test configures otherwise
	 */
	static async start(
		silenceMs: number,
		clockShiftMs: number,
		beside: { database?: FreshDatabase; natsUrl?: string; environment?: NodeJS.ProcessEnv } = {},
	): Promise<ExchangePair> {
		const database = beside.database ?? (await freshDatabase());
		await listMatch(database.db);
		const dataDir = await mkdtemp(join(tmpdir(), 'backlay-pair-'));
		const members: Member[] = [];
		for (const shiftMs of [0, clockShiftMs]) {
			const gate = await DatabaseGate.open(database.url);
			const environment = {
				NODE_ENV: 'development',
				DATABASE_URL: gate.url,
				DATA_DIR: dataDir,
				PORT: '0',
				HOST: '127.0.0.1',
				TOKEN_KEY,
				CLOCK_SHIFT_MS: String(shiftMs),
				RATE_LIMIT_FACTOR: '1000',
				STANDBY_SILENCE_MS: String(silenceMs),
				NATS_URL: beside.natsUrl ?? '',
				...beside.environment,
			};
			members.push(new Member(gate, await freePort(), environment));
		}
		return new ExchangePair(database, dataDir, members);
	}

	/** Resolves when one serves and the other follows. */
	async settled(): Promise<{ serving: Member; following: Member }> {
		for (;;) {
			if (this.#isOver) throw new Error('The pair has ended.');
			for (const serving of this.members) {
				const following = this.members.find((member) => member !== serving);
				if (following?.follows() && (await serving.isReady())) return { serving, following };
			}
			await delay(LOOK_EVERY_MS);
		}
	}

	async epoch(): Promise<number> {
		return (await this.database.db.query<{ epoch: number }>('select epoch from lease')).rows[0]?.epoch ?? 0;
	}

	async dispose(): Promise<void> {
		process.off('exit', this.#killAtExit);
		this.#isOver = true;
		await Promise.all(this.members.map((member) => member.end()));
		await Promise.all(this.members.map(({ gate }) => gate.close()));
		await this.database.drop();
		await rm(this.#dataDir, { recursive: true, force: true });
	}
}
