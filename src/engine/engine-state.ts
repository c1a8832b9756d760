/** Everything the engine remembers, and the few moves that several commands share. */
import { Accounts } from '#engine/accounts.ts';
import { BetTable } from '#engine/bets.ts';
import type { Effects, LapseReason, PlacedBet } from '#engine/effect.ts';
import type { EngineCounters } from '#engine/engine.ts';
import { isQuick } from '#engine/id-index.ts';
import { HELD_WIDE, Kernel } from '#engine/kernel.ts';
import { HELD_ROW, MARKETS } from '#engine/kernel-layout.ts';
import { Market, MarketIndex, type MarketTerms, type PoolSide } from '#engine/market.ts';
import { type MarketKind, MarketKinds } from '#engine/market-kind.ts';
import { Matcher } from '#engine/matching.ts';
import { OrderBooks } from '#engine/order-book.ts';
import type { EngineRefusal, Outcome } from '#engine/outcome.ts';
import { PositionTable, positionLines } from '#engine/positions.ts';
import { Quotes } from '#engine/quotes.ts';
import { NONE, ROW_KIND, RowDigest } from '#engine/rows.ts';
import { type Hasher, StateDigest } from '#engine/state-hash.ts';
import { emptyFigures, type Figures, figureCount } from '#values/exposure.ts';
import { POOLS, type Pool, poolCode } from '#values/pools.ts';
import { BACK } from '#values/sides.ts';

// Of this file: every bet passes here, and an imported constant is fetched and checked at each use.
const NUMBERS = HELD_WIDE;
const { walletId: WALLET_ID, change: CHANGE, cash: CASH } = HELD_ROW;

export const refuse = (code: EngineRefusal, details?: Record<string, unknown>): Outcome =>
	details ? { ok: false, code, details } : { ok: false, code };
export const DONE: Outcome = { ok: true };

export class EngineState {
	readonly kernel: Kernel;
	readonly #rows: RowDigest;
	readonly digest: StateDigest;
	readonly accounts: Accounts;
	/** In the order they were opened; paid ones leave when they are forgotten. */
	readonly marketList: Market[] = [];
	readonly markets = new MarketIndex();
	/** Every bet of an unsettled market with a waiting or a matched part. */
	readonly bets: BetTable;
	readonly books: OrderBooks;
	readonly positions: PositionTable;
	readonly quotes: Quotes;
	readonly matcher: Matcher = new Matcher(this);
	/** Told with each bet placed; one for all. */
	readonly placed: PlacedBet = {
		betId: 0,
		walletId: 0,
		marketId: 0,
		pool: 'PLAY',
		runner: 0,
		side: BACK,
		price: 0,
		stake: 0,
		persist: false,
		fillOrKill: false,
		quote: false,
	};
	readonly #kinds = new MarketKinds();
	readonly #nothing: Figures = emptyFigures(2);
	readonly counters: EngineCounters = { lastBetId: 0, lastReservation: 0, lastCommand: 0 };

	constructor(keepDigest: boolean) {
		this.kernel = new Kernel(keepDigest);
		this.#rows = new RowDigest(this.kernel, (row, kind, hasher) => this.#describe(row, kind, hasher));
		this.digest = new StateDigest(keepDigest, () => this.#rows.lanes());
		this.accounts = new Accounts(this.digest, this.kernel);
		this.bets = new BetTable(this.kernel);
		this.books = new OrderBooks(this.kernel, this.bets);
		this.positions = new PositionTable(this.kernel, this.accounts.wallets, this.marketList);
		this.quotes = new Quotes(this.positions, this.accounts.wallets);
	}

	addMarket(marketId: number, terms: MarketTerms): Market {
		const kind = this.#kinds.of(terms);
		const index = this.marketList.length;
		const { call } = this.kernel;
		const row = this.#addRow(marketId, index, kind);
		const firstBooks = terms.pools.map(() => this.books.add(row, terms.runners, kind.ladder));
		if (isQuick(marketId)) call.nameMarket(marketId, row);
		terms.pools.forEach((pool, at) => {
			call.addSide(row, poolCode(pool), firstBooks[at] as number);
		});
		const onState = (takesBets: boolean, oneOfAllWins: boolean) =>
			call.setState(row, takesBets ? 1 : 0, oneOfAllWins ? 1 : 0);
		const market = new Market(marketId, kind, index, row, onState, firstBooks);
		this.marketList.push(market);
		this.markets.add(market);
		this.digest.touch(market);
		return market;
	}

	#addRow(marketId: number, index: number, { terms, shape }: MarketKind): number {
		const { minStake, maxStake, maxProfit, maxExposure } = terms;
		const ofOwn = terms.selfMatch === 'REFUSE' ? MARKETS.REFUSES_OWN : 0;
		const ofProfits = terms.profitRatioRule ? MARKETS.FAIR_PROFITS : 0;
		const lines = positionLines(shape);
		const remembers = terms.reducible || shape.line !== null || terms.betDelayMs > 0 ? MARKETS.REMEMBERS : 0;
		const flags = ofOwn | ofProfits | remembers;
		const { runners } = shape;
		const { call } = this.kernel;
		return call.addMarket(marketId, index, flags, runners, lines, minStake, maxStake, maxProfit, maxExposure);
	}

	/** The wallet's position in a market, made where there is none. */
	positionOf(market: Market, side: PoolSide, wallet: number): number {
		const known = this.positions.find(market, wallet);
		return known === NONE ? this.positions.add(market, side, wallet) : known;
	}

	/** What a player has who has no bet in a market: nothing. Good until it is asked for again. */
	nothing({ shape, outOfRace }: Market): Figures {
		const figures = this.#nothing;
		const numbers = figureCount(shape);
		if (figures.data.length < numbers) figures.data = new Float64Array(numbers);
		else figures.data.fill(0, 0, numbers);
		figures.runners = shape.runners;
		figures.winners = shape.winners;
		figures.eachWay = shape.eachWay;
		figures.line = shape.line;
		figures.out = outOfRace;
		return figures;
	}

	/** The side of its market that a position belongs to. */
	sideOf(market: Market, position: number): PoolSide {
		return market.sideOf(this.positions.poolOf(position)) as PoolSide;
	}

	bookOf(market: Market, bet: number): number {
		return this.sideOf(market, this.bets.position(bet)).firstBook + this.bets.runner(bet);
	}

	/** Brings the money held for a position to what its exposure asks; one posting or none. */
	hold(market: Market, position: number, effects: Effects): void {
		this.holdExactly(market, position, this.positions.exposure(position), effects);
	}

	/**
	 * What a removed runner lifts the exposure to can be more than there is: then all there is is held, and the rest is
	 * asked for as soon as some comes free.
	 */
	holdExactly(market: Market, position: number, exposure: number, effects: Effects): void {
		const { wallets } = this.accounts;
		const wallet = this.positions.walletOf(position);
		const held = wallets.isQuoting(wallet) ? this.quotes.cover(position, wallet, exposure) : exposure;
		const change = this.positions.hold(position, held);
		if (change === 0) return;
		const pool = wallets.pool(wallet);
		this.#emitHeld(market.marketId, pool, wallets.id(wallet), change, wallets.cash(wallet), effects);
	}

	/** Tells what the kernel held and let go, and does so itself for wallets that quote. */
	emitHolds(marketId: number, effects: Effects): void {
		const { kernel } = this;
		const pool = POOLS[kernel.pool] as Pool;
		const { holds, firstHold } = kernel;
		for (let at = firstHold; at < firstHold + holds * NUMBERS; at += NUMBERS) {
			// Looked at anew each time: memory may have grown.
			const { wide } = kernel;
			const walletId = wide[at + WALLET_ID] as number;
			const change = wide[at + CHANGE] as number;
			if (change === 0) this.#holdOf(walletId, marketId, effects);
			else this.#emitHeld(marketId, pool, walletId, change, wide[at + CASH] as number, effects);
		}
	}

	#holdOf(walletId: number, marketId: number, effects: Effects): void {
		const market = this.markets.get(marketId) as Market;
		this.hold(market, this.positions.find(market, this.accounts.wallets.find(walletId)), effects);
	}

	#emitHeld(marketId: number, pool: Pool, walletId: number, change: number, cash: number, effects: Effects): void {
		this.counters.lastReservation++;
		this.accounts.reserved(walletId, pool, change, cash, this.counters.lastReservation, marketId, effects);
	}

	/** Lets a bet wait in its book. */
	rest(book: number, bet: number): void {
		const { bets, positions } = this;
		const position = bets.position(bet);
		const value = bets.remaining(bet) * bets.price(bet);
		positions.addOpenValue(position, value);
		this.books.rest(book, bet);
	}

	/** The same by its time: for a bet that keeps it while its price is cut, that waited out a delay, or is restored. */
	restByAge(book: number, bet: number): void {
		const { bets, positions } = this;
		const position = bets.position(bet);
		const value = bets.remaining(bet) * bets.price(bet);
		positions.addOpenValue(position, value);
		const time = this.#reachedBook(bet);
		this.books.restByAge(book, bet, (other) => {
			const ofOther = this.#reachedBook(other);
			return ofOther > time || (ofOther === time && bets.id(other) > bets.id(bet));
		});
	}

	/** When a bet reached the book: even for those that did as they were placed, between two of them after a delay. */
	#reachedBook(bet: number): number {
		const id = this.bets.id(bet);
		const after = this.positions.marketOf(this.bets.position(bet)).queuedAfter.get(id);
		return after === undefined ? id * 2 : after * 2 + 1;
	}

	/** Takes stake out of the book, cancelled or matched; the position's figures are the caller's. */
	removeFromBook(book: number, bet: number, stake: number): void {
		const { bets, positions } = this;
		const position = bets.position(bet);
		const value = stake * bets.price(bet);
		positions.addOpenValue(position, -value);
		this.books.reduce(book, bet, stake);
	}

	/** Takes unmatched stake off a bet; a bet with nothing left and nothing matched is forgotten. */
	cancelRemaining(market: Market, bet: number, stake: number): void {
		const { bets, positions } = this;
		const left = bets.remaining(bet) - stake;
		if (bets.isPending(bet)) {
			bets.setRemaining(bet, left);
			if (left === 0) this.endDelay(market, bet);
		} else this.removeFromBook(this.bookOf(market, bet), bet, stake);
		positions.addUnmatched(bets.position(bet), market, bets.runner(bet), bets.side(bet), bets.price(bet), -stake);
		if (left === 0 && bets.matched(bet) === 0) this.forget(market, bet);
		else bets.touch(bet);
	}

	endDelay(market: Market, bet: number): void {
		market.pending.delete(this.bets.id(bet));
		this.bets.setPending(bet, false);
	}

	forget(market: Market, bet: number): void {
		this.forgetDetail(market, this.bets.id(bet));
		this.positions.unlink(this.bets.position(bet), bet);
		this.bets.remove(market.row, bet);
	}

	/** Gives back what a market took whose bets and positions are forgotten and whose books are closed. */
	freeArena(market: Market): void {
		// What stood there may be something else by the time that the digest is asked for.
		this.#rows.hear();
		this.kernel.call.endMarket(market.row);
	}

	/** Forgets a market that is paid or void; what it was paid by is in the ledger. */
	forgetMarket(market: Market): void {
		const { marketId, row, terms } = market;
		const { call } = this.kernel;
		for (const { pool, firstBook } of market.sides) {
			this.books.forget(firstBook, terms.runners);
			this.accounts.forgetPot(pool, marketId);
		}
		this.markets.remove(marketId);
		call.forgetMarket(row, isQuick(marketId) ? marketId : -1);
		this.marketList.splice(market.index, 1);
		for (let at = market.index; at < this.marketList.length; at++) {
			const later = this.marketList[at] as Market;
			later.index = at;
			call.moveMarket(later.row, at);
		}
	}

	/** Forgets what is known of a bet besides its row. */
	forgetDetail(market: Market, betId: number): void {
		if (market.keepsFills) market.fills.delete(betId);
		if (market.terms.betDelayMs > 0) market.queuedAfter.delete(betId);
	}

	/** Rows of a side's bets with something waiting or matched, by bet id: the same order after every recovery. */
	betsOf(market: Market, side: PoolSide): number[] {
		const rows: number[] = [];
		for (
			let position = this.positions.newest(market, side);
			position !== NONE;
			position = this.positions.next(position)
		) {
			for (let bet = this.positions.lastBet(position); bet !== NONE; bet = this.bets.before(bet)) {
				rows.push(bet);
			}
		}
		return rows.sort((a, b) => this.bets.id(a) - this.bets.id(b));
	}

	/** Rows of a side's positions, by wallet id. */
	positionsOf(market: Market, side: PoolSide): number[] {
		const rows: number[] = [];
		for (
			let position = this.positions.newest(market, side);
			position !== NONE;
			position = this.positions.next(position)
		) {
			rows.push(position);
		}
		const walletId = (position: number) => this.accounts.wallets.id(this.positions.walletOf(position));
		return rows.sort((a, b) => walletId(a) - walletId(b));
	}

	/** Lapses what waits of the bets that `which` names, and releases what was held for them. */
	lapse(market: Market, which: (bet: number) => boolean, reason: LapseReason, effects: Effects): void {
		for (const side of market.sides) {
			const touched = new Set<number>();
			for (const bet of this.waiting(market, side)) {
				if (!which(bet)) continue;
				const stake = this.bets.remaining(bet);
				touched.add(this.bets.position(bet));
				effects.betLapsed(this.bets.id(bet), stake, reason);
				this.bringBackTarget(market, bet, effects);
				this.cancelRemaining(market, bet, stake);
			}
			for (const position of touched) this.hold(market, position, effects);
		}
	}

	setTarget(market: Market, walletId: number, target: number | null, effects: Effects): void {
		if ((market.targets.get(walletId) ?? null) === target) return;
		if (target === null) market.targets.delete(walletId);
		else market.targets.set(walletId, target);
		effects.targetSet(market.marketId, walletId, target);
	}

	/** A hedge that lapses did not cash out: the target that placed it stands again. */
	bringBackTarget(market: Market, bet: number, effects: Effects): void {
		const target = market.pending.get(this.bets.id(bet))?.cashOut?.target;
		if (target == null) return;
		this.setTarget(market, this.accounts.wallets.id(this.positions.walletOf(this.bets.position(bet))), target, effects);
	}

	/** Forgets the targets of a market that is over. */
	dropTargets(market: Market, effects: Effects): void {
		for (const [walletId] of market.targets) this.setTarget(market, walletId, null, effects);
	}

	/** Bets with an unmatched part: those in the books, price by price, then those in their delay. */
	waiting(market: Market, side: PoolSide): number[] {
		const rows: number[] = [];
		for (let runner = 0; runner < market.terms.runners; runner++) {
			rows.push(...this.books.resting(side.firstBook + runner));
		}
		for (const [betId] of market.pending) {
			const bet = this.bets.find(betId);
			const wallet = this.positions.walletOf(this.bets.position(bet));
			if (this.accounts.wallets.pool(wallet) === side.pool) rows.push(bet);
		}
		return rows;
	}

	#describe(row: number, kind: number, hasher: Hasher): boolean {
		if (kind === ROW_KIND.WALLET) return this.accounts.wallets.describe(row, hasher);
		if (kind === ROW_KIND.POSITION) return this.positions.describe(row, hasher);
		return this.bets.describe(row, hasher, (position) => {
			const { wallets } = this.accounts;
			const wallet = this.positions.walletOf(position);
			const { marketId } = this.positions.marketOf(position);
			return { walletId: wallets.id(wallet), marketId, quotes: wallets.isQuoting(wallet) };
		});
	}
}
