/**
 * Players who bet, cancel, move money and look at it, each with several calls at once, and what they saw: when each call
 * began, when its answer came, and what it was. A call whose outcome is unknown is asked again under the same request id, soon
 * or when everybody has left: an outcome that stayed unknown could come anywhere in the order, and few of them make it too
 * long to be searched for.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { SeededNumbers } from '../../reference/random-commands.ts';
import { plainRequest } from '../../support/plain-request.ts';
import type { Operation } from './linearizability.ts';
import { type Market, RefusedCall } from './player-client.ts';
import type { Answer, Call, Side } from './small-exchange.ts';

/** Where they play. */
export interface Site {
	url: string;
	/** The head of operators' requests. */
	operator: string;
}

const SIDES: readonly Side[] = ['BACK', 'LAY', 'BACK', 'LAY'];
/** Of each player. */
const CALLS_AT_ONCE = 2;
/** What a demo player begins with. */
export const CASH = 20_000;
/** Each is some larger than the last one, so that each is the only one of its size. */
const SMALLEST_STAKE = 300;
const LARGEST_RISE = 5;
/** Above the grants that welcome players; no two grants of this process have one id. */
let lastGrant = 1_000_000_000;
const AGAIN_AFTER_MS = 20;
const THINKS_MS = 10;
/** A player who is impatient takes a call for lost so soon, while the server works at it. */
const IMPATIENT_MS = 5;
const PATIENT_MS = 15_000;

/** Nothing of this attempt was done, and nothing will be. */
const NOTHING_DONE = new Set(['STARTING', 'DRAINING', 'OVERLOADED', 'THROTTLED', 'DEADLINE_PASSED']);
/** The request is decided: nothing was done under its id. */
const REFUSALS = new Set(['INSUFFICIENT_FUNDS', 'ORDER_NOT_ACTIVE']);
/** It may have been done. Any other code is a fault. */
const UNKNOWN = new Set(['NO_ANSWER', 'OUTCOME_UNKNOWN', 'INTERNAL']);

/** Of the batch that has it; missing in the repeated answer of an old request. */
type Commit = { sequence: number } | undefined;
type Money = Record<'matchedStake' | 'balance' | 'exposure', number>;
type Placed = Money & { betId: string; remainingStake: number; commit: Commit };
type Cancelled = Money & { cancelledStake: number; commit: Commit };
interface Account {
	token: string;
	userName: string;
	/** The bets whose ids are known, by stake. */
	bets: Map<number, string>;
}

/** An answer, and its place among those that say one. */
type Told = Pick<Operation<Call, Answer>, 'place'> & { answer: Answer };

interface Attempts {
	call: Call;
	calledAt: number;
	send: () => Promise<Told>;
}

export class RecordedPlayers {
	readonly operations: Operation<Call, Answer>[] = [];
	/** How often a player did not know what was done. */
	unknown = 0;
	readonly #site: Site;
	readonly #market: Market;
	readonly #numbers: SeededNumbers;
	readonly #accounts: Account[] = [];
	readonly #playing: Promise<void>[] = [];
	/** Requests whose callers no longer wait. */
	readonly #underWay = new Set<Promise<unknown>>();
	/** Their callers went on without knowing what was done. */
	readonly #leftAlone: Attempts[] = [];
	readonly #waiting: { answers: number; reached: () => void; failed: (error: unknown) => void }[] = [];
	#moments = 0;
	#answers = 0;
	#lastStake = SMALLEST_STAKE;
	#isLeaving = false;

	private constructor(site: Site, market: Market, numbers: SeededNumbers) {
		this.#site = site;
		this.#market = market;
		this.#numbers = numbers;
	}

	/** Players of a market in which no other player bets. */
	static async open(site: Site, market: Market, numbers: SeededNumbers): Promise<RecordedPlayers> {
		const players = new RecordedPlayers(site, market, numbers);
		for (const _ of SIDES) {
			const demo = await players.#ask<{ accessToken: string; user: { userName: string } }>('/Account/LoginAsDemoUser');
			players.#accounts.push({ token: demo.accessToken, userName: demo.user.userName, bets: new Map() });
		}
		return players;
	}

	/** By account. */
	get sides(): readonly Side[] {
		return SIDES;
	}

	play(): void {
		for (const account of SIDES.keys())
			for (let hand = 0; hand < CALLS_AT_ONCE; hand++) this.#playing.push(this.#live(account));
	}

	/** Resolves when that many more calls were answered. @throws the fault that ended a player's calls */
	async answered(more: number): Promise<void> {
		const { promise, resolve, reject } = Promise.withResolvers<void>();
		this.#waiting.push({ answers: this.#answers + more, reached: resolve, failed: reject });
		await promise;
	}

	/** Ends what is under way, and looks at every account once more. */
	async leave(): Promise<void> {
		this.#isLeaving = true;
		await Promise.all(this.#playing);
		while (this.#underWay.size > 0) await Promise.allSettled(this.#underWay);
		for (const left of this.#leftAlone) await this.#repeat(left, true);
		for (const account of SIDES.keys()) await this.#look(account, true);
	}

	async #live(account: number): Promise<void> {
		try {
			while (!this.#isLeaving) {
				await this.#act(account);
				// What a player just did is what is shown too late, if anything is.
				if (this.#numbers.chance(50)) await this.#look(account, false);
				await delay(THINKS_MS * 2 * (this.#numbers.below(100) / 100));
			}
		} catch (error) {
			for (const { failed } of this.#waiting) failed(error);
		}
	}

	async #act(account: number): Promise<void> {
		const kind = this.#numbers.below(100);
		const { bets } = this.#accounts[account] as Account;
		if (kind < 50) await this.#place(account);
		else if (kind < 75 && bets.size > 0) await this.#cancel(account, this.#numbers.from([...bets.keys()]));
		else if (kind < 87) await this.#withdraw(account);
		else await this.#grant(account);
	}

	async #place(account: number): Promise<void> {
		this.#lastStake += 1 + this.#numbers.below(LARGEST_RISE);
		const stake = this.#lastStake;
		const { bets } = this.#accounts[account] as Account;
		const body = { ...this.#market, side: SIDES[account], price: 2, stake, persistence: 'PERSIST', ...named() };
		await this.#record({
			call: { kind: 'place', account, stake },
			send: async () => {
				const { betId, commit, ...bet } = await this.#asks<Placed>(account, '/Bet/PlaceBetV2', body);
				bets.set(stake, betId);
				const { matchedStake: matched, remainingStake: remaining, balance, exposure } = bet;
				return { answer: { matched, remaining, balance, exposure }, place: placeOf(commit, Number(betId)) };
			},
		});
	}

	async #cancel(account: number, stake: number): Promise<void> {
		const betId = this.#accounts[account]?.bets.get(stake);
		const body = { betId, ...named() };
		await this.#record({
			call: { kind: 'cancel', account, stake },
			send: async () => {
				const { commit, ...bet } = await this.#asks<Cancelled>(account, '/Bet/CancelBet', body);
				const { cancelledStake: cancelled, matchedStake: matched, balance, exposure } = bet;
				return { answer: { cancelled, matched, balance, exposure }, place: placeOf(commit, LAST_OF_BATCH) };
			},
		});
	}

	async #withdraw(account: number): Promise<void> {
		const amount = 100 + this.#numbers.below(200);
		const body = { amount, details: { method: 'UPI', upiId: 'ravi@okbank' }, ...named() };
		await this.#record({
			call: { kind: 'withdraw', account, amount },
			send: async () => {
				await this.#asks(account, '/DepositWithdrawal/CreateWithdrawal', body);
				return { answer: 'withdrawn' };
			},
		});
	}

	async #grant(account: number): Promise<void> {
		const amount = 100 + this.#numbers.below(900);
		const { userName } = this.#accounts[account] as Account;
		const grantId = ++lastGrant;
		await this.#record({
			call: { kind: 'grant', account, amount },
			send: async () => {
				const body = { userName, host: 'localhost', amount, grantId };
				const authorization = this.#site.operator;
				const { balance } = await this.#ask<{ balance: number }>('/operator/api/add-money', { authorization, body });
				return { answer: { balance } };
			},
		});
	}

	/** @param isLast asks until there is an answer */
	async #look(account: number, isLast: boolean): Promise<void> {
		interface Seen {
			openBets: { stake: number; matchedStake: number; remainingStake: number }[];
			balance: number;
			exposure: number;
		}
		const send = async (): Promise<Told> => {
			const { openBets, balance, exposure } = await this.#asks<Seen>(account, '/Bet/GetUserOpenBets');
			const bets = openBets.map((bet) => [bet.stake, bet.matchedStake, bet.remainingStake] as const);
			return { answer: { bets: bets.toSorted(([one], [other]) => one - other), balance, exposure } };
		};
		await this.#record({ call: { kind: 'look', account }, send }, isLast);
	}

	/** Makes a call until its outcome is known, or leaves it alone for now. */
	async #record(attempts: Omit<Attempts, 'calledAt'>, hasToKnow = false): Promise<void> {
		await this.#repeat({ ...attempts, calledAt: ++this.#moments }, hasToKnow);
	}

	async #repeat(attempts: Attempts, hasToKnow: boolean): Promise<void> {
		const { call, calledAt, send } = attempts;
		for (let isUnknown = false; ; ) {
			try {
				const told = await this.#patiently(send(), hasToKnow);
				this.operations.push({ call, calledAt, answeredAt: ++this.#moments, ...told });
				this.#answers++;
				for (const { answers, reached } of this.#waiting) if (this.#answers >= answers) reached();
				return;
			} catch (error) {
				const code = error instanceof RefusedCall ? error.code : 'NO_ANSWER';
				if (REFUSALS.has(code)) return;
				if (UNKNOWN.has(code)) isUnknown = true;
				else if (!NOTHING_DONE.has(code)) throw error;
				// What was refused before it was applied, and what only looks, leaves nothing behind.
				const changesNothing = !isUnknown || call.kind === 'look';
				if (changesNothing && !hasToKnow) return;
				if (!changesNothing) this.unknown++;
				if (!hasToKnow && this.#numbers.chance(5)) {
					this.#leftAlone.push(attempts);
					return;
				}
				await delay(AGAIN_AFTER_MS * this.#numbers.below(20));
			}
		}
	}

	/** @throws Error when the caller waits no longer */
	async #patiently(asked: Promise<Told>, isPatient: boolean): Promise<Told> {
		const ended = asked.finally(() => this.#underWay.delete(ended));
		this.#underWay.add(ended);
		ended.catch(() => undefined);
		const waitsMs = !isPatient && this.#numbers.chance(10) ? IMPATIENT_MS : PATIENT_MS;
		const patience = new AbortController();
		const tooLong = delay(waitsMs, null, { signal: patience.signal }).then(() => {
			throw new Error('no answer');
		});
		tooLong.catch(() => undefined);
		try {
			return await Promise.race([ended, tooLong]);
		} finally {
			patience.abort();
		}
	}

	#asks<Result>(account: number, path: string, body?: object): Promise<Result> {
		return this.#ask(path, { authorization: `Bearer ${this.#accounts[account]?.token}`, ...(body ? { body } : {}) });
	}

	async #ask<Result>(path: string, asked: { authorization?: string; body?: object } = {}): Promise<Result> {
		const { authorization, body } = asked;
		const { text } = await plainRequest(`${this.#site.url}${path}`, {
			method: body ? 'POST' : 'GET',
			headers: {
				...(authorization ? { Authorization: authorization } : {}),
				...(body ? { 'Content-Type': 'application/json' } : {}),
			},
			...(body ? { body: JSON.stringify(body) } : {}),
		});
		const { result, error } = JSON.parse(text) as { result: Result; error: { code: string } | null };
		if (error) throw new RefusedCall(error.code);
		return result;
	}
}

/** More than a test places. */
const BETS = 1_000_000;
const LAST_OF_BATCH = BETS - 1;
const placeOf = (commit: Commit, inBatch: number): number | undefined => commit && commit.sequence * BETS + inBatch;
const named = () => ({ clientRequestId: randomUUID() });
