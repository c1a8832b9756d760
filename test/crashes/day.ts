/** A day of betting on markets of every kind, with a house that quotes, from a seed. */
import { pino } from 'pino';
import { expect } from 'vitest';
import type { BetTerms } from '#engine/bet-detail.ts';
import type { OpenMarket } from '#engine/command.ts';
import type { RunnerResult } from '#engine/market-terms.ts';
import type { Plan } from '#engine/triggers/plan.ts';
import type { Exchange, Receipt, Request, RequestKey } from '#server/exchange/exchange.ts';
import { type ExchangeOptions, openExchange } from '#server/exchange/open-exchange.ts';
import { reverseSettlement } from '#server/operators/reopen-market.ts';
import { standingMatches } from '#server/operators/void-bets.ts';
import { Refused } from '#values/error-catalogue.ts';
import { ON_A_LINE } from '#values/figures.ts';
import { SeededNumbers } from '../reference/random-commands.ts';
import type { FreshDatabase } from '../support/database.ts';
import { LEDGER_KEY } from '../support/server.ts';
import { type Fault, FaultyDatabase } from './faulty-database.ts';

const PLAYERS = [1001, 1002, 1003, 1004, 1005];
const MARKETS = 3;
const FUNDS = 500_000;
const FAULTS: readonly Fault[] = ['before', 'inside', 'after'];
const PRICES = [150, 196, 198, 200, 202, 204, 300];
/** Stands between where bets meet across runners. */
export const HOUSE = 2;
/** Quotes. */
export const MAKER = 3;
/** Has plans, which place bets of their own, and nothing else. */
export const PLANNER = 4;

/** What differs from market to market, and by what results each can end. */
interface Kind {
	terms: Partial<OpenMarket> & Pick<OpenMarket, 'runners' | 'numberOfWinners'>;
	results: readonly (readonly RunnerResult[])[];
}
const RACING = { reducible: true, minReductionBp: 0 };
const KINDS: readonly Kind[] = [
	{
		terms: { runners: 3, numberOfWinners: 1, ...RACING },
		results: [
			['WIN', 'LOSE', 'LOSE'],
			['TIE', 'TIE', 'LOSE'],
		],
	},
	{ terms: { runners: 3, numberOfWinners: 2, ...RACING }, results: [['WIN', 'WIN', 'LOSE']] },
	{
		terms: { runners: 3, numberOfWinners: 2, eachWayDivisor: 4, ...RACING },
		results: [
			['WIN', 'PLACED', 'LOSE'],
			['WIN', 'WIN', 'LOSE'],
		],
	},
	{
		terms: { runners: 1, numberOfWinners: ON_A_LINE, ladder: { min: 150, max: 300, interval: 50 } },
		results: [
			['WIN', 'VOID', 'LOSE', 'LOSE'],
			['WIN', 'WIN', 'WIN', 'VOID'],
		],
	},
	{
		terms: { runners: 3, numberOfWinners: 1, crossMatching: true, houses: [HOUSE] },
		results: [
			['LOSE', 'WIN', 'LOSE'],
			['LOSE', 'LOSE', 'WIN'],
		],
	},
];

/** Requests and their outcomes, on all days together. */
export const DONE = new Set<Request['kind']>();
export const EVERYTHING: readonly Request['kind'][] = [
	'place-bet',
	'place-trigger',
	'cancel-trigger',
	'cancel-bet',
	'cancel-all',
	'replace-bet',
	'update-bet',
	'cash-out',
	'set-cash-out-target',
	'suspend-market',
	'resume-market',
	'suspend-runner',
	'resume-runner',
	'remove-runner',
	'return-runner',
	'turn-in-play',
	'set-limits',
	'set-order-group',
	'settle-market',
	'void-matches',
	'reopen-market',
	'resettle-market',
];

export class Day {
	readonly numbers: SeededNumbers;
	readonly faulty: FaultyDatabase;
	readonly acknowledged = new Map<string, number>();
	/** Triggers that were acknowledged, with their wallets. */
	readonly triggers = new Map<number, number>();
	/** Numbers of the batches that those who follow the exchange were given. */
	readonly published = new Set<number>();
	exchange: Exchange | null = null;
	now = 1_700_000_000_000;
	/** By both clocks, beyond the time that the test takes. */
	#passedMs = 0;
	rebuilt = 0;
	/** Quotes placed, and of those in a market that was forgotten how often it was opened again. */
	quotes = 0;
	recalled = 0;
	#requests = 0;
	#market = 0;
	readonly #database: FreshDatabase;
	readonly #kinds = new Map<number, Kind>();

	readonly #options: Partial<ExchangeOptions>;

	/**
	 * @param faultPercent how many commits fail
	 * @param options what the test wants of the exchange besides
	 */
	constructor(seed: number, database: FreshDatabase, faultPercent: number, options: Partial<ExchangeOptions> = {}) {
		this.#database = database;
		this.#options = options;
		this.numbers = new SeededNumbers(seed);
		const fault = () => (this.numbers.chance(faultPercent) ? this.numbers.from(FAULTS) : null);
		this.faulty = new FaultyDatabase(database.db, fault);
	}

	/** Time that passes without a step, unlike a wall clock that jumps. */
	pass(ms: number): void {
		this.now += ms;
		this.#passedMs += ms;
	}

	async open(): Promise<void> {
		this.exchange = await openExchange({
			db: this.#database.db,
			ledger: this.faulty.asDatabase(),
			log: pino({ level: 'silent' }),
			ledgerKey: LEDGER_KEY,
			clock: { wallMs: () => this.now, monotonicMs: () => performance.now() + this.#passedMs },
			backOff: { firstMs: 1, longestMs: 5 },
			onCommitted: ({ batchSeq }) => this.published.add(batchSeq),
			onStopped: (error) => {
				throw error;
			},
			...this.#options,
		});
		this.exchange.onRebuilt(() => this.#waitsForNothing());
		for (const walletId of [HOUSE, MAKER]) {
			await this.insist({ kind: 'open-wallet', walletId, pool: 'PLAY', quotes: true });
		}
		const ofMaker = { walletId: MAKER, clientRequestId: 'grant', body: 'grant' };
		await this.insist({ kind: 'grant-coins', grantId: MAKER, walletId: MAKER, amount: FUNDS }, ofMaker);
		for (const walletId of [...PLAYERS, PLANNER]) {
			await this.insist({ kind: 'open-wallet', walletId, pool: 'PLAY' });
			const key = { walletId, clientRequestId: `grant-${walletId}`, body: 'grant' };
			await this.insist({ kind: 'grant-coins', grantId: walletId, walletId, amount: FUNDS }, key);
			await this.insist({ kind: 'set-order-group', walletId, name: 'guarded', most: 3_000 });
		}
		for (let count = 0; count < MARKETS; count++) await this.openMarket();
	}

	/** A rebuilt exchange knows no resting quote. */
	#waitsForNothing(): void {
		this.rebuilt += 1;
		for (const { matched, remaining } of (this.exchange as Exchange).openBets(MAKER)) {
			expect(matched).toBeGreaterThan(0);
			expect(remaining).toBe(0);
		}
	}

	async openMarket(): Promise<void> {
		this.#market += 1;
		const kind = KINDS[this.#market % KINDS.length] as Kind;
		this.#kinds.set(this.#market, kind);
		await this.insist({
			kind: 'open-market',
			marketId: this.#market,
			pools: ['PLAY'],
			commissionBp: 200,
			minStake: 10,
			maxStake: 1_000_000,
			profitRatioRule: false,
			selfMatch: 'REFUSE',
			suspended: false,
			...kind.terms,
		});
	}

	/** Asks until there is an answer: a result, or a refusal that asking again would not change. */
	async insist(request: Request, key?: RequestKey): Promise<Receipt | null> {
		for (;;) {
			try {
				const done = await (this.exchange as Exchange).submit(request, key);
				DONE.add(request.kind);
				return done;
			} catch (error) {
				if (!(error instanceof Refused)) throw error;
				const unknown = error.code === 'OVERLOADED' || error.code === 'STARTING';
				// Without a key an act that was committed unheard is refused the second time, which is an answer too.
				if (!unknown) return null;
				await new Promise((resolve) => setImmediate(resolve));
			}
		}
	}

	async step(): Promise<void> {
		const { numbers } = this;
		// The clock stands still, goes on, or goes back a little.
		this.now += numbers.from([0, 0, 1, 1, 50, -20]);
		const kind = numbers.below(100);
		if (kind < 28) await this.#bets();
		else if (kind < 35) await this.#triggers();
		else if (kind < 45) await this.#cashOut();
		else if (kind < 60) await this.#quote();
		else if (kind < 70) await this.#takeBack();
		else if (kind < 90) await this.insist(this.#marketAct(this.#someMarket()));
		else if (kind < 92) await this.#return();
		else if (kind < 95) await this.#voidMatches();
		else if (kind < 97) await this.#openOldOne();
		else await this.#end();
	}

	/** An act on a market; what stops betting is rarer than what lets it go on. */
	#marketAct(marketId: number): Request {
		const { numbers } = this;
		const runner = numbers.below(3);
		const limit = numbers.from([0, 100_000, 400_000]);
		return numbers.from<Request>([
			{ kind: 'resume-market', marketId },
			{ kind: 'resume-market', marketId },
			{ kind: 'resume-market', marketId },
			{ kind: 'suspend-market', marketId, lapseUnmatched: numbers.chance(30) },
			{ kind: 'suspend-market', marketId, lapseUnmatched: false, ballRunning: true },
			{ kind: 'resume-runner', marketId, runner },
			{ kind: 'resume-runner', marketId, runner: 0 },
			{ kind: 'suspend-runner', marketId, runner },
			{ kind: 'turn-in-play', marketId },
			{ kind: 'set-order-group', walletId: numbers.from(PLAYERS), name: 'guarded', most: 3_000 },
			{ kind: 'remove-runner', marketId, runner: 2, reductionBp: numbers.below(3000) },
			{
				kind: 'set-limits',
				walletId: numbers.from(PLAYERS),
				limits: { maxStake: 0, maxProfit: 0, maxExposure: limit },
			},
		]);
	}

	#someMarket(): number {
		return this.#market - this.numbers.below(MARKETS);
	}

	/** Several at once, so that they share a batch; some asked twice at the same time. */
	async #bets(): Promise<void> {
		const { numbers } = this;
		const asked: Promise<void>[] = [];
		for (let count = 1 + numbers.below(5); count > 0; count--) {
			const walletId = numbers.from(PLAYERS);
			const key = this.#key('bet', walletId);
			const marketId = this.#someMarket();
			const request: Request & { kind: 'place-bet' } = {
				kind: 'place-bet',
				walletId,
				marketId,
				runner: numbers.below(this.#kinds.get(marketId)?.terms.runners ?? 3),
				side: numbers.chance(50) ? 0 : 1,
				price: numbers.from(PRICES),
				stake: 10 + numbers.below(5000),
				persist: numbers.chance(50),
				...(numbers.chance(20) ? { fillOrKill: true, minFill: 10 } : {}),
			};
			if (!request.fillOrKill) request.terms = this.#terms(request.stake);
			for (let times = numbers.chance(20) ? 2 : 1; times > 0; times--) asked.push(this.#bet(request, key));
		}
		await Promise.all(asked);
	}

	/** Of two fifths of the bets, some of a group that may be closed. Short times: the clock goes on by some seconds a day. */
	#terms(stake: number): BetTerms | null {
		const postOnly = ([null, 'REFUSE', 'REPRICE'] as const)[stake % 12];
		const group = stake % 5 === 0 ? { group: 'guarded' } : {};
		return postOnly === undefined
			? stake % 5 === 0
				? { postOnly: null, expiresAtMs: null, selfMatch: null, ...group }
				: null
			: {
					postOnly,
					expiresAtMs: postOnly ? null : this.now + 100 + (stake % 1_500),
					selfMatch: null,
					...(stake % 24 < 12 ? { untilMatched: stake } : {}),
					...group,
				};
	}

	/** The market maker takes its quotes back and offers others, all at once. */
	async #quote(): Promise<void> {
		const { numbers } = this;
		const marketId = this.#someMarket();
		const asked: Promise<unknown>[] = [this.insist({ kind: 'cancel-all', walletId: MAKER, marketId })];
		for (let count = 1 + numbers.below(4); count > 0; count--) {
			const runner = numbers.below(this.#kinds.get(marketId)?.terms.runners ?? 3);
			const side = numbers.chance(50) ? 0 : 1;
			const [price, stake] = [numbers.from(PRICES), 10 + numbers.below(5000)];
			const bet = { walletId: MAKER, marketId, runner, side, price, stake, persist: false } as const;
			asked.push(this.insist({ kind: 'place-bet', ...bet }));
		}
		for (const done of await Promise.all(asked)) if (done) this.quotes += 1;
	}

	/** Markets that are over are forgotten, and one of them is opened again and paid by the same result. */
	async #openOldOne(): Promise<void> {
		const marketId = this.#market - MARKETS - this.numbers.below(10);
		if (marketId < 1) return;
		const exchange = this.exchange as Exchange;
		exchange.forgetMarkets(() => false);
		await this.#reverse(marketId, null);
		if (exchange.market(marketId)?.status !== 'CLOSED') return;
		this.recalled += 1;
		await this.insist({ kind: 'settle-market', marketId, results: this.#kinds.get(marketId)?.results[0] ?? [] });
	}

	/** Some are reached by what is matched, and place bets of their own; some are taken back. */
	async #triggers(): Promise<void> {
		const { numbers } = this;
		const isPlan = numbers.chance(50);
		const walletId = isPlan ? PLANNER : numbers.from(PLAYERS);
		const marketId = this.#someMarket();
		const trail = numbers.chance(30) ? 1 + numbers.below(3) : null;
		const trigger: Request = {
			kind: 'place-trigger',
			walletId,
			marketId,
			runner: numbers.below(this.#kinds.get(marketId)?.terms.runners ?? 3),
			side: numbers.chance(50) ? 0 : 1,
			price: numbers.from(PRICES),
			stake: 10 + numbers.below(500),
			persist: numbers.chance(50),
			watches: numbers.chance(60) ? 'LAST_TRADED' : 'BEST',
			moves: numbers.chance(50) ? 'RISES' : 'FALLS',
			at: trail === null ? numbers.from(PRICES) : null,
			trail,
			marketVersion: null,
		};
		if (isPlan) Object.assign(trigger, { plan: this.#plan(trigger.stake), watches: 'NONE', at: null, trail: null });
		const key = this.#key('trigger', walletId);
		const placed = await Promise.all(
			Array.from({ length: numbers.chance(20) ? 2 : 1 }, () => this.insist(trigger, key)),
		);
		for (const done of placed) if (done?.betId != null) this.triggers.set(done.betId, walletId);
		if (!numbers.chance(25)) return;
		const [own] = (this.exchange as Exchange).triggers(walletId);
		const cancel = own && ({ kind: 'cancel-trigger', walletId, triggerId: own.triggerId } as const);
		if (cancel) await this.insist(cancel, this.#key('cancel', walletId));
	}

	#plan(stake: number): Plan {
		const { numbers } = this;
		const kind = numbers.from(['ICEBERG', 'PEG', 'BRACKET'] as const);
		if (kind === 'ICEBERG') return { kind, visible: Math.ceil(stake / (2 + numbers.below(3))) };
		if (kind === 'PEG') return { kind, follows: numbers.from(['OWN', 'OPPOSITE'] as const), ticks: 1 };
		return { kind, profitTicks: 1 + numbers.below(3), stopTicks: 1 + numbers.below(3) };
	}

	async #bet(request: Request, key: RequestKey): Promise<void> {
		const done = await this.insist(request, key);
		if (done?.betId == null) return;
		const known = this.acknowledged.get(key.clientRequestId);
		if (known !== undefined) expect(done.betId, 'a repeated request is another bet').toBe(known);
		this.acknowledged.set(key.clientRequestId, done.betId);
	}

	#key(what: string, walletId: number): RequestKey {
		this.#requests += 1;
		return { walletId, clientRequestId: `${what}-${this.#requests}`, body: String(this.#requests) };
	}

	/** One bet or all of them, or another price for one. */
	async #takeBack(): Promise<void> {
		const { numbers } = this;
		const walletId = numbers.from(PLAYERS);
		const bet = (this.exchange as Exchange).openBets(walletId).find(({ remaining }) => remaining > 0);
		if (!bet) return;
		const { betId } = bet;
		const how = numbers.below(10);
		if (how < 6) await this.insist({ kind: 'cancel-bet', walletId, betId }, this.#key('cancel', walletId));
		else if (how < 7) await this.insist({ kind: 'cancel-all', walletId }, this.#key('cancel', walletId));
		else if (how < 8) {
			const persist = numbers.chance(50);
			await this.insist({ kind: 'update-bet', walletId, betId, persist }, this.#key('update', walletId));
		} else
			await this.#bet(
				{ kind: 'replace-bet', betId, walletId, price: numbers.from(PRICES) },
				this.#key('bet', walletId),
			);
	}

	/** Some ask twice at the same time; some keep a target, too. */
	async #cashOut(): Promise<void> {
		const { numbers } = this;
		const [walletId, marketId] = [numbers.from(PLAYERS), this.#someMarket()];
		// Seldom is as much offered as the hedges take.
		const maker = numbers.from(PLAYERS);
		const offer = (runner: number, side: 0 | 1, price: number) => {
			const bet = { walletId: maker, marketId, runner, side, price, stake: 30_000, persist: true };
			return this.#bet({ kind: 'place-bet', ...bet }, this.#key('bet', maker));
		};
		await Promise.all([0, 1, 2].flatMap((runner) => [offer(runner, 0, 300), offer(runner, 1, 150)]));
		const agreed = { certain: -FUNDS * PLAYERS.length, lines: -(10 ** 12), cancelled: FUNDS * PLAYERS.length };
		const share = numbers.from([1, 0.5]);
		const key = this.#key('cash-out', walletId);
		const press = () => this.insist({ kind: 'cash-out', walletId, marketId, share, agreed }, key);
		const target = numbers.chance(30) ? null : numbers.below(FUNDS);
		if (numbers.chance(50)) await this.insist({ kind: 'set-cash-out-target', walletId, marketId, target });
		const [one, other] = await Promise.all([press(), numbers.chance(50) ? press() : null]);
		if (one && other) expect(other.hedges, 'a repeated cash-out is another one').toEqual(one.hedges);
	}

	/** A runner that was taken out of any market takes part again. */
	async #return(): Promise<void> {
		for (let marketId = this.#market - MARKETS + 1; marketId <= this.#market; marketId++) {
			const [gone] = (this.exchange as Exchange).market(marketId)?.removed ?? [];
			if (gone) await this.insist({ kind: 'return-runner', marketId, runner: gone[0] });
		}
	}

	/** Some of a market's matches are declared not to have been. */
	async #voidMatches(): Promise<void> {
		const marketId = this.#someMarket();
		const standing = await standingMatches(this.#database.db, 'true', [marketId]);
		const matches = standing.slice(0, 1 + this.numbers.below(2));
		if (matches.length > 0) await this.insist({ kind: 'void-matches', marketId, matches });
	}

	/** The oldest market is paid; now and then by a wrong result, which is taken back and paid again. */
	async #end(): Promise<void> {
		const marketId = this.#market - MARKETS + 1;
		const { results } = this.#kinds.get(marketId) as Kind;
		if (this.numbers.chance(40)) {
			await this.insist({ kind: 'settle-market', marketId, results: results.at(-1) ?? [] });
			await this.#reverse(marketId, this.numbers.chance(50) ? null : { results: results[0] ?? [] });
		}
		await this.insist({ kind: 'settle-market', marketId, results: results[0] ?? [] });
		await this.openMarket();
	}

	/**
	 * Takes a settlement back, and pays another result at once if there is one. An answer that was lost is asked for again; a
	 * market that is not settled any more says so.
	 */
	async #reverse(marketId: number, next: { results: readonly RunnerResult[] } | null): Promise<void> {
		for (;;) {
			try {
				const parts = { db: this.#database.db, exchange: this.exchange as Exchange };
				await reverseSettlement(parts, marketId, { next });
				DONE.add(next ? 'resettle-market' : 'reopen-market');
				return;
			} catch (error) {
				if (!(error instanceof Refused)) throw error;
				if (error.code !== 'OVERLOADED' && error.code !== 'STARTING') return;
				await new Promise((resolve) => setImmediate(resolve));
			}
		}
	}
}
