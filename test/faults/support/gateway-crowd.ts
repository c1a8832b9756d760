/**
 * Players who bet through gateways. A bet that gets no answer, or one that leaves its outcome open, is sent again under its
 * request id, at the next gateway. A bet that is refused because nothing was done is now and then given up: it must
 * never appear.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import type { ErrorCode } from '#values/error-catalogue.ts';
import { byForm } from './form.ts';
import type { GatewayCluster } from './gateway-cluster.ts';

/** Longer than any call may take. */
const PATIENCE_MS = 15_000;
const PAUSE_MS = 5;
/** Between the bets of a player, who has 2,000 of them open at most. */
const NEXT_BET_MS = byForm(25, 100);
const STAKE = 10;
/** What a gateway may say while something is gone. */
const NOTHING_DONE: readonly ErrorCode[] = ['OVERLOADED', 'STARTING', 'DRAINING', 'DEADLINE_PASSED'];

interface Answer<Result> {
	result: Result;
	error: { code: ErrorCode } | null;
}

interface Player {
	token: string;
	placed: Set<string>;
}

export class GatewayCrowd {
	readonly #cluster: GatewayCluster;
	readonly #players: Player[] = [];
	#market = { marketId: '', runnerId: '' };
	#working: Promise<unknown> | null = null;
	#isStopped = false;
	readonly #closed = new AbortController();
	#placed = 0;

	constructor(cluster: GatewayCluster) {
		this.#cluster = cluster;
	}

	/** @returns how often it asked for a log-in */
	async open(players: number): Promise<number> {
		this.#market = await this.#cluster.openMarket();
		let asked = 0;
		while (this.#players.length < players) {
			asked += 1;
			const url = this.#cluster.urls()[0] ?? '';
			const { result } = await this.#send<{ accessToken: string } | null>(url, '/Account/LoginAsDemoUser');
			// A process that has just started may be busy, as a player's page finds it, too.
			if (result) this.#players.push({ token: result.accessToken, placed: new Set() });
		}
		return asked;
	}

	/** A bet whose request has that name. @returns its id */
	async named(requestId: string): Promise<string> {
		const player = this.#players[0] ?? expect.unreachable();
		const body = { ...this.#market, side: 'BACK', price: 2, stake: STAKE, clientRequestId: randomUUID() };
		const url = this.#cluster.urls()[0] ?? '';
		const { result } = await this.#send<{ betId: string }>(url, '/Bet/PlaceBetV2', player.token, body, requestId);
		player.placed.add(result.betId);
		this.#placed += 1;
		return result.betId;
	}

	work(): void {
		this.#working = Promise.all(this.#players.map((player, at) => this.#bets(player, at)));
	}

	/** Resolves when every bet is answered. */
	async rest(): Promise<void> {
		this.#isStopped = true;
		await this.#working;
	}

	/** Ends what is under way, answered or not: where a test has failed, nothing may answer any more. */
	async close(): Promise<void> {
		this.#isStopped = true;
		this.#closed.abort(new Error('The crowd was closed.'));
		await this.#working?.catch(() => {});
	}

	/** Resolves when N more bets are acknowledged. */
	async bets(more: number): Promise<void> {
		const wanted = this.#placed + more;
		while (this.#placed < wanted) await Promise.race([delay(PAUSE_MS), this.#working]);
	}

	/**
	 * A new bet at each gateway, while nothing reaches the engine. Every one is refused because nothing was done, and is
	 * given up: it must never appear.
	 */
	async expectNothingDone(code: ErrorCode): Promise<void> {
		const { token } = this.#players[0] ?? expect.unreachable();
		const body = () => ({ ...this.#market, side: 'BACK', price: 2, stake: STAKE, clientRequestId: randomUUID() });
		const answers = await Promise.all(
			this.#cluster.urls().map((url) => this.#send(url, '/Bet/PlaceBetV2', token, body())),
		);
		expect(answers.map(({ error }) => error?.code)).toEqual(answers.map(() => code));
	}

	/** Acknowledged bets are there, once. Nothing else is. */
	async expectNothingLost(): Promise<void> {
		for (const { token, placed } of this.#players) {
			const held = new Set<string>();
			for (let skip = 0; ; skip += 200) {
				const { openBets } = await this.#insist<{ openBets: { betId: string }[] }>(
					`/Bet/GetUserOpenBets?maxResultCount=200&skipCount=${skip}`,
					token,
				);
				for (const { betId } of openBets) held.add(betId);
				if (openBets.length < 200) break;
			}
			expect([...held].sort()).toEqual([...placed].sort());
		}
		const { rows } = await this.#cluster.database.db.query<{ bets: number }>('select count(*)::int as bets from bet');
		expect(rows[0]?.bets).toBe(this.#placed);
	}

	async #bets(player: Player, at: number): Promise<void> {
		// A player stays on one side, and meets no bet of their own.
		const side = at % 2 === 0 ? 'BACK' : 'LAY';
		for (let count = at; !this.#isStopped; count++) {
			await this.#bet(player, side, count);
			await delay(NEXT_BET_MS);
		}
	}

	/** @throws when it is refused by a rule of betting, which no bet here breaks */
	async #bet(player: Player, side: string, count: number): Promise<void> {
		const bet = { ...this.#market, side, price: 2, stake: STAKE };
		const body = { ...bet, persistence: 'PERSIST', clientRequestId: randomUUID() };
		let isCertain = true;
		for (let gateway = count; ; gateway++) {
			this.#closed.signal.throwIfAborted();
			const urls = this.#cluster.urls();
			const url = urls[gateway % urls.length] ?? '';
			const answer = await this.#send<{ betId: string }>(url, '/Bet/PlaceBetV2', player.token, body).catch(() => null);
			if (answer?.error === null) {
				player.placed.add(answer.result.betId);
				this.#placed += 1;
				return;
			}
			isCertain &&= answer !== null && NOTHING_DONE.includes(answer.error.code);
			// Given up: it must never appear.
			if (isCertain && count % 3 === 0) return;
			if (answer && ![...NOTHING_DONE, 'OUTCOME_UNKNOWN'].includes(answer.error.code))
				throw new Error(`A bet was refused: ${answer.error.code}`);
			await delay(PAUSE_MS);
		}
	}

	async #insist<Result>(path: string, token: string): Promise<Result> {
		for (let at = 0; ; at++) {
			this.#closed.signal.throwIfAborted();
			const urls = this.#cluster.urls();
			const answer = await this.#send<Result>(urls[at % urls.length] ?? '', path, token).catch(() => null);
			if (answer?.error === null) return answer.result;
			await delay(PAUSE_MS);
		}
	}

	async #send<Result>(url: string, path: string, token = '', body?: object, requestId = ''): Promise<Answer<Result>> {
		const response = await fetch(`${url}${path}`, {
			method: body ? 'POST' : 'GET',
			headers: {
				...(token ? { Authorization: `Bearer ${token}` } : {}),
				...(body ? { 'Content-Type': 'application/json' } : {}),
				...(requestId ? { 'X-Request-Id': requestId } : {}),
			},
			...(body ? { body: JSON.stringify(body) } : {}),
			signal: AbortSignal.any([AbortSignal.timeout(PATIENCE_MS), this.#closed.signal]),
		});
		return (await response.json()) as Answer<Result>;
	}
}
