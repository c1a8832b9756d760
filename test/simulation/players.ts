/**
 * Players who place, change and cancel bets, and move money, over a network that loses and repeats messages. A request
 * that gets no answer is sent again under the same key, to any process, until it is decided.
 */
import type { Request, RequestKey } from '#server/exchange/exchange.ts';
import type { History } from './checks/history.ts';
import { MAKERS, marketsAt, PLAYED_POOLS, type PlayedPool, RUNNERS } from './feed.ts';
import { Host } from './host.ts';
import type { Network } from './network.ts';
import type { SeededNumbers } from './seeded-numbers.ts';
import type { Outcome, SimulatedProcess } from './simulated-process.ts';
import type { SimulatedTime } from './simulated-time.ts';

const PLAYERS: Readonly<Record<PlayedPool, readonly number[]>> = {
	PLAY: [1001, 1002, 1003, 1004, 1005, 1006],
	'PLAY-JPY': [1007, 1008, 1009],
};
const ALL_PLAYERS = PLAYED_POOLS.flatMap((pool) => PLAYERS[pool]);
/** The least stake and the largest in such steps, what a wallet begins with, and the least that moves otherwise: minor units. */
const SIZES: Readonly<Record<PlayedPool, { least: number; step: number; steps: number; funds: number; coin: number }>> =
	{
		PLAY: { least: 10, step: 1, steps: 2_000, funds: 400_000, coin: 1 },
		'PLAY-JPY': { least: 10_000, step: 10_000, steps: 20, funds: 40_000_000, coin: 100 },
	};
const ADJUSTED = 700;
const PRICES = [180, 190, 200, 210, 220];
const ANSWER_WITHIN_MS = 4_000;
const ASK_AGAIN_MS = 150;
/** Some come back to it later. */
const LONG_MS = 10_000;
const THINKS_MS = 900;
/** Of a hundred messages. */
const LOST = 1;
const REPEATED = 3;

/** Refusals that may be another answer when the same request is sent again. */
const AGAIN = new Set(['STARTING', 'DRAINING', 'OVERLOADED', 'DEADLINE_PASSED', 'OUTCOME_UNKNOWN', 'NO_ANSWER']);

interface PlayersOptions {
	time: SimulatedTime;
	numbers: SeededNumbers;
	network: Network;
	/** Those that a message may reach. */
	processes: () => readonly SimulatedProcess[];
	history: History;
}

export class Players {
	readonly host = new Host('players', 0);
	readonly #options: PlayersOptions;
	readonly #bets = new Map<number, number[]>();
	readonly #open = new Map<number, number[]>();
	#requests = 0;
	#isLeaving = false;
	/** Requests that are not decided. */
	pending = 0;
	/** Where the last answer came from. */
	#last: SimulatedProcess | null = null;

	constructor(options: PlayersOptions) {
		this.#options = options;
	}

	/** Opens the wallets, and plays. Has to run on their host. */
	async play(): Promise<void> {
		for (const pool of PLAYED_POOLS) {
			const maker = MAKERS[pool];
			await this.#ask({ kind: 'open-wallet', walletId: maker, pool, quotes: true });
			for (const walletId of [maker, ...PLAYERS[pool]]) {
				if (walletId !== maker) await this.#ask({ kind: 'open-wallet', walletId, pool });
				const granted = { grantId: walletId, walletId, amount: SIZES[pool].funds };
				await this.#send({ kind: 'grant-coins', ...granted }, this.#key(walletId));
			}
		}
		for (const walletId of ALL_PLAYERS) for (let hand = 0; hand < 2; hand++) void this.#live(walletId);
		void this.#look();
	}

	/** No new requests; those under way are decided. */
	leave(): void {
		this.#isLeaving = true;
	}

	async #live(walletId: number): Promise<void> {
		const { numbers } = this.#options;
		while (!this.#isLeaving) {
			await pause(THINKS_MS * (0.2 + 1.6 * numbers.fraction()));
			if (!this.#isLeaving) await this.#act(walletId);
		}
	}

	async #act(walletId: number): Promise<void> {
		const { numbers, time } = this.#options;
		const bets = this.#bets.get(walletId) ?? [];
		const kind = numbers.below(100);
		if (kind < 60 || bets.length === 0) {
			const marketId = numbers.from(marketsAt(time.nowMs));
			const side = numbers.chance(50) ? 1 : 0;
			const { least, step, steps } = SIZES[poolOf(walletId)];
			const [price, stake] = [numbers.from(PRICES), least + step * numbers.below(steps)];
			const bet = { walletId, marketId, runner: numbers.below(RUNNERS), side, price, stake, persist: true } as const;
			this.#keep(walletId, await this.#send({ kind: 'place-bet', ...bet }, this.#key(walletId)));
		} else if (kind < 72)
			await this.#send({ kind: 'cancel-bet', walletId, betId: numbers.from(bets) }, this.#key(walletId));
		else if (kind < 77) await this.#send({ kind: 'cancel-all', walletId }, this.#key(walletId));
		else if (kind < 83) {
			const replacing = { walletId, betId: numbers.from(bets), price: numbers.from(PRICES) } as const;
			this.#keep(walletId, await this.#send({ kind: 'replace-bet', ...replacing }, this.#key(walletId)));
		} else if (kind < 90) await this.#coins(walletId);
		else if (kind < 96) await this.#adjust(walletId);
		else await this.#repeat(walletId);
	}

	#keep(walletId: number, outcome: Outcome): void {
		const betId = outcome.kind === 'done' ? outcome.receipt.betId : null;
		if (betId === null) return;
		this.#bets.set(walletId, [...(this.#bets.get(walletId) ?? []), betId].slice(-12));
	}

	/** Under a name that can be taken once. */
	async #coins(walletId: number): Promise<void> {
		const pool = poolOf(walletId);
		const amount = SIZES[pool].coin * (1 + this.#options.numbers.below(5_000));
		const day = Math.floor(this.#options.time.nowMs / 7_000);
		await this.#send(
			{
				kind: 'transfer',
				walletId,
				pool,
				steps: [
					{
						workflow: 'COINS',
						from: null,
						to: 'GRANTED',
						isOpen: false,
						actor: 'player',
						data: { amount, reason: 'DAILY' },
						claims: [`coins:${walletId}:${day}`],
						moves: [{ debit: 'mint', credit: 'cash', amount }],
					},
				],
			},
			this.#key(walletId),
		);
	}

	/** In two steps: the second one ends a workflow that was open. */
	async #adjust(walletId: number): Promise<void> {
		const open = this.#open.get(walletId) ?? [];
		const id = open.shift();
		const amount = ADJUSTED;
		const outcome = await this.#send(
			{
				kind: 'transfer',
				walletId,
				pool: poolOf(walletId),
				steps: [
					id === undefined
						? {
								workflow: 'ADJUSTMENT',
								from: null,
								to: 'REQUESTED',
								isOpen: true,
								actor: 'player',
								data: { amount, isCredit: false, reasonCode: 'test', requestedBy: 'player' },
								moves: [{ debit: 'cash', credit: 'hold', amount }],
							}
						: {
								workflow: 'ADJUSTMENT',
								id,
								from: 'REQUESTED',
								to: 'PAID',
								isOpen: false,
								actor: 'server',
								moves: [{ debit: 'hold', credit: 'mint', amount }],
							},
				],
			},
			this.#key(walletId),
		);
		const begun = outcome.kind === 'done' && id === undefined ? outcome.receipt.workflows?.[0]?.id : undefined;
		if (begun !== undefined) this.#open.set(walletId, [...open, begun]);
		const { history } = this.#options;
		if (id !== undefined) history.ended(id, outcome);
	}

	/** The same request, long after its answer. */
	async #repeat(walletId: number): Promise<void> {
		const earlier = this.#options.history.someDecided(walletId, this.#options.numbers);
		if (earlier) await this.#send(earlier.request, earlier.key);
	}

	#key(walletId: number): RequestKey {
		this.#requests++;
		return { walletId, clientRequestId: `request-${this.#requests}`, body: `body ${this.#requests}` };
	}

	/** An act that may be repeated, such as opening a wallet. */
	async #ask(request: Request): Promise<void> {
		for (;;) {
			const outcome = await this.#attempt(request, undefined, 1);
			if (outcome.kind === 'done' || !AGAIN.has(outcome.code)) return;
			await pause(ASK_AGAIN_MS);
		}
	}

	/** Sends it until it is decided. */
	async #send(request: Request, key: RequestKey): Promise<Outcome> {
		const { history, time, numbers } = this.#options;
		this.pending++;
		const call = history.begins(request, key);
		try {
			for (;;) {
				const sentAtMs = time.nowMs;
				history.sends(call, sentAtMs, sentAtMs + ANSWER_WITHIN_MS);
				const copies = this.#copies();
				const outcome = await this.#attempt(request, key, copies);
				if (outcome.kind === 'done' || !AGAIN.has(outcome.code)) {
					history.ends(call, outcome);
					return outcome;
				}
				history.refused(call, outcome.code, copies);
				// What was sent before can happen until its deadline.
				if (numbers.chance(10)) await pause(LONG_MS);
				const again = outcome.code === 'NO_ANSWER' ? ANSWER_WITHIN_MS - (time.nowMs - sentAtMs) : 0;
				await pause(Math.max(again, 0) + ASK_AGAIN_MS * (1 + numbers.fraction()));
			}
		} catch (error) {
			time.fail(error as Error);
			throw error;
		} finally {
			this.pending--;
		}
	}

	/** How often a message arrives. */
	#copies(): number {
		const { numbers } = this.#options;
		return numbers.chance(LOST) ? 0 : numbers.chance(REPEATED) ? 2 : 1;
	}

	#attempt(request: Request, key: RequestKey | undefined, copies: number): Promise<Outcome> {
		const { numbers, processes, time, network } = this.#options;
		const all = processes();
		const serving = all.filter((each) => each.exchange !== null);
		const isKnown = this.#last !== null && all.includes(this.#last) && numbers.chance(80);
		const process = isKnown ? this.#last : serving.length > 0 ? numbers.from(serving) : null;
		const untilMs = time.nowMs + ANSWER_WITHIN_MS;
		if (!process) return Promise.resolve({ kind: 'refused', code: 'STARTING' });
		return new Promise((resolve) => {
			const timer = setTimeout(() => {
				this.#last = null;
				resolve({ kind: 'refused', code: 'NO_ANSWER' });
			}, ANSWER_WITHIN_MS + 500);
			const answered = (outcome: Outcome): void => {
				clearTimeout(timer);
				this.#last = outcome.kind === 'refused' && AGAIN.has(outcome.code) ? null : process;
				resolve(outcome);
			};
			for (let copy = 0; copy < copies; copy++)
				network.send(this.host, process.host, () => {
					process.answer(request, key, untilMs).then(
						(outcome) => network.send(process.host, this.host, () => answered(outcome)),
						(error: Error) => time.fail(error),
					);
				});
		});
	}

	/** Looks at wallets: what a process shows is never older than what was answered before. */
	async #look(): Promise<void> {
		const { numbers, processes, network, history } = this.#options;
		for (;;) {
			await pause(400 * (0.5 + numbers.fraction()));
			const walletId = numbers.from(ALL_PLAYERS);
			const least = history.answeredVersion(walletId);
			for (const process of processes())
				network.send(this.host, process.host, () => {
					const version = process.shownVersion(walletId);
					if (version !== null) history.shows(process.name, walletId, { version, least });
				});
		}
	}
}

const poolOf = (walletId: number): PlayedPool => (PLAYERS.PLAY.includes(walletId) ? 'PLAY' : 'PLAY-JPY');

const pause = (ms: number): Promise<void> => new Promise((resume) => setTimeout(resume, ms));
