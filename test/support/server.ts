/** The whole server in the test's own process, on a database of its own, without feeds; calls go through real HTTP. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Envelope, InputOf, ResultOf } from '#contract/call.ts';
import { CALLS, type CallName, type Calls } from '#contract/registry.ts';
import { operatorKeyOf } from '#server/operators/operator-key.ts';
import { ledgerKeyOf } from '#server/platform/keys/ledger-key.ts';
import type { Config } from '#server/process/config.ts';
import type { RunningServer } from '#server/process/serve.ts';
import { startServer } from '#server/process/start.ts';
import type { Brand } from '#server/world/brands/brands.ts';
import type { ErrorCode } from '#values/error-catalogue.ts';
import { HOME_POOLS } from '#values/pools.ts';
import { type FreshDatabase, freshDatabase } from './database.ts';
import { checkAnswer } from './operator-answer.ts';
import { type PlainRequest, plainRequest } from './plain-request.ts';

export interface Answered<Result> {
	status: number;
	body: Envelope<Result>;
	/** The error's code, or null on success. */
	code: ErrorCode | null;
}

export interface Player {
	token: string;
	refreshToken: string;
	userId: number;
}

/** Reads the text of an answer in the envelope. */
export const inEnvelope = <Result>(status: number, text: string): Answered<Result> => {
	const body = JSON.parse(text) as Envelope<Result>;
	return { status, body, code: body.error?.code ?? null };
};

/** Reads an answer in the envelope. */
export async function answered<Result>(response: Response): Promise<Answered<Result>> {
	return inEnvelope(response.status, await response.text());
}

export const bearer = (token: string): Record<string, string> => ({ Authorization: `Bearer ${token}` });

export const TOKEN_KEY = 'a key for tests, never used outside them';
/** What test servers seal with, and test audits ask for. */
export const LEDGER_KEY = ledgerKeyOf(TOKEN_KEY, undefined);

/** A plain stream for bots on any port. */
export const STREAM = { port: 0, host: '127.0.0.1', tls: null, authenticateMs: 15_000 };

/** Of a server without feeds, gateways and standbys. */
export const testConfig = (databaseUrl: string, changes: Partial<Config> = {}): Config => ({
	port: 0,
	host: '127.0.0.1',
	dataDir: '/nonexistent',
	databaseUrl,
	// The fewest that a server takes: each costs PostgreSQL as much as a hundred statements, and hardly a test asks more.
	databaseConnections: 3,
	walArchive: null,
	production: false,
	logLevel: 'silent',
	tokenKey: TOKEN_KEY,
	ledgerKey: LEDGER_KEY,
	pools: HOME_POOLS,
	engines: [],
	natsUrl: null,
	nodeId: '',
	consoleHost: 'console.test',
	commandRows: false,
	standby: null,
	gateway: false,
	trustedProxies: [],
	locationFile: null,
	exclusionList: null,
	sms: null,
	mail: null,
	signOn: null,
	rateLimitFactor: 1000,
	callDeadlineMs: 10_000,
	clientTimeoutMs: 30_000,
	hubLimits: { perAddress: 1000, perPlayer: 1000 },
	dataKeys: [TOKEN_KEY],
	booksZone: 'Asia/Kolkata',
	retentionDays: 1825,
	payments: { orderMs: 300_000, simulatedDelayMs: 20, pollMs: 1_000, webhookKeys: {} },
	hyperswitch: null,
	stream: null,
	metrics: null,
	alarmUrl: null,
	alarmMails: [],
	timeSource: null,
	releaseDigest: null,
	releaseRoot: join(import.meta.dirname, '../..'),
	approvers: [],
	namedKeys: { ledger: false, data: false },
	traces: null,
	tableSpeed: 1,
	drand: null,
	gameProviders: [],
	roundAlarmMs: 3_600_000,
	feeds: {
		simulatedSports: false,
		recordings: [],
		speed: 1,
		seed: 1,
		mostAnnounced: 2,
		proposedResults: [],
		betfair: null,
	},
	...changes,
});

export class TestServer {
	readonly running: RunningServer;
	readonly database: FreshDatabase;

	/** Resolves with the reason when the server says that it cannot go on. */
	readonly failed: Promise<Error>;

	#stopped: Promise<void> | null = null;

	/** The headers of an operator's request. */
	readonly operatorHeaders: Readonly<Record<string, string>>;

	private constructor(running: RunningServer, database: FreshDatabase, failed: Promise<Error>, tokenKey: string) {
		this.running = running;
		this.operatorHeaders = {
			'Content-Type': 'application/json',
			Authorization: `Operator ${operatorKeyOf(tokenKey)}`,
		};
		this.database = database;
		this.failed = failed;
	}

	/**
	 * @param database given when a server is started again on what another left behind, or on what a test put there
	 * @param changes what the test wants configured otherwise
	 */
	static async start(database?: FreshDatabase, changes: Partial<Config> = {}): Promise<TestServer> {
		const own = database ?? (await freshDatabase());
		const failure = Promise.withResolvers<Error>();
		const running = await startServer(testConfig(own.url, changes), failure.resolve);
		return new TestServer(running, own, failure.promise, changes.tokenKey ?? TOKEN_KEY);
	}

	get url(): string {
		return this.running.url;
	}

	/** The brand that test players belong to. */
	get brand(): Brand {
		const brand = this.running.brands.byHost('localhost');
		if (!brand) throw new Error('there is no brand of localhost');
		return brand;
	}

	/** Makes a call as the site does; `token` null leaves the header out. */
	async call<Name extends CallName>(
		name: Name,
		input: InputOf<Calls[Name]>,
		token: string | null = null,
	): Promise<Answered<ResultOf<Calls[Name]>>> {
		return this.raw(name, input, token);
	}

	/** The same with an input of any shape, for inputs that the types forbid. */
	async raw<Name extends CallName>(
		name: Name,
		input: unknown,
		token: string | null = null,
		url = this.url,
	): Promise<Answered<ResultOf<Calls[Name]>>> {
		const declared = CALLS[name];
		const inQuery = declared.from === 'query';
		const query = inQuery ? new URLSearchParams(input as Record<string, string>).toString() : '';
		const request = {
			method: declared.method,
			...(inQuery ? {} : { body: JSON.stringify(input) }),
			headers: {
				...(inQuery ? {} : { 'Content-Type': 'application/json' }),
				...(token === null ? {} : { Authorization: `Bearer ${token}` }),
			},
		};
		return this.send(`/${declared.path}${query ? `?${query}` : ''}`, request, url);
	}

	/** A call to the server's other brand, 127.0.0.1. */
	async callElsewhere<Name extends CallName>(
		name: Name,
		input: InputOf<Calls[Name]>,
		token: string | null = null,
	): Promise<Answered<ResultOf<Calls[Name]>>> {
		return this.raw(name, input, token, this.url.replace('localhost', '127.0.0.1'));
	}

	async send<Result>(path: string, request: PlainRequest, url = this.url): Promise<Answered<Result>> {
		const { status, text } = await plainRequest(`${url}${path}`, request);
		return inEnvelope(status, text);
	}

	/** Posts a body as it is, for bodies that the site's client never sends. */
	post(path: string, body: string | Buffer, headers: Record<string, string> = {}): Promise<Response> {
		return fetch(`${this.url}/${path}`, {
			method: 'POST',
			body: body as BodyInit,
			headers: { 'Content-Type': 'application/json', ...headers },
		});
	}

	/** An act of the operators, with their key. */
	async operator<Result = unknown>(act: string, body: object): Promise<Answered<Result>> {
		const answer = await this.send<Result>(`/operator/api/${act}`, {
			method: 'POST',
			body: JSON.stringify(body),
			headers: this.operatorHeaders,
		});
		if (answer.body.success) checkAnswer(act, answer.body.result);
		return answer;
	}

	/** The result of an operators' act that must succeed. */
	async act<Result = unknown>(act: string, body: object): Promise<Result> {
		const { body: answer } = await this.operator<Result>(act, body);
		if (!answer.success) throw new Error(`${act}: ${JSON.stringify(answer.error)}`);
		return answer.result as Result;
	}

	/** The result of a call that must succeed. */
	async result<Name extends CallName>(
		name: Name,
		input: InputOf<Calls[Name]>,
		token: string | null = null,
	): Promise<ResultOf<Calls[Name]>> {
		const { body } = await this.call(name, input, token);
		if (!body.success) throw new Error(`${name}: ${JSON.stringify(body.error)}`);
		return body.result as ResultOf<Calls[Name]>;
	}

	/** A fresh demo player with ₹20,000. */
	async demoPlayer(): Promise<Player> {
		const { accessToken, refreshToken, user } = await this.result('loginAsDemoUser', {});
		return { token: accessToken, refreshToken, userId: Number(user.userId) };
	}

	/** A fresh player of the brand, with as much play money: what goes wrong with it waits for an operator. */
	async playPlayer(): Promise<Player> {
		const userName = `player-${randomBytes(6).toString('hex')}`;
		const password = randomBytes(12).toString('base64url');
		const { playerId } = await this.running.players.createPlayer({ userName, password, brand: this.brand });
		await this.act('add-money', { userName, host: 'localhost', amount: 20_000, grantId: 1_000_000 + playerId });
		const { accessToken, refreshToken } = await this.result('authenticate', {
			userNameOrEmailAddress: userName,
			password,
		});
		return { token: accessToken, refreshToken, userId: playerId };
	}

	/** Begins the announced pair of seeds with a client seed, without which no round is played alone. */
	async beginSeeds(
		{ token }: Pick<Player, 'token'>,
		clientSeed: string = randomBytes(8).toString('hex'),
	): Promise<ResultOf<Calls['rotateSeeds']>> {
		const { next } = await this.result('getSeeds', {}, token);
		return await this.result('rotateSeeds', { clientSeed, commitment: next.commitment }, token);
	}

	/** A fresh demo player who can play rounds of the house. */
	async demoGambler(): Promise<Player> {
		const player = await this.demoPlayer();
		await this.beginSeeds(player);
		return player;
	}

	/** A player's free cash and held money, rupees. */
	money({ userId }: Player): [cash: number, exposure: number] {
		const wallet = this.running.exchange.wallet(userId);
		return [(wallet?.cash ?? 0) / 100, (wallet?.exposure ?? 0) / 100];
	}

	/** A second stop does nothing. */
	async stop(): Promise<void> {
		this.#stopped ??= this.running.stop();
		await this.#stopped;
	}

	/** Stops and throws the database away. */
	async dispose(): Promise<void> {
		await this.stop();
		await this.database.drop();
	}
}
