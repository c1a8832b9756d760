/** A market: its terms, how it stands, and per pool where its books and positions are. */
import type { MarketStatus } from '#engine/effect.ts';
import { isQuick } from '#engine/id-index.ts';
import type { MarketKind } from '#engine/market-kind.ts';
import { SparseMap } from '#engine/sparse-map.ts';
import { Hashed, type Hasher } from '#engine/state-hash.ts';
import type { FigureShape } from '#values/exposure.ts';
import { type Pool, poolCode } from '#values/pools.ts';
import type { Ladder, LadderTerms } from '#values/price-ladder.ts';

/**
 * PLACED: of an each-way market, behind the winner. TIE: the runner shares what places are left with the others that tie. A half is a quarter of a goal's: one half of the
 * stake wins or loses, the other half is void.
 */
export type RunnerResult = 'WIN' | 'PLACED' | 'LOSE' | 'VOID' | 'TIE' | 'HALF_WIN' | 'HALF_LOSE';

/** EXCHANGE: players bet against each other. In the others the house is the other side of every bet. */
export type BettingModel = 'EXCHANGE' | 'BOOKMAKER' | 'FANCY';

/** What a market holds for one pool. */
export interface PoolSide {
	pool: Pool;
	/** The pool's. */
	code: number;
	/** Where only the house's bets wait: the id of its wallet; null where everybody's do. */
	house: number | null;
	/** Number of the first runner's book; the others follow. */
	firstBook: number;
}

export interface MarketTerms {
	pools: readonly Pool[];
	runners: number;
	/** 0 when any number may win, -1 when the runners are rising lines, -2 when the prices are lines. */
	numberOfWinners: number;
	/** An each-way market pays so many places, at the odds less one divided by this; 0 in others. */
	eachWayDivisor: number;
	model: BettingModel;
	/** A range of lines makes them the prices; the market then has one runner. */
	ladder: LadderTerms;
	/** By pool, the wallet of the house: in BOOKMAKER and FANCY markets its bets alone wait to be taken. */
	houses: readonly number[];
	commissionBp: number;
	minStake: number;
	maxStake: number;
	/** Largest profit of one bet and largest exposure of one player, paise; 0 sets no limit. */
	maxProfit: number;
	maxExposure: number;
	profitRatioRule: boolean;
	selfMatch: 'REFUSE' | 'ALLOW';
	/** Bets are filled by those on all the other runners together, too; the house, whose wallets it names, stands between. */
	crossMatching: boolean;
	/** How long a bet waits in-play before it reaches the book. */
	betDelayMs: number;
	/** A bet that meets nothing does not wait: it goes straight in to rest. */
	passiveGoesIn: boolean;
	/** Runners may be taken out and the prices of the others reduced, so every fill is remembered by its price. */
	reducible: boolean;
	/** Reductions below this many basis points change no matched price. */
	minReductionBp: number;
	/** From this many on unmatched lays of the others lapse or are cut. */
	lapseReductionBp: number;
	/** The server suspends the market when its feed shows no life for so long; 0 in markets without a feed. */
	feedLeaseMs: number;
}

/** A bet that waits for its delay to end. */
export interface PendingBet {
	dueAtMs: number;
	/** The market's when the bet was accepted; the bet lapses when it has risen since. */
	version: number;
	/** Of a fill-or-kill bet; 0 for others. */
	minFill: number;
	/** Of a hedge. */
	cashOut?: CashOutInFlight;
}

/** Hedges of one cash-out that wait out a delay: all of them are matched, or none is. */
export interface CashOutInFlight {
	/** Id of the first, and how many there are. */
	first: number;
	hedges: number;
	/** Σ stake × price that was planned for this one: of a back at least, of a lay at most. */
	value: number;
	/** The target that placed them; it is back if they lapse. */
	target: number | null;
}

/** A fill of a bet in a reducible market. */
export interface BetFill {
	stake: number;
	price: number;
}

/** For all markets that no runner was taken out of, or suspended in: the most. */
const NO_RUNNER = new SparseMap<never>();

export class Market extends Hashed {
	// What every bet asks for comes first: it then stands together in memory, and most markets are not in the cache.
	readonly marketId: number;
	readonly terms: MarketTerms;
	/** Of its positions' figures. */
	readonly shape: FigureShape;
	/** The prices it takes. */
	readonly ladder: Ladder;
	#status: MarketStatus = 'OPEN';
	/** Reduction factors in basis points of the runners taken out, by runner. */
	removed: SparseMap<number> = NO_RUNNER;
	/** Runners that nobody can bet on for now. */
	suspended: SparseMap<true> = NO_RUNNER;
	/** The house is the other side of every bet. */
	readonly byHouse: boolean;
	/** One of several runners wins, and players bet against each other on that runner alone. */
	readonly #isPlain: boolean;
	#inPlay = false;
	/** The side of its first pool; most have no other. */
	readonly #firstSide: PoolSide;
	version = 1;
	/** Its place among the engine's markets. */
	index: number;
	/** What the kernel knows of it. */
	readonly row: number;
	readonly sides: PoolSide[];
	results: readonly RunnerResult[] | null = null;
	/** Fewer places than it announced, where its result pays so; null otherwise. */
	placesPaid: number | null = null;
	/** Fills by bet id, where the market keeps them. */
	readonly fills = new SparseMap<BetFill[]>();
	/** A hedge was voided, or paid money is gone again: less can be held than the exposure asks. */
	mayBeShort = false;
	/** An operator suspended the market, so a feed cannot resume it. */
	heldByOperator = false;
	/** Number of its next posting at a settlement; only a market that was paid before starts above 0. */
	nextStep = 0;
	/** By bet id. */
	readonly pending = new SparseMap<PendingBet>();
	/** By wallet id: what a player wants for certain before this market is cashed out automatically, paise. */
	readonly targets = new SparseMap<number>();
	/** Of bets that waited out a delay, by bet id: the last bet that was placed before they reached the book. */
	readonly queuedAfter = new SparseMap<number>();
	readonly #onState: (takesBets: boolean, oneOfAllWins: boolean) => void;

	constructor(
		marketId: number,
		{ terms, shape, ladder }: MarketKind,
		index: number,
		row: number,
		onState: (takesBets: boolean, oneOfAllWins: boolean) => void,
		firstBooks: readonly number[],
	) {
		super();
		this.marketId = marketId;
		this.terms = terms;
		this.index = index;
		this.row = row;
		this.#onState = onState;
		this.shape = shape;
		this.ladder = ladder;
		this.byHouse = terms.model !== 'EXCHANGE';
		const oneOfSeveral = shape.winners === 1 && shape.eachWay === 0 && shape.runners > 1;
		this.#isPlain = oneOfSeveral && !this.byHouse && !terms.crossMatching && terms.ladder === 'CLASSIC';
		this.sides = terms.pools.map((pool, at) => ({
			pool,
			code: poolCode(pool),
			house: this.byHouse ? (terms.houses[at] ?? null) : null,
			firstBook: firstBooks[at] as number,
		}));
		this.#firstSide = this.sides[0] as PoolSide;
		this.#updateKernel();
	}

	/** Its side of a pool, given by the pool's code; null where it is not in that pool. */
	sideOf(code: number): PoolSide | null {
		return this.#firstSide.code === code ? this.#firstSide : (this.sides.find((side) => side.code === code) ?? null);
	}
	side(pool: Pool): PoolSide | null {
		return this.sideOf(poolCode(pool));
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

	takeOut(runner: number, reductionBp: number): void {
		if (this.removed === NO_RUNNER) this.removed = new SparseMap();
		this.removed.set(runner, reductionBp);
		this.#updateKernel();
	}
	/** False when the runner was not taken out. */
	putBack(runner: number): boolean {
		const wasOut = this.removed.delete(runner);
		this.#updateKernel();
		return wasOut;
	}

	suspend(runner: number): void {
		if (this.suspended === NO_RUNNER) this.suspended = new SparseMap();
		this.suspended.set(runner, true);
		this.#updateKernel();
	}
	resume(runner: number): void {
		this.suspended.delete(runner);
		this.#updateKernel();
	}

	/** What the kernel has to know of how it stands: see src/kernel/markets.ts. */
	#updateKernel(): void {
		const delays = this.inPlay && this.terms.betDelayMs > 0;
		const allRun = this.removed.size === 0 && this.suspended.size === 0;
		this.#onState(this.#isPlain && this.status === 'OPEN' && allRun && !delays, this.oneOfAllWins);
	}

	/** The runners taken out, or null while there are none. */
	get outOfRace(): SparseMap<number> | null {
		return this.removed.size > 0 ? this.removed : null;
	}

	/** The commonest: a single runner wins, and each of those there were still can. */
	get oneOfAllWins(): boolean {
		const { winners, eachWay } = this.shape;
		return winners === 1 && eachWay === 0 && this.removed.size === 0;
	}

	/** The terms its result is paid by. */
	get termsPaid(): MarketTerms {
		return this.placesPaid === null ? this.terms : { ...this.terms, numberOfWinners: this.placesPaid };
	}

	/** What a bet's fills were matched at is needed again, one by one. */
	get keepsFills(): boolean {
		return this.terms.reducible || this.shape.line !== null;
	}

	/** No bet can be placed any more and none is matched. */
	get ended(): boolean {
		return this.status === 'CLOSED' || this.status === 'SETTLED' || this.status === 'VOIDED';
	}
	/** Its money is paid. */
	get paid(): boolean {
		return this.status === 'SETTLED' || this.status === 'VOIDED';
	}

	/** One that is paid does not count: nothing happens to it any more, and memory may forget it. */
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
		for (const [runner, factor] of this.removed) {
			hasher.add(runner);
			hasher.add(factor);
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
		if (this.nextStep > 0) hasher.add(this.nextStep);
		for (const { pool } of this.sides) hasher.add(poolCode(pool));
		return true;
	}
}

/** Ids of a page: two to the power of this. */
const PAGE_BITS = 9;
const IN_PAGE = (1 << PAGE_BITS) - 1;

/** Finds a market by its id. Ids are given one after the other, so a page of neighbouring ids is a plain list. */
export class MarketIndex {
	readonly #pages: Market[][] = [];
	/** Those with ids of more than 31 bits. */
	readonly #far = new Map<number, Market>();

	get(marketId: number): Market | undefined {
		return isQuick(marketId) ? this.#pages[marketId >> PAGE_BITS]?.[marketId & IN_PAGE] : this.#far.get(marketId);
	}
	has(marketId: number): boolean {
		return this.get(marketId) !== undefined;
	}
	remove(marketId: number): void {
		if (!isQuick(marketId)) this.#far.delete(marketId);
		else delete this.#pages[marketId >> PAGE_BITS]?.[marketId & IN_PAGE];
	}
	add(market: Market): void {
		const { marketId } = market;
		if (!isQuick(marketId)) {
			this.#far.set(marketId, market);
			return;
		}
		const number = marketId >> PAGE_BITS;
		const page = this.#pages[number] ?? [];
		page[marketId & IN_PAGE] = market;
		this.#pages[number] = page;
	}
}
