/**
 * A server and a PostgreSQL of its own, each a process that is killed in the middle of walks, with a wall clock that
 * jumps. Its players are rows that the next start completes: a walk costs no password.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { CALLS, type CallName } from '#contract/registry.ts';
import { referenceOf } from '#server/money/funds/payments/order-reference.ts';
import { operatorKeyOf } from '#server/operators/operator-key.ts';
import { LoginTokens } from '#server/people/players/login-tokens.ts';
import { hashPassword, STRONG } from '#server/people/players/passwords.ts';
import { connect } from '#server/platform/postgres/connect.ts';
import { isDatabaseFault } from '#server/platform/postgres/database-fault.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#server/platform/postgres/embedded-postgres.ts';
import { CURRENCY_TERMS } from '#values/currencies.ts';
import type { Currency } from '#values/currency-codes.ts';
import { FIRST_PLAYER_ID, HOME_POOLS, POOLS, poolOf } from '#values/pools.ts';
import { DAY_MS } from '#values/time.ts';
import { PostgresProcesses } from '../faults/support/postgres-processes.ts';
import { placeCluster } from '../support/database.ts';
import { type PlainRequest, plainRequest } from '../support/plain-request.ts';
import { TOKEN_KEY } from '../support/server.ts';
import { serverProgram } from '../support/server-program.ts';
import { PASSWORD } from '../support/sign-up.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const YEARS_MS = 10 * 365 * DAY_MS;
const LOOK_EVERY_MS = 15;
const SERVED = [...HOME_POOLS, ...POOLS.filter((pool) => pool.endsWith('-JPY'))];
const READY = /ready on http:\/\/localhost:(\d+)/;

/** The currencies of walkers: one with a hundredth for its coin, one whose coin is a hundred minor units. */
export type Walked = Extract<Currency, 'INR' | 'JPY'>;
export const WALKED_IN: readonly Walked[] = ['INR', 'JPY'];
export const HOSTS: Readonly<Record<Walked, string>> = { INR: 'localhost', JPY: 'yen.test' };

/** What walks name in rupees; the parts of a rupee, which decide how payments end, become single yen. */
export function inCurrency(currency: Walked, rupees: number): number {
	if (currency === 'INR') return rupees;
	const { times, over } = CURRENCY_TERMS[currency].limits;
	const whole = Math.floor(rupees);
	return Math.floor((whole * times) / (over * 100)) * 100 + Math.round((rupees - whole) * 100);
}

/** Of the families of a database, eight by eight. */
const currencyOfFamily = (family: number): Walked => WALKED_IN[Math.floor(family / 8) % WALKED_IN.length] as Walked;

export interface Walker {
	playerId: number;
	currency: Walked;
	token: string;
	/** Walkers of one mobile are one person. */
	mobile: string;
	/** An exclusion or a break was answered. */
	isBarred: boolean;
}

export type Login = Pick<Walker, 'token' | 'currency'>;

/** As the envelope says it; null when the connection broke before. */
export interface Answer {
	status: number;
	code: string | null;
	result: Record<string, unknown> | null;
}

export class WalkServer {
	readonly db: pg.Pool;
	readonly #dataDir: string;
	readonly #postgres: EmbeddedPostgres;
	readonly #tokens = new LoginTokens(TOKEN_KEY);
	#child: ChildProcess | null = null;
	#port = 0;
	#lastId = FIRST_PLAYER_ID - 1;
	/** One hash for all walkers: each of its own would cost more than the rest of a walk. */
	#passwordHash: string | null = null;
	/** The servers' logs. */
	readonly said: string[] = [];
	/** How far its clock is ahead of ours. */
	shiftMs = 0;

	private constructor(dataDir: string, postgres: EmbeddedPostgres) {
		this.#dataDir = dataDir;
		this.#postgres = postgres;
		this.db = connect(postgres.url('backlay'), { max: 2 });
	}

	static async create(): Promise<WalkServer> {
		const dataDir = await mkdtemp(join(tmpdir(), 'backlay-walks-'));
		placeCluster(dataDir);
		// The system keeps the bytes that a killed process has written.
		const server = new WalkServer(dataDir, await startEmbeddedPostgres({ dataDir, settings: { fsync: 'off' } }));
		return server;
	}

	get databaseUrl(): string {
		return this.#postgres.url('backlay');
	}

	get now(): number {
		return Date.now() + this.shiftMs;
	}

	async start(): Promise<void> {
		const preload = join(ROOT, 'test', 'support', 'shifted-clock.ts');
		const child = spawn(
			process.execPath,
			['--import', preload, serverProgram(), '--no-feeds', '--log-level', 'error'],
			{
				cwd: ROOT,
				env: {
					...process.env,
					NODE_ENV: 'development',
					DATA_DIR: this.#dataDir,
					DATABASE_URL: this.databaseUrl,
					TOKEN_KEY,
					PORT: String(this.#port),
					POOLS: SERVED.join(','),
					RATE_LIMIT_FACTOR: '100000',
					SIM_PAYMENT_SECONDS: '0',
					PAYMENT_POLL_SECONDS: '1',
					CLOCK_SHIFT_MS: String(this.shiftMs),
				},
				stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
			},
		);
		this.#child = child;
		const said = this.said;
		const ready = Promise.withResolvers<number>();
		for (const stream of [child.stdout, child.stderr]) {
			if (!stream) continue;
			createInterface({ input: stream }).on('line', (line) => {
				said.push(line);
				const port = READY.exec(line)?.[1];
				if (port) ready.resolve(Number(port));
			});
		}
		const ended = once(child, 'exit').then(([code]) =>
			ready.reject(new Error(`ended with ${code}:\n${said.join('\n')}`)),
		);
		this.#port = await ready.promise;
		void ended;
	}

	/** Sets the clock of the running server. */
	jump(byMs: number): void {
		this.shiftMs += byMs;
		this.#child?.send({ shiftMs: this.shiftMs });
	}

	async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
		const child = this.#child;
		this.#child = null;
		if (!child || child.exitCode !== null || child.signalCode !== null) return;
		const exited = once(child, 'exit');
		child.kill(signal);
		await exited;
	}

	/** kill -9 of PostgreSQL under a server that goes on; the launcher starts it again. */
	async killDatabase(): Promise<void> {
		const processes = new PostgresProcesses(this.#dataDir);
		while (processes.postmaster === null) await delay(LOOK_EVERY_MS);
		processes.kill();
	}

	/** What the servers logged as failures of requests that are not the database's. */
	faults(): string[] {
		const failed = this.said.filter((line) => line.includes('a request failed'));
		const errors = failed.map((line) => (JSON.parse(line) as { err: { code?: string; message: string } }).err);
		const others = errors.filter(({ message, code }) => !isDatabaseFault(Object.assign(new Error(message), { code })));
		return others.slice(0, 3).map((error) => JSON.stringify(error));
	}

	/** Waits until the server takes commands again. */
	async ready(): Promise<void> {
		for (let tries = 0; tries < 600; tries++) {
			const answer = await fetch(`http://localhost:${this.#port}/ready`).catch(() => null);
			if (answer?.status === 200) return;
			await delay(50);
		}
		throw new Error(`The server did not recover:\n${this.said.slice(-20).join('\n')}`);
	}

	/**
	 * Players who are logged in, while no server runs: the next one completes them, and links the friends. They come in
	 * families of `size`: the second registered with the code of the first, the third with that of either. The last of
	 * every eighth family has the first one's mobile.
	 */
	async addWalkers(families: number, size: number): Promise<Walker[]> {
		const rows = Array.from({ length: families * size }, (_, index) => {
			const loginId = randomBytes(16).toString('base64url');
			const playerId = ++this.#lastId;
			const [family, at] = [Math.floor(index / size), index % size];
			const first = playerId - at;
			const referrerId = family % 2 === 0 ? first : playerId - 1;
			return {
				loginId,
				playerId,
				currency: currencyOfFamily(family),
				token: this.#tokens.make('access', { loginId, generation: 1 }),
				mobile: `+91${family % 8 === 0 && at === size - 1 ? first : playerId}`,
				isBarred: false,
				code: at === 0 ? null : referenceOf('REF', referrerId),
			};
		});
		this.#passwordHash ??= await hashPassword(PASSWORD, STRONG);
		await this.db.query(
			`with made as (
			   insert into player (player_id, brand, user_name, name_key, password_hash, is_demo, pool, created_at, mobile,
			     referral_code)
			   select id, brand, 'walker' || id, 'walker' || id, $6, false, pool, $7, mobile, code
			   from unnest($1::bigint[], $4::text[], $5::text[], $8::text[], $9::text[]) as given (id, mobile, code, brand, pool)
			 ) insert into login (login_id, player_id, brand, generation, rotated_at, access_expires_at, expires_at)
			 select login_id, id, brand, 1, 0, $3, $3
			   from unnest($1::bigint[], $2::text[], $8::text[]) as given (id, login_id, brand)`,
			[
				rows.map(({ playerId }) => playerId),
				rows.map(({ loginId }) => loginId),
				Date.now() + YEARS_MS,
				rows.map(({ mobile }) => mobile),
				rows.map(({ code }) => code),
				this.#passwordHash,
				this.now,
				rows.map(({ currency }) => HOSTS[currency]),
				rows.map(({ currency }) => poolOf('PLAY', currency)),
			],
		);
		return rows;
	}

	/** A match on which markets can be opened, while no server runs. @returns its id */
	async addFixture(): Promise<string> {
		const id = String(++this.#lastId);
		await this.db.query(
			`insert into fixture (id, sport_id, title, competition, starts_at, status, source, source_ref, has_tv)
			 values ($1::bigint, 3, 'A v B', 'Walks', $2, 'UPCOMING', 'walks', $1::bigint::text, false)`,
			[id, this.now + YEARS_MS],
		);
		return id;
	}

	/** Null when the connection broke. */
	async send(path: string, request: PlainRequest): Promise<Answer | null> {
		try {
			const { status, text } = await plainRequest(`http://localhost:${this.#port}${path}`, request);
			const { error, result } = JSON.parse(text) as {
				error: { code: string } | null;
				result: Record<string, unknown> | null;
			};
			return { status, code: error?.code ?? null, result };
		} catch {
			return null;
		}
	}

	/** A player's call. Null when the connection broke. */
	async call(name: CallName, input: object, { token, currency }: Login): Promise<Answer | null> {
		const { method, path, from } = CALLS[name];
		const headers = {
			Host: HOSTS[currency],
			'Content-Type': 'application/json',
			Authorization: `Bearer ${token}`,
		};
		if (method === 'POST' && from !== 'query')
			return await this.send(`/${path}`, { method, body: JSON.stringify(input), headers });
		return await this.send(`/${path}?${new URLSearchParams(input as Record<string, string>)}`, { method, headers });
	}

	/** So that a player can play rounds of the house. */
	async beginSeeds(walker: Login): Promise<void> {
		const answer = await this.call('getSeeds', {}, walker);
		const next = answer?.result?.['next'] as { commitment: string } | undefined;
		await this.call('rotateSeeds', { clientSeed: 'a-seed-of-a-walker', commitment: next?.commitment ?? '' }, walker);
	}

	/** A player's login. */
	async loginOf(playerId: number): Promise<Login> {
		const { rows } = await this.db.query<{ loginId: string; brand: string }>(
			'select login_id as "loginId", brand from login where player_id = $1',
			[playerId],
		);
		const [{ loginId, brand } = { loginId: '', brand: HOSTS.INR }] = rows;
		const currency = WALKED_IN.find((each) => HOSTS[each] === brand) ?? 'INR';
		return { token: this.#tokens.make('access', { loginId, generation: 1 }), currency };
	}

	async operator(act: string, body: object, name = 'asha'): Promise<Answer | null> {
		return await this.send(`/operator/api/${act}`, {
			method: 'POST',
			body: JSON.stringify(body),
			headers: {
				'Content-Type': 'application/json',
				Authorization: `Operator ${operatorKeyOf(TOKEN_KEY)}`,
				'X-Operator': name,
			},
		});
	}

	async dispose(): Promise<void> {
		await this.kill();
		await this.db.end();
		await this.#postgres.stop();
		await rm(this.#dataDir, { recursive: true, force: true });
	}
}
