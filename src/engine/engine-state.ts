/** The engine's state, and the moves that several commands share. */
import { Accounts } from '#engine/accounts.ts';
import type { PendingBet } from '#engine/bet-detail.ts';
import { BetTable } from '#engine/bets.ts';
import type { Effects, LapseReason, PlacedBet } from '#engine/effect.ts';
import type { EngineCounters } from '#engine/engine.ts';
import { Expiries } from '#engine/expiries.ts';
import { figureFunctions } from '#engine/figures.ts';
import { Kernel } from '#engine/kernel.ts';
import { REPORT } from '#engine/kernel-layout.ts';
import { Market, MarketIndex, type PoolSide } from '#engine/market.ts';
import { MarketKinds } from '#engine/market-kind.ts';
import { writeLimits, writeTerms } from '#engine/market-row.ts';
import type { MarketTerms } from '#engine/market-terms.ts';
import { OrderBooks } from '#engine/order-book.ts';
import { OrderGroups } from '#engine/order-groups.ts';
import type { Outcome } from '#engine/outcome.ts';
import { PositionTable, positionBlocks } from '#engine/positions.ts';
import { NONE, ROW_KIND, RowDigest } from '#engine/rows.ts';
import { ShortPositions } from '#engine/short-positions.ts';
import { type Hasher, StateDigest } from '#engine/state-hash.ts';
import type { Trigger } from '#engine/triggers/trigger.ts';
import { Triggers } from '#engine/triggers/triggers.ts';
import { VolumeLimits } from '#engine/volume-limits.ts';
import type { BetId, MarketId, WalletId } from '#values/ids.ts';
import type { AnyMinor } from '#values/money.ts';
import { poolCode } from '#values/pools.ts';
import { BACK } from '#values/sides.ts';

export const DONE: Outcome = { ok: true };

export class EngineState {
	readonly kernel: Kernel;
	readonly #rows: RowDigest;
	readonly digest: StateDigest;
	readonly accounts: Accounts;
	/** In the order in which they were opened; settled ones leave when they are forgotten. */
	readonly marketList: Market[] = [];
	readonly markets: MarketIndex;
	/** Every bet of an unsettled market with a resting or a matched part. */
	readonly bets: BetTable;
	readonly books: OrderBooks;
	readonly positions: PositionTable;
	/** The effect of each placed bet: one object, refilled. */
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
		terms: null,
		onClose: null,
		takesStart: false,
		quote: false,
	};
	readonly expiries = new Expiries();
	readonly volumeLimits = new VolumeLimits();
	readonly triggers: Triggers;
	readonly groups: OrderGroups;
	readonly shortPositions: ShortPositions;
	/** Markets whose settlement is under way. */
	readonly settling = new Set<Market>();
	/** Markets whose bets are being changed, some wallets a step. */
	readonly changing = new Set<Market>();
	readonly #kinds: MarketKinds;
	/** Numbers the postings between cash and exposure, and the commands that changed something. */
	lastReservation = 0;
	lastCommand = 0;

	/** @param followBracket called when a bet of a bracket changed */
	constructor(keepDigest: boolean, followBracket: (state: EngineState, bracket: Trigger) => void) {
		const followedBetChanged = (betId: BetId): void => {
			const plan = this.triggers.betChanged(betId);
			if (plan?.terms.plan?.kind === 'BRACKET') followBracket(this, plan);
		};
		this.kernel = new Kernel(keepDigest, {
			bets: { followedBetChanged },
			figures: figureFunctions(
				() => this.positions,
				(row) => this.markets.at(row),
			),
			'order-book': { reachedBook: (bet) => this.#reachedBook(bet) },
			'short-positions': {
				noteShort: (position) => this.shortPositions.note(position),
				lackedElsewhere: (wallet, market) => this.shortPositions.lackedBy(wallet, market),
			},
		});
		this.markets = new MarketIndex(this.kernel, this.marketList);
		this.#kinds = new MarketKinds(this.kernel);
		this.#rows = new RowDigest(this.kernel, (row, kind, hasher) => this.#describe(row, kind, hasher));
		this.digest = new StateDigest(keepDigest, () => this.#rows.lanes());
		this.accounts = new Accounts(this.digest, this.kernel);
		this.bets = new BetTable(this.kernel, this.expiries, this.volumeLimits);
		this.books = new OrderBooks(this.kernel, this.bets);
		this.triggers = new Triggers(this.digest, this.books, this.bets);
		this.groups = new OrderGroups(this.digest);
		const { wallets } = this.accounts;
		this.positions = new PositionTable(this.kernel, wallets, this.markets);
		const { kernel, markets, bets, positions, changing } = this;
		this.shortPositions = new ShortPositions({ kernel, wallets, markets, bets, positions, changing });
	}

	/** The last numbers that were assigned. */
	counters(): EngineCounters {
		const { lastReservation, lastCommand } = this;
		return { lastBetId: this.kernel.call.lastBetId(), lastReservation, lastCommand };
	}
	setCounters({ lastBetId, lastReservation, lastCommand }: EngineCounters): void {
		this.kernel.call.setLastBetId(lastBetId);
		this.lastReservation = lastReservation;
		this.lastCommand = lastCommand;
	}

	addMarket(marketId: MarketId, terms: MarketTerms): Market {
		const { kernel } = this;
		const kind = this.#kinds.of(terms);
		const index = this.marketList.length;
		const pools = terms.pools.reduce((bits, pool) => bits | (1 << poolCode(pool)), 0);
		const { runners } = kind.shape;
		const row = kernel.call.addMarket(marketId, runners, positionBlocks(kind.shape), terms.runners, pools);
		kernel.call.moveMarket(row, index);
		writeTerms(kernel, row, kind);
		this.books.add(row, kind.ladder);
		const market = new Market(marketId, kind, { kernel, index, row });
		this.marketList.push(market);
		this.digest.touch(market);
		return market;
	}

	/** Other limits or another delay; the rest of the terms is as it was. */
	changeTerms(market: Market, terms: MarketTerms): void {
		writeLimits(this.kernel, market.row, terms);
		market.terms = this.#kinds.of(terms).terms;
		this.digest.touch(market);
	}

	/** The side of its market that a position belongs to. */
	sideOf(market: Market, position: number): PoolSide {
		return market.sideOf(this.positions.poolOf(position)) as PoolSide;
	}

	bookOf(market: Market, bet: number): number {
		return this.sideOf(market, this.bets.position(bet)).firstBook + this.bets.runner(bet);
	}

	/** Brings the money held for a position to its exposure; one posting or none. */
	hold(market: Market, position: number, effects: Effects): void {
		this.#emitChange(market, position, this.kernel.call.hold(position), effects);
	}

	/** Brings it to an exposure that the caller has computed. */
	holdFor(market: Market, position: number, exposure: AnyMinor, effects: Effects): void {
		this.#emitChange(market, position, this.kernel.call.holdFor(position, exposure), effects);
	}

	#emitChange({ marketId }: Market, position: number, change: AnyMinor, effects: Effects): void {
		if (change === 0) return;
		const { wallets } = this.accounts;
		const wallet = this.positions.walletOf(position);
		const held = {
			walletId: wallets.id(wallet),
			pool: wallets.pool(wallet),
			change,
			cashAfter: wallets.cash(wallet),
			marketId,
		};
		this.accounts.reserved(held, ++this.lastReservation, effects);
	}

	/** The order in which a bet reached the book, between two delayed bets, even for one that reached it at once. */
	#reachedBook(bet: number): number {
		const id = this.bets.id(bet);
		const after = this.positions.marketOf(this.bets.position(bet)).queuedAfter.get(id);
		return after === undefined ? id * 2 : after * 2 + 1;
	}

	/** A bet begins its delay. */
	delay(market: Market, betId: BetId, waits: PendingBet, effects: Effects): void {
		market.pending.set(betId, waits);
		effects.betDelayed(betId, waits.dueAtMs, waits.version, waits.minFill);
	}

	/** A bet is of no group any more, if it was of one. */
	leaveGroup(betId: BetId): void {
		const book = this.groups.member(betId)?.book;
		if (book !== undefined && this.groups.leave(betId)) this.followBook(book);
	}

	/** Every change of a book is looked at while bets of groups are in it. */
	followBook(book: number): void {
		this.books.follow(book, this.groups.hasBook(book));
	}

	/** Removes unmatched stake from a bet; a bet with nothing left and nothing matched is forgotten. */
	cancelRemaining(market: Market, bet: number, stake: AnyMinor): void {
		const betId = this.bets.id(bet);
		this.forgetCancelled(market, betId, this.kernel.call.cancelRemaining(bet, stake));
	}

	/** The outcome of a cancel: see src/kernel/report.ts. */
	forgetCancelled(market: Market, betId: BetId, cancel: number): void {
		if ((cancel & REPORT.DELAY_ENDED) !== 0) market.pending.delete(betId);
		if ((cancel & REPORT.DETAIL_ENDED) !== 0) this.forgetDetail(market, betId);
	}

	forget(market: Market, bet: number): void {
		this.forgetDetail(market, this.bets.id(bet));
		this.kernel.call.forgetBet(bet);
	}

	/** Frees the memory of a market whose bets and positions are forgotten and whose books are closed. */
	freeArena(market: Market): void {
		// When the digest is computed next, the freed block may hold something else.
		this.#rows.hear();
		this.kernel.call.endMarket(market.row);
	}

	/** Forgets a settled or voided market; the ledger has its result. */
	forgetMarket(market: Market): void {
		const { marketId, row, terms } = market;
		const { call } = this.kernel;
		for (const { pool, firstBook } of market.sides) {
			for (let book = firstBook; book < firstBook + terms.runners; book++) this.groups.forgetBook(book);
			this.accounts.forgetPot(pool, marketId);
		}
		this.books.forget(row);
		call.forgetMarket(row);
		this.marketList.splice(market.index, 1);
		for (let at = market.index; at < this.marketList.length; at++) {
			const later = this.marketList[at] as Market;
			later.index = at;
			call.moveMarket(later.row, at);
		}
	}

	/** Forgets the details of a bet besides its row. */
	forgetDetail(market: Market, betId: BetId): void {
		if (market.keepsFills) market.fills.delete(betId);
		market.queuedAfter.delete(betId);
		this.expiries.forget(betId);
		this.volumeLimits.forget(betId);
		this.leaveGroup(betId);
	}

	/** Rows of a side's bets with a resting or matched part, by bet id: the same order after every recovery. */
	betsOf(side: PoolSide): number[] {
		// A typed array sorts numbers ten times as fast as a comparison of rows would.
		const ids = Float64Array.from(this.#newestBets(side), (bet) => this.bets.id(bet)).sort();
		return Array.from(ids, (id) => this.bets.find(id));
	}

	/** @param atMost where to stop */
	betCount(side: PoolSide, atMost: number): number {
		let count = 0;
		for (const _ of this.#newestBets(side)) if (++count >= atMost) break;
		return count;
	}

	/** Position by position, each from its newest bet. */
	*#newestBets(side: PoolSide): Generator<number> {
		for (let position = this.positions.newest(side); position !== NONE; position = this.positions.next(position)) {
			for (let bet = this.positions.lastBet(position); bet !== NONE; bet = this.bets.before(bet)) yield bet;
		}
	}

	/** The position of a wallet in a market, or NONE. */
	positionOf(market: Market, walletId: WalletId): number {
		const wallet = this.accounts.wallets.find(walletId);
		return wallet === NONE ? NONE : this.positions.find(market, wallet);
	}

	/** Bets of a position with a resting or matched part, oldest first. */
	betsOfPosition(position: number): number[] {
		const rows: number[] = [];
		for (let bet = this.positions.lastBet(position); bet !== NONE; bet = this.bets.before(bet)) rows.push(bet);
		return rows.reverse();
	}

	/** Rows of a side's positions, by wallet id. */
	positionsOf(side: PoolSide): number[] {
		const rows: number[] = [];
		for (let position = this.positions.newest(side); position !== NONE; position = this.positions.next(position)) {
			rows.push(position);
		}
		const walletId = (position: number) => this.accounts.wallets.id(this.positions.walletOf(position));
		return rows.sort((a, b) => walletId(a) - walletId(b));
	}

	/** Lapses the unmatched parts of these bets of a market, and releases what was held for them. */
	lapse(market: Market, rows: Iterable<number>, reason: LapseReason, effects: Effects): void {
		const touched = new Set<number>();
		for (const bet of rows) {
			touched.add(this.bets.position(bet));
			this.lapseRest(market, bet, reason, effects);
		}
		for (const position of touched) this.hold(market, position, effects);
	}

	/** Lapses what is unmatched of a bet, if anything is. The caller updates what is held for its position. */
	lapseRest(market: Market, bet: number, reason: LapseReason, effects: Effects): void {
		const stake = this.bets.remaining(bet);
		if (stake === 0) return;
		effects.betLapsed(this.bets.id(bet), stake, reason);
		this.bringBackTarget(market, bet, effects);
		this.cancelRemaining(market, bet, stake);
	}

	setTarget(market: Market, walletId: WalletId, target: AnyMinor | null, effects: Effects): void {
		if ((market.targets.get(walletId) ?? null) === target) return;
		if (target === null) market.targets.delete(walletId);
		else market.targets.set(walletId, target);
		effects.targetSet(market.marketId, walletId, target);
	}

	/** A hedge that lapses did not cash out: the target that placed it is restored, unless the market has ended. */
	bringBackTarget(market: Market, bet: number, effects: Effects): void {
		const target = market.pending.get(this.bets.id(bet))?.cashOut?.target;
		if (target == null || market.ended) return;
		this.setTarget(market, this.accounts.wallets.id(this.positions.walletOf(this.bets.position(bet))), target, effects);
	}

	/** Forgets the targets of an ended market. */
	dropTargets(market: Market, effects: Effects): void {
		for (const [walletId] of market.targets) this.setTarget(market, walletId, null, effects);
	}

	/** Bets with an unmatched part: by pool those in the books, by price level, then all in their delay, then those on close. */
	waiting(market: Market): number[] {
		const rows: number[] = [];
		for (const side of market.sides)
			for (let runner = 0; runner < market.terms.runners; runner++)
				for (const bet of this.books.resting(side.firstBook + runner)) rows.push(bet);
		for (const bet of this.delayed(market)) rows.push(bet);
		if (market.hasBetsAtStart) for (const bet of this.onClose(market)) rows.push(bet);
		return rows;
	}

	/** Bets that wait for the starting price, by pool, then by id. */
	onClose(market: Market): number[] {
		const isOnClose = (bet: number) => this.bets.isOnClose(bet) && this.bets.remaining(bet) > 0;
		return market.sides.flatMap((side) => this.betsOf(side).filter(isOnClose));
	}

	/** Bets in their delay, in the order in which they were accepted. */
	delayed(market: Market): number[] {
		return [...market.pending].map(([betId]) => this.bets.find(betId));
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
