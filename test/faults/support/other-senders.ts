/**
 * Those who send requests that are no calls of players, all at once: a member of staff at the console, the command line, a
 * bot, a game provider and the payment provider. They send each request once to one process; or, as after a death, to both
 * by turns until it succeeds, if it may be repeated.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type pg from 'pg';
import { expect } from 'vitest';
import type { InputOf, ResultOf } from '#contract/call.ts';
import { CALLS, type CallName, type Calls } from '#contract/registry.ts';
import type { Outcome } from '#server/money/casino/providers/wallet-request.ts';
import { simulatorKey } from '#server/money/funds/payments/webhook-keys.ts';
import { operatorKeyOf } from '#server/operators/operator-key.ts';
import { DEMO_STAFF } from '#server/people/staff/open-staff.ts';
import { signatureOf } from '#server/platform/keys/signature.ts';
import { type ProviderAccount, sendToWallet } from '#studio/provider-account.ts';
import { Studio } from '#studio/studio.ts';
import { studioServer } from '#studio/studio-server.ts';
import { limit } from '../../bots-api/bot.ts';
import { ASHA, openBotAt, type ProcessBot } from '../../bots-api/bot-process.ts';
import { StreamClient } from '../../bots-api/stream-client.ts';
import { type ChangeStream, ConsoleClient } from '../../operator/console-client.ts';
import { SPOKEN, studioAccounts } from '../../providers/studio-site.ts';
import { answered, bearer, TOKEN_KEY } from '../../support/server.ts';
import type { Member } from './exchange-pair.ts';
import { byForm } from './form.ts';
import { EVENT_ID } from './listed-match.ts';

const PROVIDER = 'lantern';
const { game: GAME } = SPOKEN[PROVIDER];
const CONSOLE_HOST = 'console.localhost';
const PAUSE_MS = byForm(25, 5);
const DEPOSIT_PAUSE_MS = 100;
/** More than the brand's own: the depositor pays all the time. */
const DEPOSIT_LIMIT = 5_000_000;
const ASK_AGAIN_MS = byForm(100, 50);
/** Rupees; minor units at the game. */
const DEPOSIT = 100;
const BOT_STAKE = 10;
const GAME_STAKE = 1_000;
const GAME_WIN = 1_500;
/** Above the grants that welcome players, below those of the crowd. */
const FIRST_GRANT = 500_000_000;

interface Gambler {
	sessionToken: string;
	/** What the wallet has to have, minor units. */
	balance: number;
}

interface Depositor {
	token: string;
	paid: string[];
}

const resultOf = async <Result>(response: Response): Promise<Result> => {
	const { body } = await answered<Result>(response);
	if (!body.success) throw new Error(`${response.status} ${body.error?.code}`);
	return body.result as Result;
};

export class OtherSenders {
	/** What members need in their environment. */
	readonly environment: NodeJS.ProcessEnv;
	/** What was refused, or answered wrongly. */
	readonly refused: string[] = [];
	longestMs: Record<string, number> = {};
	readonly #account: ProviderAccount;
	readonly #studio: Studio;
	readonly #http: FastifyInstance;
	/** Where they ask: at one, or at both by turns. */
	#members: readonly Member[] = [];
	/** Of a member of staff who has logged in. */
	#cookies = new Map<string, string>();
	#bot: ProcessBot | null = null;
	#marketId = '';
	#playerId = '';
	#gambler: Gambler = { sessionToken: '', balance: 0 };
	#depositor: Depositor = { token: '', paid: [] };
	#isStopped = false;
	#isClosed = false;
	#working: Promise<unknown> | null = null;
	#rounds = 0;
	#notes = 0;
	#grants = 0;
	/** Open now. */
	#orders = new Set<string>();
	/** Ever. */
	#placed = 0;

	private constructor(studio: Studio, http: FastifyInstance, environment: NodeJS.ProcessEnv) {
		this.#studio = studio;
		this.#http = http;
		this.#account = studio.accounts.get(PROVIDER) ?? expect.unreachable('the provider is missing');
		this.environment = environment;
	}

	/** With a provider's server, which lists its game. */
	static async open(): Promise<OtherSenders> {
		const { accounts, providersAt } = studioAccounts();
		const own = accounts.filter(({ id }) => id === PROVIDER);
		const studio = new Studio(own, null);
		const http = studioServer(studio);
		const url = await http.listen({ port: 0, host: '127.0.0.1' });
		const providers = providersAt(url)
			.filter(({ id }) => id === PROVIDER)
			.map((provider) => ({ ...provider, keys: Object.fromEntries(provider.keys) }));
		const environment = {
			GAME_PROVIDERS: JSON.stringify(providers),
			// The simulated provider says nothing by itself.
			SIM_PAYMENT_SECONDS: '3600',
			PAYMENT_POLL_SECONDS: '600',
		};
		return new OtherSenders(studio, http, environment);
	}

	/** Ends what is under way, answered or not: where a test has failed, nothing may answer any more. */
	async close(): Promise<void> {
		this.#isStopped = true;
		this.#isClosed = true;
		await this.#working;
		await this.#http.close();
		await this.#studio.stop();
	}

	/** Of the process that is asked first. */
	get url(): string {
		return this.#members[0]?.url ?? '';
	}

	/** All ask this process from now on, or these. */
	askAt(...members: readonly Member[]): void {
		this.#members = members;
	}

	/** Logs all in, at a process that serves. */
	async logIn(): Promise<void> {
		const [name = ''] = DEMO_STAFF.names;
		const login = { name, password: DEMO_STAFF.password };
		// The demonstration's staff is added when the process serves already.
		await expect.poll(() => this.#atConsole().code('log-in', login)).toBe('');
		this.#bot = await openBotAt(this, `bot-${randomUUID().slice(0, 8)}`);
		const market = { eventId: String(EVENT_ID), name: 'Of the bot', type: 'MATCH_ODDS', runners: ['Asha', 'Bela'] };
		this.#marketId = `1.${(await this.operator<{ marketId: string }>('open-market', market)).marketId}`;
		const { accessToken, casinoToken, user } = await this.call('loginAsDemoUser', {});
		this.#playerId = String(user.userId);
		await expect.poll(() => this.#listsGames()).toBe(true);
		const { token: launchToken } = await this.call('casinoLogin', { casinoToken, gameCode: GAME }, accessToken);
		const { sessionToken = '', balance = 0 } = await this.#wallet(this.url, 'authenticate', { launchToken });
		this.#gambler = { sessionToken, balance };
		for (const period of ['Day', 'Week', 'Month']) {
			const field = `playerProtection.depositLimit${period}`;
			await this.operator('brand-set', { host: 'localhost', field, value: String(DEPOSIT_LIMIT) });
		}
		const { userName } = this.#bot;
		const form = { userNameOrEmailAddress: userName, password: 'a long enough Passw0rd!' };
		this.#depositor.token = (await this.call('authenticate', form)).accessToken;
	}

	/** All send until `rest`. */
	work(): void {
		this.#isStopped = false;
		const loops = [
			() => this.#grantsCoins(),
			() => this.#placesOrder(),
			() => this.#playsRound(),
			() => this.#pays(),
			...(this.#isOnce ? [() => this.#looks(), () => this.#notesDown()] : []),
		];
		this.#working = Promise.all(loops.map((send) => this.#repeat(send)));
	}

	/** Measures the longest request again. */
	forgetTimes(): void {
		this.longestMs = {};
	}

	/** Resolves when every request is answered. */
	async rest(): Promise<void> {
		this.#isStopped = true;
		await this.#working;
	}

	/** An act of the console has no id by which it could be repeated. */
	get #isOnce(): boolean {
		return this.#members.length === 1;
	}

	/** Resolves when each has sent this much more. */
	async sendMore(count: number): Promise<void> {
		const notes = () => (this.#isOnce ? this.#notes : Number.POSITIVE_INFINITY);
		const least = () => Math.min(notes(), this.#grants, this.#placed, this.#depositor.paid.length);
		const enough = least() + count;
		while (least() < enough && this.refused.length === 0) await delay(PAUSE_MS);
	}

	/** The console's stream of changes. */
	async changes(): Promise<ChangeStream> {
		return await this.#atConsole().changes();
	}

	/** The bot's stream of its orders. @param earlier the connection that it goes on from */
	async orders({ streamPort }: Member, earlier: StreamClient | null = null): Promise<StreamClient> {
		const { appKey, token } = this.#bot ?? expect.unreachable('no bot is logged in');
		const client = await StreamClient.at(streamPort, earlier);
		client.say({ op: 'authentication', id: 1, appKey, session: token });
		await client.line(({ id }) => id === 1);
		const clocks = earlier ? { initialClk: earlier.initialClk, clk: earlier.clk } : {};
		client.say({ id: 2, op: 'orderSubscription', ...clocks });
		await client.line(({ id, ct }) => id === 2 && ct);
		return client;
	}

	/** Everything that was answered was done, once. */
	async expectEverythingDone(db: pg.Pool): Promise<void> {
		expect(this.refused).toEqual([]);
		const count = async (sql: string, values: unknown[]) =>
			Number((await db.query<{ count: string }>(sql, values)).rows[0]?.count);
		expect(await count('select count(*) from player_note where player_id = $1', [this.#playerId])).toBe(this.#notes);
		expect(
			await count(`select count(*) from posting where kind = 'GRANT' and ref > $1 and ref < $1 + 1000000`, [
				FIRST_GRANT,
			]),
		).toBe(this.#grants);
		const marketIds = [this.#marketId];
		const { currentOrders } = await this.#certain('bot', (url) =>
			this.#rpc<{ currentOrders: { betId: string }[] }>(url, 'listCurrentOrders', { marketIds }),
		);
		expect(new Set(currentOrders.map(({ betId }) => betId))).toEqual(this.#orders);
		// The number of a wallet's open bets is limited, and hand-overs follow one another.
		const cancelled = await this.#certain('bot', (url) =>
			this.#rpc<{ status: string }>(url, 'cancelOrders', { marketId: this.#marketId }),
		);
		expect(cancelled.status).toBe('SUCCESS');
		this.#orders.clear();
		const { sessionToken, balance } = this.#gambler;
		const wallet = await this.#certain('game provider', (url) => this.#wallet(url, 'balance', { sessionToken }));
		expect(wallet.balance).toBe(balance);
		const paid = () =>
			count(`select count(*) from workflow where kind = 'PAYMENT' and state = 'SUCCESS' and id = any($1)`, [
				this.#depositor.paid,
			]);
		await expect.poll(paid, { timeout: 20_000 }).toBe(this.#depositor.paid.length);
	}

	/** A call of players. @throws unless it succeeds */
	async call<Name extends CallName>(
		name: Name,
		input: InputOf<Calls[Name]>,
		token: string | null = null,
		url = this.url,
	): Promise<ResultOf<Calls[Name]>> {
		const { method, path, from } = CALLS[name];
		const query = from === 'query' ? `?${new URLSearchParams(input as Record<string, string>)}` : '';
		const response = await fetch(`${url}/${path}${query}`, {
			method,
			...(from === 'query' ? {} : { body: JSON.stringify(input) }),
			headers: { 'Content-Type': 'application/json', ...(token === null ? {} : bearer(token)) },
		});
		return await resultOf(response);
	}

	/** An act of the command line. @throws unless it succeeds */
	async operator<Result = unknown>(act: string, body: object, url = this.url): Promise<Result> {
		const response = await fetch(`${url}/operator/api/${act}`, {
			method: 'POST',
			headers: { 'Content-Type': 'application/json', Authorization: `Operator ${operatorKeyOf(TOKEN_KEY)}` },
			body: JSON.stringify(body),
		});
		return await resultOf(response);
	}

	async #repeat(send: () => Promise<void>): Promise<void> {
		while (!this.#isStopped) {
			await send().catch((error: unknown) => this.refused.push(String(error)));
			await delay(PAUSE_MS);
		}
	}

	/** The answer to a request, which is measured. Where both processes are asked, one of them answers in the end. */
	async #certain<Result>(sender: string, send: (url: string) => Promise<Result>): Promise<Result> {
		const fromMs = performance.now();
		for (let tries = 0; ; tries++) {
			try {
				const answer = await send(this.#members[tries % this.#members.length]?.url ?? '');
				const tookMs = Math.round(performance.now() - fromMs);
				this.longestMs[sender] = Math.max(this.longestMs[sender] ?? 0, tookMs);
				return answer;
			} catch (error) {
				if (this.#isOnce || this.#isClosed) throw error;
				await delay(ASK_AGAIN_MS);
			}
		}
	}

	#atConsole(): ConsoleClient {
		const client = new ConsoleClient(this.url, CONSOLE_HOST);
		client.cookies = this.#cookies;
		return client;
	}

	async #listsGames(): Promise<boolean> {
		const { games } = await this.call('getCasinoGames', {});
		return games.some(({ launch }) => launch !== null);
	}

	async #looks(): Promise<void> {
		await this.#certain('console, looks', () => this.#atConsole().result('player-search', { query: this.#playerId }));
	}

	async #notesDown(): Promise<void> {
		const note = { playerId: this.#playerId, note: `note ${this.#notes}` };
		await this.#certain('console, acts', () => this.#atConsole().result('player-note', note));
		this.#notes += 1;
	}

	async #grantsCoins(): Promise<void> {
		const { userName } = this.#bot ?? expect.unreachable('no bot is logged in');
		const grant = { userName, amount: 1, grantId: FIRST_GRANT + 1 + this.#grants };
		await this.#certain('command line', (url) => this.operator('add-money', grant, url));
		this.#grants += 1;
	}

	async #placesOrder(): Promise<void> {
		const params = {
			marketId: this.#marketId,
			customerRef: `order-${this.#placed}`,
			instructions: [limit(ASHA, 'BACK', 5, BOT_STAKE)],
		};
		const betId = await this.#certain('bot', async (url) => {
			const report = await this.#rpc<{ status: string; instructionReports: { betId: string }[] }>(
				url,
				'placeOrders',
				params,
			);
			if (report.status !== 'SUCCESS') throw new Error(JSON.stringify(report));
			return report.instructionReports[0]?.betId ?? expect.unreachable('the order has no bet');
		});
		this.#orders.add(betId);
		this.#placed += 1;
	}

	async #rpc<Result>(url: string, operation: string, params: object): Promise<Result> {
		const { appKey, token } = this.#bot ?? expect.unreachable('no bot is logged in');
		const response = await fetch(`${url}/exchange/betting/json-rpc/v1`, {
			method: 'POST',
			headers: { 'X-Application': appKey, 'X-Authentication': token, 'Content-Type': 'application/json' },
			body: JSON.stringify({ jsonrpc: '2.0', method: `SportsAPING/v1.0/${operation}`, params, id: 1 }),
		});
		const answer = (await response.json()) as { result?: Result; error?: object };
		if (!answer.result) throw new Error(`${response.status} ${JSON.stringify(answer)}`);
		return answer.result;
	}

	/** A bet that wins, or is rolled back. Each answer has the balance that the wallet must have then. */
	async #playsRound(): Promise<void> {
		const { sessionToken } = this.#gambler;
		const [txId, roundId] = [randomUUID(), randomUUID()];
		await this.#moves('bet', { txId, roundId, gameCode: GAME, amount: GAME_STAKE, sessionToken }, -GAME_STAKE);
		this.#rounds += 1;
		const ref = { txId: randomUUID(), refTxId: txId };
		if (this.#rounds % 2 === 0) await this.#moves('rollback', ref, GAME_STAKE);
		else await this.#moves('win', { ...ref, roundId, amount: GAME_WIN, roundClosed: true }, GAME_WIN);
	}

	async #moves(call: string, fields: object, minor: number): Promise<void> {
		const { status, balance } = await this.#certain('game provider', (url) => this.#wallet(url, call, fields));
		this.#gambler.balance += minor;
		if (status !== 'OK' || balance !== this.#gambler.balance) throw new Error(`${call}: ${status} ${balance}`);
	}

	async #wallet(url: string, call: string, fields: object): Promise<Outcome> {
		const account = { ...this.#account, walletUrl: `${url}/wallet/${PROVIDER}` };
		const response = await sendToWallet(account, { path: call, fields });
		const text = await response.text();
		if (!response.ok) throw new Error(`${call}: ${response.status} ${text}`);
		return JSON.parse(text) as Outcome;
	}

	/** An order of a player, and the provider's word that it is paid, twice at once. */
	async #pays(): Promise<void> {
		const { token, paid } = this.#depositor;
		const asked = { amount: DEPOSIT, clientRequestId: randomUUID() };
		const order = await this.#certain('call', (url) => this.call('generatePayment', asked, token, url));
		const reference = /tr=(\w+)/.exec(order.upiLink)?.[1] ?? '';
		const utr = String(500_000_000_000 + paid.length);
		const word = { reference, providerId: `p-${utr}`, status: 'SUCCESS', amount: DEPOSIT * 100, currency: 'INR', utr };
		const body = JSON.stringify({ eventId: reference, word });
		const twice = [1, 2].map(() => this.#certain('payment provider', (url) => this.#webhook(url, body)));
		await Promise.all(twice);
		paid.push(order.orderId);
		await delay(DEPOSIT_PAUSE_MS);
	}

	async #webhook(url: string, body: string): Promise<void> {
		const { id, secret } = simulatorKey(TOKEN_KEY);
		const timestamp = String(Date.now());
		const response = await fetch(`${url}/api/Payment/Webhook`, {
			method: 'POST',
			headers: {
				'x-payment-key-id': id,
				'x-payment-timestamp': timestamp,
				'x-payment-signature': signatureOf(secret, timestamp, Buffer.from(body)),
			},
			body,
		});
		if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
	}
}
