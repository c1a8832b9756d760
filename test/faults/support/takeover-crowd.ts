/**
 * Players and an operator on a pair of processes. Whatever gets no answer, or one that leaves open what was done, is asked
 * again under the same request id, at the one process or the other, until the outcome is known.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import { operatorKeyOf } from '#server/operators/operator-key.ts';
import { TOKEN_KEY } from '../../support/server.ts';
import type { ExchangePair, Member } from './exchange-pair.ts';
import { byForm } from './form.ts';
import { EVENT_ID } from './listed-match.ts';
import { RefusedCall } from './player-client.ts';

/** Above the grants that welcome players. */
const FIRST_GRANT = 1_000_000_000;
/** Of a crowd that has worked. */
const FEWEST_BETS = byForm(25, 50);
/** A process that is stopped accepts connections and never answers. */
const PATIENCE_MS = 4_000;
/** Of the two processes one always refuses. */
const ASK_AGAIN_MS = byForm(100, 25);
/** Each waits for its answer first, so that most of their time players ask. */
const PAUSE_MS = byForm(25, 5);
const OTHER_MAY_ANSWER_MS = 100;
const RUNNERS = ['Reds', 'Blues'];
const DEPOSITOR = { userName: 'depositor', password: 'a long enough Passw0rd!' };

interface Answer<Result> {
	result: Result;
	error: { code: string } | null;
}

interface Asked {
	path: string;
	authorization?: string;
	body?: object;
}

/** The next answer to a bet that a certain process gives. */
interface Awaited {
	from: Member;
	resolve: (atMs: number) => void;
}

interface Market {
	marketId: string;
	runnerId: string;
}

/** A process that answers players: one of the pair, or a gateway. */
export interface Door {
	readonly url: string;
}

interface Player {
	token: string;
	/** Acknowledged bets. */
	placed: Set<string>;
	/** Those that an acknowledged cancellation took out of the book. */
	cancelled: Set<string>;
	rounds: Set<string>;
}

export class TakeoverCrowd {
	readonly #pair: ExchangePair;
	readonly #patienceMs: number;
	readonly #players: Player[] = [];
	#market: Market = { marketId: '', runnerId: '' };
	#working: Promise<unknown> | null = null;
	#isStopped = false;
	readonly #closed = new AbortController();
	#awaited: Awaited | null = null;
	readonly #settled: string[] = [];
	#grants = 0;
	/** Set while calls go to one process alone, which is expected to refuse none. */
	#only: Member | null = null;
	/** Where players ask. */
	#doors: readonly Door[];
	/** What that process did not answer, or with a fault. */
	readonly unanswered: string[] = [];
	longestCallMs = 0;

	/** @param patienceMs how long a call may take; after a kill a short one finds the other process sooner */
	constructor(pair: ExchangePair, patienceMs = PATIENCE_MS) {
		this.#pair = pair;
		this.#doors = pair.members;
		this.#patienceMs = patienceMs;
	}

	/** New players on a new market, in place of those before. */
	async open(players: number): Promise<void> {
		this.#market = await this.#openMarket(`Takeovers ${randomUUID()}`);
		await this.#once(() => this.#operator('create-player', DEPOSITOR));
		this.#players.length = 0;
		while (this.#players.length < players) this.#players.push(await this.#newPlayer());
	}

	/** All bet, cancel and play until `rest`. */
	work(): void {
		this.#isStopped = false;
		this.#working = Promise.all([...this.#players.map((player) => this.#bets(player)), this.#deposits()]);
	}

	/** Calls go to this process alone and are sent once. */
	askOnly(member: Member): void {
		this.#only = member;
		this.longestCallMs = 0;
	}

	askAll(): void {
		this.#only = null;
	}

	/** Players ask there from their next call on. Operators ask the two processes. */
	askAt(doors: readonly Door[]): void {
		this.#doors = doors;
	}

	/** Resolves when N more bets are acknowledged. */
	async placeMore(count: number): Promise<void> {
		const placed = () => this.#players.reduce((sum, player) => sum + player.placed.size, 0);
		const enough = placed() + count;
		while (placed() < enough) await Promise.race([delay(ASK_AGAIN_MS), this.#working]);
	}

	/** Resolves when every request is answered. */
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

	/** When the first bet is acknowledged by that process, by the monotonic clock. */
	firstBetOf(from: Member): Promise<number> {
		return new Promise((resolve) => {
			this.#awaited = { from, resolve };
		});
	}

	/** A market with one match. @returns settles it, however often that has to be asked */
	async matched(): Promise<() => Promise<unknown>> {
		const { marketId, runnerId } = await this.#openMarket(`Settled ${this.#settled.length}`);
		const [one, other] = [await this.#newPlayer(), await this.#newPlayer()];
		await this.#place(one, { marketId, runnerId, side: 'BACK', price: 2 });
		await this.#place(other, { marketId, runnerId, side: 'LAY', price: 2 });
		this.#settled.push(marketId);
		return () => this.#once(() => this.#operator('settle', { marketId, winners: [RUNNERS[0]] }));
	}

	/** Acknowledged bets, rounds, deposits and settlements are there, once. Nothing else is. */
	async expectNothingLost(): Promise<void> {
		let bets = 0;
		for (const player of this.#players) {
			const { openBets } = await this.#ask<{ openBets: { betId: string; matchedStake: number }[] }>(
				player,
				'/Bet/GetUserOpenBets',
			);
			const open = new Set(openBets.map(({ betId }) => betId));
			expect([...open].filter((betId) => !player.placed.has(betId))).toEqual([]);
			expect([...player.placed].filter((betId) => !open.has(betId) && !player.cancelled.has(betId))).toEqual([]);
			const { totalCount } = await this.#ask<{ totalCount: number }>(player, '/Casino/Rounds');
			expect(totalCount).toBe(player.rounds.size);
			bets += player.placed.size;
		}
		expect(new Set(this.#players.flatMap(({ placed }) => [...placed])).size).toBe(bets);
		expect(bets).toBeGreaterThanOrEqual(FEWEST_BETS);
		const { db } = this.#pair.database;
		const { rows: grants } = await db.query<{ ref: number }>(
			`select ref from posting where kind = 'GRANT' and ref > $1`,
			[FIRST_GRANT],
		);
		expect(grants).toHaveLength(this.#grants);
		const { rows: settlements } = await db.query<{ market_id: number }>(
			'select market_id from player_settlement where market_id = any($1)',
			[this.#settled],
		);
		expect(settlements).toHaveLength(2 * this.#settled.length);
	}

	async #newPlayer(): Promise<Player> {
		const { accessToken } = await this.#insist<{ accessToken: string }>({ path: '/Account/LoginAsDemoUser' });
		const player = {
			token: accessToken,
			placed: new Set<string>(),
			cancelled: new Set<string>(),
			rounds: new Set<string>(),
		};
		const { next } = await this.#ask<{ next: { commitment: string } }>(player, '/Casino/Seeds');
		const beginning = { clientSeed: 'a-seed-of-the-crowd', commitment: next.commitment };
		await this.#ask(player, '/Casino/RotateSeeds', beginning);
		return player;
	}

	async #openMarket(name: string): Promise<Market> {
		const market = { eventId: String(EVENT_ID), name, type: 'MATCH_ODDS', runners: RUNNERS };
		await this.#once(() => this.#operator('open-market', market));
		const markets = await this.#operator<{ marketId: number; market: string; runners: { id: string }[] }[]>(
			'markets',
			{},
		);
		const opened = markets.find((each) => each.market === name) ?? expect.unreachable(`${name} is not listed`);
		return { marketId: String(opened.marketId), runnerId: String(opened.runners[0]?.id) };
	}

	/**
	 * Players back or lay at one price, so that they meet; every fourth time a cancellation, every seventh a round. A player
	 * stays on one side: own bets in the way refuse a bet that is accepted a moment later, when it is asked for once more.
	 */
	async #bets(player: Player): Promise<void> {
		const at = this.#players.indexOf(player);
		const side = at % 2 === 0 ? 'BACK' : 'LAY';
		for (let count = at; !this.#isStopped; count++) {
			if (count % 7 === 6) await this.#plays(player);
			else if (count % 4 === 3) await this.#cancels(player);
			else await this.#place(player, { ...this.#market, side, price: 2 });
			await delay(PAUSE_MS);
		}
	}

	async #place(player: Player, bet: Market & { side: string; price: number }): Promise<void> {
		const body = { ...bet, stake: 10, persistence: 'PERSIST', clientRequestId: randomUUID() };
		const placed = await this.#once(() => this.#ask<{ betId: string }>(player, '/Bet/PlaceBetV2', body));
		if (placed) player.placed.add(placed.betId);
	}

	async #cancels(player: Player): Promise<void> {
		const betId = [...player.placed].findLast((each) => !player.cancelled.has(each));
		if (betId === undefined) return;
		const body = { betId, clientRequestId: randomUUID() };
		const done = await this.#once(() => this.#ask<{ matchedStake: number }>(player, '/Bet/CancelBet', body));
		if (done?.matchedStake === 0) player.cancelled.add(betId);
	}

	async #plays(player: Player): Promise<void> {
		const body = { game: 'dice', bets: [{ bet: 'under-5000', stake: 10 }], clientRequestId: randomUUID() };
		const done = await this.#once(() => this.#ask<{ round: { roundId: string } }>(player, '/Casino/Play', body));
		if (done) player.rounds.add(done.round.roundId);
	}

	async #deposits(): Promise<void> {
		while (!this.#isStopped) {
			this.#grants += 1;
			// One that was given before is refused.
			await this.#once(() =>
				this.#operator('add-money', { userName: DEPOSITOR.userName, amount: 1, grantId: FIRST_GRANT + this.#grants }),
			);
			await delay(PAUSE_MS);
		}
	}

	/** Null for what was refused: it was not done, or it is done already. */
	async #once<Result>(act: () => Promise<Result>): Promise<Result | null> {
		try {
			return await act();
		} catch (error) {
			if (error instanceof RefusedCall) return null;
			throw error;
		}
	}

	#ask<Result>({ token }: Player, path: string, body?: object): Promise<Result> {
		return this.#insist<Result>({ path, authorization: `Bearer ${token}`, ...(body ? { body } : {}) });
	}

	#operator<Result>(act: string, body: object): Promise<Result> {
		const authorization = `Operator ${operatorKeyOf(TOKEN_KEY)}`;
		return this.#insist<Result>({ path: `/operator/api/${act}`, authorization, body });
	}

	/** Asks until the outcome is known: one process if only that one is asked, otherwise both. @throws RefusedCall */
	async #insist<Result>(asked: Asked): Promise<Result> {
		return this.#only ? await this.#askOnce<Result>(this.#only, asked) : await this.#askBoth<Result>(asked);
	}

	/** Of both processes one at most serves. */
	async #askBoth<Result>(asked: Asked): Promise<Result> {
		const answered = new AbortController();
		const doors = asked.path.startsWith('/operator/') ? this.#pair.members : this.#doors;
		try {
			return await Promise.race(doors.map((door) => this.#askUntil<Result>(door, asked, answered.signal)));
		} finally {
			answered.abort();
		}
	}

	/**
	 * Asks one process again and again. A refusal counts when the other process has not done it a moment later: a deposed
	 * process that does not know yet refuses by what it remembers.
	 */
	async #askUntil<Result>(door: Door, asked: Asked, answered: AbortSignal): Promise<Result> {
		while (!answered.aborted) {
			this.#closed.signal.throwIfAborted();
			const answer = await this.#send<Result>(door, asked).catch(() => null);
			if (answer?.error) {
				await delay(OTHER_MAY_ANSWER_MS);
				throw new RefusedCall(answer.error.code);
			}
			if (answer) {
				this.#acknowledged(door, asked);
				return answer.result;
			}
			await delay(ASK_AGAIN_MS);
		}
		// The other process has answered; nothing waits for this one.
		return await new Promise(() => {});
	}

	/** Operators' acts are no calls, and are asked for until the process that leads does them. */
	async #askOnce<Result>(only: Member, asked: Asked): Promise<Result> {
		const beganAtMs = performance.now();
		if (asked.path.startsWith('/operator/')) return await this.#askBoth<Result>(asked);
		try {
			const answer = await this.#send<Result>(only, asked);
			if (answer.error) throw new RefusedCall(answer.error.code);
			return answer.result;
		} catch (error) {
			if (error instanceof RefusedCall) throw error;
			this.unanswered.push(`${asked.path}: ${String(error)}`);
			throw new RefusedCall('OUTCOME_UNKNOWN');
		} finally {
			this.longestCallMs = Math.max(this.longestCallMs, performance.now() - beganAtMs);
		}
	}

	#acknowledged(door: Door, { path }: Asked): void {
		if (path !== '/Bet/PlaceBetV2' || this.#awaited?.from !== door) return;
		this.#awaited.resolve(performance.now());
		this.#awaited = null;
	}

	/** @throws without an answer, and for one that says to ask again */
	async #send<Result>({ url }: Door, { path, authorization, body }: Asked): Promise<Answer<Result>> {
		const response = await fetch(`${url}${path}`, {
			method: body ? 'POST' : 'GET',
			headers: {
				...(authorization ? { Authorization: authorization } : {}),
				...(body ? { 'Content-Type': 'application/json' } : {}),
			},
			...(body ? { body: JSON.stringify(body) } : {}),
			signal: AbortSignal.any([AbortSignal.timeout(this.#patienceMs), this.#closed.signal]),
		});
		if (response.status >= 500) throw new Error(`The server answers ${response.status}.`);
		return (await response.json()) as Answer<Result>;
	}
}
