/** A market: its terms, its status, and for each pool its books and positions. */
import type { ChangeWalk } from '#engine/bet-change.ts';
import type { BetFill, PendingBet, RunnerRemoval } from '#engine/bet-detail.ts';
import type { MarketStatus } from '#engine/effect.ts';
import { BLOCK_WORDS, type Kernel } from '#engine/kernel.ts';
import { MARKET_ROW, MARKETS } from '#engine/kernel-layout.ts';
import type { MarketKind } from '#engine/market-kind.ts';
import type { MarketTerms, RunnerResult } from '#engine/market-terms.ts';
import { RoundingAllowance } from '#engine/rounding-allowance.ts';
import { NONE, ROW_KIND } from '#engine/rows.ts';
import type { SettlementReversal } from '#engine/settlement-reversal.ts';
import { SparseMap } from '#engine/sparse-map.ts';
import { Hashed, type Hasher } from '#engine/state-hash.ts';
import type { FigureShape } from '#values/figures.ts';
import type { MarketId, WalletId } from '#values/ids.ts';
import type { AnyMinor } from '#values/money.ts';
import type { TakingMarket } from '#values/order-terms.ts';
import { type Pool, poolCode } from '#values/pools.ts';
import type { AnyPrice, Ladder } from '#values/price-ladder.ts';

/** A market's side in one pool. */
export interface PoolSide {
	pool: Pool;
	/** The pool's. */
	code: number;
	/** The wallet of the house where only its bets rest; null in other markets. */
	house: number | null;
	/** Number of the first runner's book; the others follow. */
	firstBook: number;
	/** Where the kernel keeps the rest of it, counted in eight bytes. */
	wide: number;
}

/** For all markets without a removed or suspended runner: most of them. */
const NO_RUNNER = new SparseMap<never>();
const NO_REMOVAL: RunnerRemoval[] = [];

/** Stands in the digest where a factor would; factors are smaller. */
const RETURNED = 10_000;

/** What the auction found. */
export interface RunnerStartingPrice {
	pool: Pool;
	runner: number;
	/** Hundredths; it need not be of the market's ladder. */
	price: AnyPrice;
	/** Backers' stake that was matched at it, minor units. */
	matched: AnyMinor;
}

/** Where a market's numbers are. */
interface MarketPlace {
	kernel: Kernel;
	/** Its index among the engine's markets. */
	index: number;
	row: number;
}

export class Market extends Hashed {
	// The fields that every bet reads come first: they stand together in memory, and most markets are not in the cache.
	readonly marketId: MarketId;
	#terms: MarketTerms;
	/** The shape of its positions' figures. */
	readonly shape: FigureShape;
	/** The prices it takes. */
	readonly ladder: Ladder;
	#status: MarketStatus = 'OPEN';
	/** Reduction factors of the removed runners in basis points, by runner. */
	removed: SparseMap<number> = NO_RUNNER;
	/** All removals in their order; prices are derived from them. */
	removals: RunnerRemoval[] = NO_REMOVAL;
	/** Suspended runners. */
	suspended: SparseMap<true> = NO_RUNNER;
	/** Those of them that an operator suspended, so that a feed cannot resume them. */
	heldRunners: SparseMap<true> = NO_RUNNER;
	/** The house is the other side of every bet. */
	readonly byHouse: boolean;
	#inPlay = false;
	/** The side of its first pool; most markets have no other. */
	readonly #firstSide: PoolSide;
	#version = 1;
	/** Its index among the engine's markets. */
	index: number;
	/** Its row in the kernel. */
	readonly row: number;
	readonly sides: PoolSide[];
	results: readonly RunnerResult[] | null = null;
	/** How many places are paid, when the result pays fewer than announced; null otherwise. */
	placesPaid: number | null = null;
	/** Fills by bet id, where the market keeps them. */
	readonly fills = new SparseMap<BetFill[]>();
	/** A hedge was voided, or a settlement was reversed: the held money can be below the exposure. */
	mayBeShort = false;
	/** An operator suspended the market, so a feed cannot resume it. */
	heldByOperator = false;
	/** Step of its next posting at a settlement; above 0 only in a market that was settled before. */
	nextStep = 0;
	/** When its settlement by a walk began, milliseconds since 1970; null when it was settled by one command. */
	settlingSinceMs: number | null = null;
	readonly rounding = new RoundingAllowance();
	/** A settlement that is being taken back. */
	reversing: SettlementReversal | null = null;
	/** By pool and runner, of those that have one; null before the auction, and where there is none. */
	#startingPrices: readonly RunnerStartingPrice[] | null = null;
	/** A change of all its bets that is under way. */
	changing: ChangeWalk | null = null;
	/** By wallet id, of wallets that a settlement under way has settled in part: what the decided bets come to. */
	readonly decided = new SparseMap<bigint>();
	/** By bet id. */
	readonly pending = new SparseMap<PendingBet>();
	/** By wallet id: the certain result at which this market is cashed out automatically, minor units. */
	readonly targets = new SparseMap<number>();
	/** Of delayed bets, by bet id: the last bet that was placed before they reached the book. */
	readonly queuedAfter = new SparseMap<number>();
	readonly #kernel: Kernel;

	constructor(marketId: MarketId, { terms, shape, ladder }: MarketKind, { kernel, index, row }: MarketPlace) {
		super();
		this.marketId = marketId;
		this.#terms = terms;
		this.index = index;
		this.row = row;
		this.#kernel = kernel;
		this.shape = shape;
		this.ladder = ladder;
		this.byHouse = terms.model !== 'EXCHANGE';
		this.sides = terms.pools.map((pool, at) => {
			const code = poolCode(pool);
			return {
				pool,
				code,
				house: this.byHouse ? (terms.houses[at] ?? null) : null,
				firstBook: kernel.call.firstBookIn(row, code),
				wide: kernel.call.wideOfSide(row, code),
			};
		});
		this.#firstSide = this.sides[0] as PoolSide;
		this.#updateKernel();
	}

	/** Its side in a pool, by the pool's code; null where the market is not in that pool. */
	sideOf(code: number): PoolSide | null {
		return this.#firstSide.code === code ? this.#firstSide : (this.sides.find((side) => side.code === code) ?? null);
	}
	side(pool: Pool): PoolSide | null {
		return this.sideOf(poolCode(pool));
	}

	get terms(): MarketTerms {
		return this.#terms;
	}
	/** Terms of the same kind of market, with other limits or another delay. */
	set terms(terms: MarketTerms) {
		this.#terms = terms;
		this.#updateKernel();
	}

	get status(): MarketStatus {
		return this.#status;
	}
	set status(status: MarketStatus) {
		this.#status = status;
		this.#updateKernel();
	}

	get inPlay(): boolean {
		return this.#inPlay;
	}
	set inPlay(inPlay: boolean) {
		this.#inPlay = inPlay;
		this.#updateKernel();
	}

	get version(): number {
		return this.#version;
	}
	set version(version: number) {
		this.#version = version;
		this.#updateKernel();
	}

	get startingPrices(): readonly RunnerStartingPrice[] | null {
		return this.#startingPrices;
	}
	set startingPrices(prices: readonly RunnerStartingPrice[] | null) {
		this.#startingPrices = prices;
		this.#updateKernel();
	}
	get taking(): TakingMarket {
		const { byHouse, shape, terms } = this;
		return {
			byHouse,
			crossMatching: terms.crossMatching,
			onLines: shape.line !== null,
			eachWay: shape.eachWay > 0,
		};
	}

	/** Whether the auction of its starting prices is still to come. */
	get awaitsAuction(): boolean {
		return this.terms.startingPrice && !this.#inPlay && this.#startingPrices === null;
	}

	get hasBetsAtStart(): boolean {
		return (this.#kernel.words[this.row * BLOCK_WORDS + MARKET_ROW.atStart] as number) > 0;
	}

	takeOut(runner: number, reductionBp: number): void {
		if (this.removed === NO_RUNNER) this.removed = new SparseMap();
		this.removed.set(runner, reductionBp);
		this.removals = [...this.removals, { runner, reductionBp, returned: false }];
		this.#barInKernel(runner);
	}
	/** Gives a removed runner another factor. */
	correct(runner: number, reductionBp: number): void {
		this.removed.set(runner, reductionBp);
		this.#standingRemovalOf(runner).reductionBp = reductionBp;
	}
	/** False when the runner was not removed. */
	putBack(runner: number): boolean {
		const wasOut = this.removed.delete(runner);
		if (!wasOut) return false;
		Object.assign(this.#standingRemovalOf(runner), { reductionBp: 0, returned: true });
		this.#barInKernel(runner);
		return true;
	}
	/** Takes runners out as a market's record says. */
	restoreRemovals(removals: readonly RunnerRemoval[]): void {
		for (const { runner, reductionBp, returned } of removals) {
			this.takeOut(runner, reductionBp);
			if (returned) this.putBack(runner);
		}
	}

	#standingRemovalOf(runner: number): RunnerRemoval {
		const standing = this.removals.find((removal) => removal.runner === runner && !removal.returned);
		if (!standing) throw new Error(`runner ${runner} of market ${this.marketId} is removed without a record`);
		return standing;
	}

	suspend(runner: number): void {
		if (this.suspended === NO_RUNNER) this.suspended = new SparseMap();
		this.suspended.set(runner, true);
		this.#barInKernel(runner);
	}
	/** Keeps a suspended runner from its feed. */
	hold(runner: number): void {
		if (this.heldRunners === NO_RUNNER) this.heldRunners = new SparseMap();
		this.heldRunners.set(runner, true);
	}
	resume(runner: number): void {
		this.suspended.delete(runner);
		this.heldRunners.delete(runner);
		this.#barInKernel(runner);
	}

	/** Its status as the kernel reads it. */
	#updateKernel(): void {
		const delays = this.inPlay && this.terms.betDelayMs > 0;
		const state =
			(delays ? MARKETS.DELAYS : 0) |
			(this.oneOfAllWins ? MARKETS.ONE_OF_ALL_WINS : 0) |
			(this.awaitsAuction ? MARKETS.AUCTION : 0);
		const status = this.ended ? MARKETS.ENDED : MARKETS[this.#status as 'OPEN' | 'SUSPENDED' | 'BALL_RUNNING'];
		this.#kernel.call.setState(this.row, status, this.#version, state);
	}

	#barInKernel(runner: number): void {
		const bars =
			(this.removed.has(runner) ? MARKETS.REMOVED : 0) | (this.suspended.has(runner) ? MARKETS.RUNNER_SUSPENDED : 0);
		this.#kernel.call.barRunner(this.row, runner, bars);
		this.#updateKernel();
	}

	/** The removed runners; null while there are none. */
	get outOfRace(): SparseMap<number> | null {
		return this.removed.size > 0 ? this.removed : null;
	}

	/**
	 * The same for the bets of a wallet: while runners change wallet by wallet, those of one that no step has reached stand, and
	 * count, as before. Otherwise money would come free that the next step asks again.
	 */
	outOfRaceOf(walletId: WalletId): { has(runner: number): boolean } | null {
		const { changing, removed } = this;
		if (changing?.change.kind !== 'RUNNER') return this.outOfRace;
		const { change, doneWallet, part } = changing;
		if (walletId <= doneWallet || walletId === part?.walletId) return this.outOfRace;
		const { runner, voids } = change;
		return { has: (each) => (each === runner ? !voids : removed.has(each)) };
	}

	/** The most frequent case: a single runner wins, and no runner was removed, or is on its way back. */
	get oneOfAllWins(): boolean {
		const { winners, eachWay } = this.shape;
		const isComplete = this.removed.size === 0 && this.changing?.change.kind !== 'RUNNER';
		return winners === 1 && eachWay === 0 && isComplete;
	}

	/** The terms that its result is settled by. */
	get termsPaid(): MarketTerms {
		return this.placesPaid === null ? this.terms : { ...this.terms, numberOfWinners: this.placesPaid };
	}

	/** Whether the price of each fill is needed later. */
	get keepsFills(): boolean {
		return this.terms.reducible || this.shape.line !== null;
	}

	/** Whether bets can no longer be placed or matched. */
	get ended(): boolean {
		return this.status === 'CLOSED' || this.status === 'SETTLING' || this.paid;
	}
	/** Whether its money was moved to its players. */
	get paid(): boolean {
		return this.status === 'SETTLED' || this.status === 'VOIDED';
	}

	/** Settled markets do not count: they do not change any more, and memory may forget them. */
	describe(hasher: Hasher): boolean {
		if (this.paid) return false;
		hasher.start(5);
		const { terms } = this;
		hasher.add(this.marketId);
		hasher.add(terms.runners);
		hasher.add(terms.numberOfWinners);
		hasher.add(terms.commissionBp);
		hasher.add(terms.minStake);
		hasher.add(terms.maxStake);
		hasher.add(terms.maxProfit);
		hasher.add(terms.maxExposure);
		hasher.add(terms.betDelayMs);
		hasher.add(
			(terms.profitRatioRule ? 1 : 0) +
				(terms.selfMatch === 'ALLOW' ? 2 : 0) +
				(terms.reducible ? 4 : 0) +
				(this.mayBeShort ? 8 : 0) +
				(this.heldByOperator ? 16 : 0),
		);
		hasher.addText(this.status);
		hasher.add(this.inPlay ? 1 : 0);
		hasher.add(this.version);
		hasher.addText(this.results?.join() ?? '');
		for (const { runner, reductionBp, returned } of this.removals) {
			hasher.add(runner);
			hasher.add(returned ? RETURNED : reductionBp);
		}
		if (terms.model !== 'EXCHANGE' || terms.crossMatching) {
			hasher.addText(terms.model);
			for (const house of terms.houses) hasher.add(house);
		}
		if (typeof terms.ladder !== 'string') {
			const { min, max, interval } = terms.ladder;
			for (const bound of [min, max, interval]) hasher.add(bound);
		} else if (terms.ladder !== 'CLASSIC') hasher.addText(terms.ladder);
		if (terms.eachWayDivisor > 0) hasher.add(terms.eachWayDivisor);
		if (this.placesPaid !== null) hasher.add(this.placesPaid);
		if (terms.feedLeaseMs > 0) hasher.add(terms.feedLeaseMs);
		for (const [runner] of this.suspended) hasher.add(runner);
		for (const [runner] of this.heldRunners) hasher.add(runner);
		if (this.nextStep > 0) hasher.add(this.nextStep);
		const { coins } = this.rounding;
		if (coins > 0) hasher.add(coins);
		if (this.settlingSinceMs !== null) hasher.add(this.settlingSinceMs);
		if (this.reversing) describeReversal(this.reversing, hasher);
		if (terms.startingPrice) describeAuction(this.#startingPrices, hasher);
		if (this.changing) describeWalk(this.changing, hasher);
		for (const { pool } of this.sides) hasher.add(poolCode(pool));
		return true;
	}
}

function describeAuction(prices: readonly RunnerStartingPrice[] | null, hasher: Hasher): void {
	hasher.addText(prices ? 'started' : 'to start');
	for (const { pool, runner, price, matched } of prices ?? []) {
		hasher.addText(pool);
		for (const number of [runner, price, matched]) hasher.add(number);
	}
}

function describeReversal({ betsLeft, next, correction, matches }: SettlementReversal, hasher: Hasher): void {
	hasher.add(betsLeft);
	hasher.addText(next ? `${next.results ?? ''} ${next.places ?? ''}` : 'CLOSED');
	hasher.add(correction?.runner ?? -1);
	hasher.add(correction?.reductionBp ?? 0);
	for (const { batch, rowNumber } of matches) {
		hasher.add(batch);
		hasher.add(rowNumber);
	}
}

function describeWalk({ change, nextStatus, doneWallet, part }: ChangeWalk, hasher: Hasher): void {
	hasher.addText(nextStatus);
	hasher.add(doneWallet);
	hasher.add(part?.walletId ?? 0);
	hasher.add(part?.betId ?? 0);
	if (change.kind === 'LAPSE') {
		hasher.addText(change.reason);
		hasher.add(change.unlessPersistent ? 1 : 0);
		return;
	}
	hasher.add(change.runner);
	hasher.add(change.reductionBp);
	hasher.add((change.voids ? 1 : 0) + (change.cuts ? 2 : 0));
}

const { index: INDEX } = MARKET_ROW;

/** Finds a market by its id, or by its row. */
export class MarketIndex {
	readonly #kernel: Kernel;
	/** As their rows say. */
	readonly #list: readonly Market[];

	constructor(kernel: Kernel, list: readonly Market[]) {
		this.#kernel = kernel;
		this.#list = list;
	}

	get(marketId: MarketId): Market | undefined {
		const row = this.#kernel.call.findId(ROW_KIND.MARKET, marketId);
		return row === NONE ? undefined : this.at(row);
	}
	has(marketId: MarketId): boolean {
		return this.get(marketId) !== undefined;
	}
	at(row: number): Market {
		return this.#list[this.#kernel.words[row * BLOCK_WORDS + INDEX] as number] as Market;
	}
}
