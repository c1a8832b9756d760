/** Seeded commands over two markets and two pools: mostly bets close to each other's prices, now and then nonsense. */
import type { BetTerms } from '#engine/bet-detail.ts';
import type { ChangedTerms, Command, PlaceBet } from '#engine/command.ts';
import type { RunnerResult } from '#engine/market-terms.ts';
import { lineResults } from '#engine/market-types/line-result.ts';
import type { Plan } from '#engine/triggers/plan.ts';
import { SELF_MATCH_CHOICES } from '#engine/wallets.ts';
import { linesOf } from '#values/line-range.ts';
import type { Pool } from '#values/pools.ts';
import {
	LIMITED_MARKETS,
	MARKETS,
	MIXED_MARKETS,
	PLAN_MARKETS,
	RACING_MARKETS,
	type RandomMarket,
	START_MARKETS,
	TERMS_MARKETS,
	TRIGGER_MARKETS,
} from './random-markets.ts';

/** A small seeded generator of 32-bit numbers (xorshift); a test that fails names its seed. */
export class SeededNumbers {
	#state: number;
	constructor(seed: number) {
		this.#state = Math.imul(seed + 1, 0x9e3779b1) | 1;
		for (let round = 0; round < 8; round++) this.below(2);
	}
	/** 0 … bound − 1. */
	below(bound: number): number {
		let x = this.#state;
		x ^= x << 13;
		x ^= x >>> 17;
		x ^= x << 5;
		this.#state = x;
		return (x >>> 0) % bound;
	}
	/** True in `percent` of 100. */
	chance(percent: number): boolean {
		return this.below(100) < percent;
	}
	from<T>(list: readonly T[]): T {
		return list[this.below(list.length)] as T;
	}
}

export const PLAYERS: readonly { walletId: number; pool: Pool; commissionBp?: number }[] = [
	{ walletId: 11, pool: 'PLAY' },
	{ walletId: 12, pool: 'PLAY', commissionBp: 200 },
	{ walletId: 13, pool: 'PLAY', commissionBp: 0 },
	{ walletId: 14, pool: 'PLAY' },
	{ walletId: 21, pool: 'DEMO' },
	{ walletId: 22, pool: 'DEMO' },
];
/** Prices close together, so that most bets meet one; the first and the last of the ladder, and some that are not on it. */
const PRICES = [101, 102, 150, 196, 198, 200, 202, 204, 206, 210, 305, 310, 1000, 100_000];
/** Fewer, so that reductions bring some of them to the same. */
const RACING_PRICES = [101, 102, 150, 198, 200, 202, 305];
/** Neighbours, so that most bets meet one of few players. */
const CLOSE_PRICES = [198, 200, 202];
/** Ticks that follow each other, at which plans close what they opened. */
const PLAN_PRICES = [196, 197, 198, 199, 200, 202, 204, 206];
const OFF_LADDER = [0, 100, 201, 202.5, 303, 100_001, -200];
/** Basis points, on both sides of where they begin to count. */
const REDUCTIONS = [0, 100, 249, 250, 399, 400, 1620, 2500, 6000, 9900, 10_000];
const WRONG_STAKES = [0, -100, 0.5, 9, 1_000_001, Number.NaN];

export class RandomCommands {
	readonly #numbers: SeededNumbers;
	readonly #markets: readonly RandomMarket[];
	#lastBetId = 0;
	#atMs = 0;
	/** The race that most is bet on, so that there is something to reduce when it loses a runner. */
	#favourite = 0;
	/** What follows at once, as on a server. */
	readonly #endOfBatch: (() => Command)[] = [];
	/** By market: the runner that was told to be out last. */
	readonly #lastOut = new Map<number, number>();

	constructor(seed: number, markets: readonly RandomMarket[] = MARKETS) {
		this.#numbers = new SeededNumbers(seed);
		this.#markets = markets;
	}

	/** The wider markets come with the wider choice of orders. */
	get #isWide(): boolean {
		return this.#markets !== MARKETS;
	}
	/** Time passes, delays end, and runners go. */
	get #isRacing(): boolean {
		return (
			this.#markets === RACING_MARKETS || this.#isLimited || this.#hasTerms || this.#hasTriggers || this.#hasStarts
		);
	}
	/** Every kind of order meets every other. */
	get #isMixed(): boolean {
		return this.#markets === MIXED_MARKETS;
	}
	get #hasTerms(): boolean {
		return this.#markets === TERMS_MARKETS || this.#isMixed;
	}
	get #hasTriggers(): boolean {
		return this.#markets === TRIGGER_MARKETS || this.#hasPlans;
	}
	get #hasPlans(): boolean {
		return this.#markets === PLAN_MARKETS || this.#isMixed;
	}
	get #hasStarts(): boolean {
		return this.#markets === START_MARKETS || this.#isMixed;
	}
	get #isLimited(): boolean {
		return this.#markets === LIMITED_MARKETS;
	}

	/** Wallets, coins and markets; some players are rich, some can hardly bet. */
	opening(): Command[] {
		const numbers = this.#numbers;
		this.#favourite = numbers.from(this.#markets).marketId;
		const wallets = PLAYERS.flatMap(({ walletId, pool, commissionBp }): Command[] => {
			const rate = commissionBp === undefined ? {} : { commissionBp };
			const amount = numbers.from([500, 5000, 50_000, 5_000_000]) + numbers.below(100);
			return [
				{ kind: 'open-wallet', atMs: 0, walletId, pool, ...rate },
				{ kind: 'grant-coins', atMs: 0, grantId: walletId, walletId, amount },
			];
		});
		const markets = this.#markets.map(
			({ marketId, runners, winners, eachWay, lines, pools, terms }): Command => ({
				kind: 'open-market',
				atMs: 0,
				marketId,
				pools,
				runners,
				numberOfWinners: winners,
				...(lines === undefined ? {} : { ladder: lines }),
				...(eachWay === undefined ? {} : { eachWayDivisor: eachWay }),
				commissionBp: numbers.from([0, 200, 500, 333]),
				minStake: 10,
				maxStake: 1_000_000,
				profitRatioRule: false,
				selfMatch: numbers.chance(50) ? 'ALLOW' : 'REFUSE',
				suspended: false,
				...terms,
			}),
		);
		// Where bets may wait out a delay most do from the start.
		const inPlay = this.#markets.flatMap(({ marketId, terms }): Command[] =>
			terms?.betDelayMs && numbers.chance(60) ? [{ kind: 'turn-in-play', atMs: 0, marketId }] : [],
		);
		const choices = this.#hasTerms ? PLAYERS.map(({ walletId }) => this.#selfMatch(walletId)) : [];
		const groups = this.#hasTerms ? PLAYERS.flatMap(({ walletId }) => this.#groupsOf(walletId)) : [];
		return [...wallets, ...markets, ...inPlay, ...choices, ...groups];
	}

	#groupsOf(walletId: number): Command[] {
		const open = { kind: 'set-order-group', atMs: 0, walletId } as const;
		return [{ ...open, name: 'a', most: 50 }, ...(walletId % 2 === 0 ? [{ ...open, name: 'b', most: 1500 }] : [])];
	}

	next(): Command {
		const now = this.#endOfBatch.shift();
		if (now) return now();
		const command = this.#some();
		if (this.#hasPlans && this.#numbers.chance(60))
			this.#endOfBatch.push(
				() => this.#look(),
				() => this.#fire(),
			);
		return command;
	}

	#some(): Command {
		const kind = this.#numbers.below(100);
		if (this.#isLimited && this.#numbers.chance(3)) return this.#limits();
		if (this.#isRacing) return this.#nextOfRaces(kind);
		if (kind < 74) return this.#isWide && kind < 12 ? this.#replace() : this.#place();
		if (kind < 90) return this.#cancel();
		return this.#market();
	}

	/** Mostly bets, so that there is something matched when a runner goes and when a race ends. */
	#nextOfRaces(kind: number): Command {
		this.#atMs += this.#numbers.below(1500);
		const isOfTriggers = this.#hasTriggers && (!this.#isMixed || this.#numbers.chance(60));
		if (this.#hasTerms && !isOfTriggers && kind >= 66) return this.#nextOfTerms(kind);
		if (isOfTriggers && kind >= 50) return this.#nextOfTriggers(kind);
		if (this.#hasStarts && kind < 12 && (!this.#isMixed || this.#numbers.chance(40))) return this.#nextOfStarts(kind);
		if (kind < 15) return this.#admit();
		// Plans take several batches, so their markets stand longer.
		if (this.#hasPlans && kind < 26 && this.#numbers.chance(75)) return this.#place();
		if (kind < 22) return this.#runner(this.#someMarket());
		if (kind < 26) return this.#market();
		if (kind < 31) return this.#cancel();
		return kind < 34 ? this.#replace() : this.#place();
	}

	#selfMatch(walletId = this.#numbers.chance(5) ? 99 : this.#somePlayer()): Command {
		const numbers = this.#numbers;
		return { kind: 'set-self-match', atMs: this.#atMs, walletId, choice: numbers.from(SELF_MATCH_CHOICES) };
	}

	#selfMatchOrGroup(): Command {
		const choice = this.#selfMatch() as Command & { kind: 'set-self-match' };
		const { walletId, atMs } = choice;
		if (this.#lastBetId % 2 === 0) return choice;
		const most = this.#lastBetId % 9 === 0 ? 0.5 : 200 * (1 + (this.#lastBetId % 7));
		return { kind: 'set-order-group', atMs, walletId, name: 'ab'[this.#lastBetId % 2] ?? 'a', most };
	}

	/** In place of a third of the bets. */
	#nextOfTerms(kind: number): Command {
		if (kind === 66) return this.#selfMatchOrGroup();
		if (kind < 69) return { kind: 'expire-bets', atMs: this.#atMs };
		if (kind < 72) return { kind: 'look-at-triggers', atMs: this.#atMs, withoutBest: [] };
		if (kind < 84) return this.#place();
		return kind < 94 ? this.#admit() : this.#replace();
	}

	/** In place of two thirds of the bets. A look and the placing of bets come as often as batches would end. */
	#nextOfTriggers(kind: number): Command {
		const numbers = this.#numbers;
		const atMs = this.#atMs;
		if (kind < 66) return this.#placeTrigger();
		if (kind < 69) {
			const triggerId = Math.max(1, this.#lastBetId - numbers.below(20));
			const walletId = numbers.chance(70) ? { walletId: this.#somePlayer() } : {};
			return { kind: 'cancel-trigger', atMs, triggerId, ...walletId };
		}
		if (kind < 77) return this.#look();
		return kind < 84 ? this.#fire() : this.#place();
	}

	#look(): Command {
		const numbers = this.#numbers;
		const some = this.#markets.filter(() => numbers.chance(20)).map(({ marketId }) => marketId);
		return { kind: 'look-at-triggers', atMs: this.#atMs, withoutBest: numbers.chance(10) ? 'ALL' : some };
	}

	#fire(): Command {
		const betId = this.#lastBetId + 1;
		this.#lastBetId += 10;
		return { kind: 'fire-triggers', atMs: this.#atMs, betId: this.#numbers.chance(3) ? betId - 1 : betId };
	}

	/** Races start, and bets change their minds before. */
	#nextOfStarts(kind: number): Command {
		const numbers = this.#numbers;
		if (kind < 5) return { kind: 'turn-in-play', atMs: this.#atMs, marketId: this.#someMarket() };
		const betId = Math.max(1, this.#lastBetId - numbers.below(10));
		const persist = numbers.chance(15);
		return {
			kind: 'update-bet',
			atMs: this.#atMs,
			betId,
			walletId: this.#somePlayer(),
			persist,
			takesStart: !persist && numbers.chance(80),
		};
	}

	/** On close at any price or up to a limit; or in the book until the start. */
	#startTerms(): Partial<PlaceBet> {
		const numbers = this.#numbers;
		if (numbers.chance(35)) return {};
		if (numbers.chance(35)) return { takesStart: true, persist: numbers.chance(4) };
		const limit = numbers.chance(50)
			? null
			: numbers.chance(4)
				? numbers.from(OFF_LADDER)
				: numbers.from(RACING_PRICES);
		const selfMatch = numbers.chance(3)
			? { terms: { postOnly: null, expiresAtMs: null, selfMatch: 'REFUSE' as const } }
			: {};
		return { onClose: { limit }, price: numbers.chance(3) ? 202 : 200, persist: false, ...selfMatch };
	}

	#placeTrigger(): Command {
		const numbers = this.#numbers;
		const { marketId, runner, side, price, stake, persist, walletId } = this.#place() as Command & {
			kind: 'place-bet';
		};
		const isTrailing = numbers.chance(40);
		const plan = this.#hasPlans && numbers.chance(85) ? this.#plan(stake) : null;
		const own = plan === null || numbers.chance(2) ? {} : { watches: 'NONE' as const, at: null, trail: null };
		return {
			kind: 'place-trigger',
			atMs: this.#atMs,
			triggerId: numbers.chance(3) ? this.#lastBetId - 1 : this.#lastBetId,
			walletId,
			marketId,
			runner,
			side,
			price,
			stake,
			persist,
			watches: numbers.from(['LAST_TRADED', 'BEST'] as const),
			moves: numbers.from(['RISES', 'FALLS'] as const),
			at: isTrailing && numbers.chance(95) ? null : this.#price(marketId),
			trail: isTrailing ? numbers.from([1, 1, 2, 3, 0]) : null,
			marketVersion: numbers.chance(15) ? 1 + numbers.below(3) : null,
			...own,
			...(plan === null ? {} : { plan }),
		};
	}

	/** Few ticks, so that what others match reaches them; and now and then what is no plan. */
	#plan(stake: number): Plan {
		const numbers = this.#numbers;
		const ticks = () => (numbers.chance(4) ? numbers.from([0, 0.5, 2000]) : 1 + numbers.below(3));
		const kind = numbers.below(3);
		if (kind === 0) {
			const parts = 1 + numbers.below(6);
			return { kind: 'ICEBERG', visible: numbers.chance(5) ? stake / 2 : Math.max(10, Math.ceil(stake / parts)) };
		}
		if (kind === 1)
			return {
				kind: 'PEG',
				follows: numbers.from(['OWN', 'OWN', 'OPPOSITE'] as const),
				ticks: numbers.from([0, 0, ticks()]),
			};
		return { kind: 'BRACKET', profitTicks: ticks(), stopTicks: ticks() };
	}

	/** Few have limits of their own, and lose them again. */
	#limits(): Command {
		const numbers = this.#numbers;
		const limit = (amounts: readonly number[]) => (numbers.chance(40) ? numbers.from(amounts) : 0);
		const limits = {
			maxStake: limit([500, 2000]),
			maxProfit: limit([1000, 5000]),
			maxExposure: limit([2000, 8000]),
		};
		const walletId = numbers.chance(5) ? 99 : numbers.from(PLAYERS).walletId;
		return { kind: 'set-limits', atMs: this.#atMs, walletId, limits };
	}

	/** What ends every market. */
	ending(): Command[] {
		const tries = this.#isRacing ? [1, 2, 3, 4] : [1];
		return tries.flatMap(() => this.#markets.map(({ marketId }) => this.#end(marketId)));
	}

	#place(): Command {
		const numbers = this.#numbers;
		const marketId = numbers.chance(1) ? 99 : this.#someMarket();
		const stake = numbers.chance(3) ? numbers.from(WRONG_STAKES) : 10 + numbers.below(numbers.from([50, 700, 9000]));
		const again = this.#lastBetId > 0 && numbers.chance(2);
		const isOfStart = this.#hasStarts && (!this.#isMixed || numbers.chance(30));
		return {
			kind: 'place-bet',
			atMs: this.#atMs,
			betId: again ? this.#lastBetId : ++this.#lastBetId,
			walletId: numbers.chance(1) ? 99 : this.#somePlayer(),
			marketId,
			runner: numbers.chance(1) ? 7 : this.#someRunner(marketId),
			side: numbers.chance(50) ? 0 : 1,
			price: this.#price(marketId),
			stake,
			persist: numbers.chance(this.#isRacing ? 70 : 40),
			...(this.#isWide && !this.#isMixed ? this.#wideTerms(stake) : {}),
			...(this.#hasTerms && !isOfStart ? this.#someTerms(stake) : {}),
			...(isOfStart ? this.#startTerms() : {}),
		};
	}

	#someTerms(stake: number): { terms?: BetTerms; fillOrKill?: boolean; minFill?: number } {
		const numbers = this.#numbers;
		if (numbers.chance(50)) return { terms: this.#terms(stake) };
		return numbers.chance(20) ? { fillOrKill: true, minFill: 1 + numbers.below(Math.max(1, stake)) } : {};
	}

	/** Short times, so that some end within a delay, and some that have passed; and volumes that a few matches reach. */
	#terms(stake: number): BetTerms {
		const numbers = this.#numbers;
		const postOnly = numbers.from([null, 'REFUSE', 'REPRICE', 'REPRICE'] as const);
		const isGoodTill = numbers.chance(postOnly === null ? 60 : 30);
		const selfMatch = numbers.chance(30) ? numbers.from(SELF_MATCH_CHOICES) : null;
		const untilMatched = stake % 3 === 0 ? { untilMatched: (stake * 7) % 997 } : {};
		const expiresAtMs = isGoodTill ? this.#atMs - 500 + numbers.below(8000) : null;
		const group = stake % 2 === 0 ? { group: stake % 4 === 0 ? 'a' : 'b' } : {};
		return { postOnly, expiresAtMs, selfMatch, ...untilMatched, ...group };
	}

	#price(marketId: number): number {
		const numbers = this.#numbers;
		const lines = this.#markets.find((market) => market.marketId === marketId)?.lines;
		if (numbers.chance(3)) return numbers.from(OFF_LADDER);
		if (lines) return numbers.from(linesOf(lines));
		if (this.#hasPlans && numbers.chance(90)) return numbers.from(PLAN_PRICES);
		if ((this.#hasTerms || this.#hasTriggers) && numbers.chance(70)) return numbers.from(CLOSE_PRICES);
		return numbers.from(this.#isRacing ? RACING_PRICES : PRICES);
	}

	/** Most races are run in one pool. */
	#somePlayer(): number {
		const numbers = this.#numbers;
		const most = this.#hasTerms ? 3 : 4;
		return numbers.from(this.#isRacing && numbers.chance(90) ? PLAYERS.slice(0, most) : PLAYERS).walletId;
	}

	/** Two of the runners have most of the bets. */
	#someRunner(marketId: number): number {
		const numbers = this.#numbers;
		const runners = this.#runnersOf(marketId);
		return numbers.below(this.#isRacing && numbers.chance(60) ? Math.min(2, runners) : runners);
	}

	#someMarket(): number {
		const numbers = this.#numbers;
		if (this.#isRacing && numbers.chance(75)) return this.#favourite;
		return this.#isWide ? numbers.from(this.#markets).marketId : numbers.from([1, 1, 2]);
	}

	#runnersOf(marketId: number): number {
		return this.#markets.find((market) => market.marketId === marketId)?.runners ?? 3;
	}

	#wideTerms(stake: number): { fillOrKill?: boolean; minFill?: number; marketVersion?: number } {
		const numbers = this.#numbers;
		const marketVersion = numbers.chance(10) ? { marketVersion: 1 + numbers.below(4) } : {};
		if (!numbers.chance(25)) return marketVersion;
		const minFill = numbers.chance(60) ? { minFill: numbers.chance(10) ? stake + 1 : 1 + numbers.below(stake) } : {};
		return { ...marketVersion, fillOrKill: true, ...minFill };
	}

	/** Those that one step names, some of other players and some unknown; mostly none, for all of them. */
	#someBets(): { bets?: number[] } {
		const numbers = this.#numbers;
		if (!numbers.chance(25)) return {};
		const count = numbers.below(6);
		return { bets: Array.from({ length: count }, () => 1 + numbers.below(this.#lastBetId + 2)) };
	}

	#replace(): Command {
		const numbers = this.#numbers;
		if (numbers.chance(20)) {
			if (numbers.chance(20)) {
				return { kind: 'lapse-all', atMs: this.#atMs, walletId: numbers.from(PLAYERS).walletId, ...this.#someBets() };
			}
			const only = numbers.chance(60) ? { marketId: numbers.chance(5) ? 99 : this.#someMarket() } : {};
			return {
				kind: 'cancel-all',
				atMs: this.#atMs,
				walletId: numbers.from(PLAYERS).walletId,
				...only,
				...this.#someBets(),
			};
		}
		if (numbers.chance(30)) {
			const betId = 1 + numbers.below(this.#lastBetId + 2);
			const { walletId } = numbers.from(PLAYERS);
			return { kind: 'update-bet', atMs: this.#atMs, betId, walletId, persist: numbers.chance(50) };
		}
		return {
			kind: 'replace-bet',
			atMs: this.#atMs,
			betId: 1 + numbers.below(this.#lastBetId + 2),
			newBetId: ++this.#lastBetId,
			walletId: numbers.from(PLAYERS).walletId,
			// Whose market it is in is not known here: mostly odds, at times a line.
			price: this.#price(this.#someMarket()),
		};
	}

	/** The delay of one of the latest bets may be over. */
	#admit(): Command {
		// Ids that were kept for bets of triggers lie between.
		const betId = Math.max(1, this.#lastBetId - this.#numbers.below(this.#isMixed ? 25 : 8));
		return { kind: 'admit-bet', atMs: this.#atMs, betId };
	}

	#cancel(): Command {
		const numbers = this.#numbers;
		const size = numbers.chance(40) ? { size: numbers.below(300) } : {};
		const walletId = numbers.chance(70) ? { walletId: numbers.from(PLAYERS).walletId } : {};
		return {
			kind: 'cancel-bet',
			atMs: this.#atMs,
			betId: 1 + numbers.below(this.#lastBetId + 3),
			...walletId,
			...size,
		};
	}

	#market(): Command {
		const numbers = this.#numbers;
		const marketId = this.#isWide ? this.#someMarket() : numbers.from([1, 2]);
		const kind = numbers.below(100);
		if (kind < 20) {
			return { kind: 'suspend-market', atMs: this.#atMs, marketId, lapseUnmatched: numbers.chance(30) };
		}
		if (kind < 35)
			return { kind: 'suspend-market', atMs: this.#atMs, marketId, lapseUnmatched: false, ballRunning: true };
		if (kind < 39) return { kind: 'change-terms', atMs: this.#atMs, marketId, terms: this.#changedTerms() };
		// One that was decided on an older version is refused.
		const seen = numbers.chance(20) ? { seenVersion: 1 + numbers.below(3) } : {};
		if (kind < 78) return { kind: 'resume-market', atMs: this.#atMs, marketId, ...seen };
		if (kind < 80) return { kind: 'release-market', atMs: this.#atMs, marketId, seenVersion: 1 + numbers.below(3) };
		if (kind < 92) return { kind: 'turn-in-play', atMs: this.#atMs, marketId };
		if (kind < 95) return { kind: 'close-market', atMs: this.#atMs, marketId };
		return this.#end(marketId);
	}

	/** Another delay, or limits that may contradict each other. */
	#changedTerms(): ChangedTerms {
		const numbers = this.#numbers;
		const [minStake, maxStake] = [numbers.from([100, 1_000, 20_000]), numbers.from([10_000, 1_000_000])];
		const choices = [
			{ betDelayMs: numbers.from([0, 1_000, 5_000]) },
			{ minStake, maxStake },
			{ maxProfit: maxStake },
			{ maxExposure: maxStake },
		];
		return numbers.from<ChangedTerms>(choices);
	}

	/** One of its runners is taken out, or takes part after all, or is suspended by itself. */
	#runner(marketId: number): Command {
		const numbers = this.#numbers;
		const runner = numbers.chance(3) ? 7 : numbers.below(this.#runnersOf(marketId));
		const kind = numbers.below(100);
		const about = { atMs: this.#atMs, marketId, runner };
		const { terms } = this.#markets.find((market) => market.marketId === marketId) ?? {};
		const reductionBp = terms?.reducible || numbers.chance(30) ? numbers.from(REDUCTIONS) : 0;
		if (kind < 35) {
			this.#lastOut.set(marketId, runner);
			return { kind: 'remove-runner', ...about, reductionBp };
		}
		// Mostly one that is out.
		const out = { ...about, runner: numbers.chance(70) ? (this.#lastOut.get(marketId) ?? runner) : runner };
		if (kind < 50) return { kind: 'correct-reduction', ...out, reductionBp };
		if (kind < 60) return { kind: 'return-runner', ...out };
		const byFeed = numbers.chance(40) ? { byFeed: true as const } : {};
		if (kind < 72) return { kind: 'suspend-runner', ...about, ...byFeed };
		const seen = numbers.chance(20) ? { seenVersion: 1 + numbers.below(3) } : {};
		return { kind: 'resume-runner', ...about, ...byFeed, ...seen };
	}

	#end(marketId: number): Command {
		const numbers = this.#numbers;
		if (numbers.chance(15)) return { kind: 'void-market', atMs: this.#atMs, marketId };
		const { winners = 1 } = this.#markets.find((market) => market.marketId === marketId) ?? {};
		// A place market may pay fewer places than it announced; one more is none of its results.
		const places = this.#isRacing && winners > 1 && numbers.chance(30) ? numbers.below(winners + 2) : winners;
		const results = this.#results(marketId, places);
		const paid = places === winners ? {} : { places };
		return { kind: 'settle-market', atMs: this.#atMs, marketId, results, ...paid };
	}

	#results(marketId: number, winners: number): RunnerResult[] {
		const numbers = this.#numbers;
		const runners = this.#runnersOf(marketId);
		const { eachWay, lines } = this.#markets.find((market) => market.marketId === marketId) ?? {};
		if (lines) return lineResults(lines, numbers.below(7));
		if (this.#isRacing && winners > 0 && numbers.chance(70))
			return this.#deadHeat(runners, winners, eachWay !== undefined);
		const won = new Set<number>();
		if (winners === 0) for (let runner = 0; runner < runners; runner++) if (numbers.chance(50)) won.add(runner);
		// A number reaches the first lines, or none, or all.
		const reached = winners === -1 ? numbers.below(runners + 1) : 0;
		for (let line = 0; line < reached; line++) won.add(line);
		while (won.size < winners) won.add(numbers.below(runners));
		const [first] = won;
		return Array.from({ length: runners }, (_, runner) => {
			if (!won.has(runner)) return 'LOSE';
			return eachWay === undefined || runner === first ? 'WIN' : 'PLACED';
		});
	}

	/** In any order of the runners: ties for the win or the last place, now and then one that is void or a result that is none. */
	#deadHeat(runners: number, winners: number, isEachWay: boolean): RunnerResult[] {
		const numbers = this.#numbers;
		const [first, tied] = [numbers.below(winners + 2), numbers.from([0, 0, 2, 3])];
		const behind = isEachWay && tied === 0 ? Math.max(0, winners - first) : 0;
		const said: RunnerResult[] = [
			...Array<RunnerResult>(first).fill('WIN'),
			...Array<RunnerResult>(behind).fill('PLACED'),
			...Array<RunnerResult>(tied).fill('TIE'),
		];
		const results = Array.from({ length: runners }, (_, at) => said[at] ?? (numbers.chance(20) ? 'VOID' : 'LOSE'));
		for (let at = runners - 1; at > 0; at--) {
			const other = numbers.below(at + 1);
			[results[at], results[other]] = [results[other] as RunnerResult, results[at] as RunnerResult];
		}
		return results;
	}
}
