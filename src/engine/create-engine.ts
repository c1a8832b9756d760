/**
 * Puts the engine together: dispatches commands to their files, answers questions from the state, and fills it at a
 * recovery.
 */
import { cancelAll, cancelBet, heldForUnmatched, lapseAll, replaceBet, unmatchedBets } from '#engine/cancel-bet.ts';
import { cashOut, reachCashOutTarget, setCashOutTarget } from '#engine/cash-out.ts';
import { changeStep, waitsForChange, walletsToChange } from '#engine/change-bets.ts';
import type {
	BeginSettlement,
	CashOut,
	Command,
	ReachCashOutTarget,
	SetCashOutTarget,
	SettleMarket,
	VoidMarket,
} from '#engine/command.ts';
import type { AccountKind, Effects, TriggerView } from '#engine/effect.ts';
import type {
	Engine,
	EngineCounters,
	ExposureWith,
	MarketView,
	UnmatchedPart,
	UnsettledWallet,
	WalletToChange,
	WalletView,
} from '#engine/engine.ts';
import { EngineState } from '#engine/engine-state.ts';
import { expireBets } from '#engine/expire-bets.ts';
import { exposureWith } from '#engine/exposure-with.ts';
import { admitHedges } from '#engine/hedges.ts';
import { checkInvariants } from '#engine/invariants.ts';
import { hasVolumeLimits } from '#engine/limit-volume.ts';
import type { Market } from '#engine/market.ts';
import { moveMarket, openMarket } from '#engine/market-acts.ts';
import type { OrderGroupView } from '#engine/order-groups.ts';
import type { EngineRefusal, Outcome } from '#engine/outcome.ts';
import { admitBet, placeBet } from '#engine/place-bet.ts';
import { changeRunner } from '#engine/remove-runner.ts';
import { reopenMarket } from '#engine/reopen-market.ts';
import { refuse } from '#engine/requests.ts';
import { resettleMarket } from '#engine/resettle-market.ts';
import { restoreBet, restoreDecided, restoreHeld, restoreMarket, restoreTrigger } from '#engine/restore.ts';
import type { RestoredBet } from '#engine/restored-bet.ts';
import { beginReversal, reverseStep } from '#engine/reversal-walk.ts';
import { NONE } from '#engine/rows.ts';
import { settleMarket, voidMarket } from '#engine/settle-market.ts';
import { beginSettlement, settleStep, someBets, unsettledWallets } from '#engine/settlement-walk.ts';
import { takeQuotes } from '#engine/take-quotes.ts';
import { cancelTrigger } from '#engine/triggers/cancel-trigger.ts';
import { followBracket } from '#engine/triggers/count-trigger.ts';
import { viewOf as viewOfTrigger } from '#engine/triggers/end-triggers.ts';
import { fireTriggers } from '#engine/triggers/fire-triggers.ts';
import { lookAtTriggers } from '#engine/triggers/look-at-triggers.ts';
import { placeTrigger } from '#engine/triggers/place-trigger.ts';
import type { CancelTrigger, FireTriggers, LookAtTriggers, PlaceTrigger } from '#engine/triggers/trigger-commands.ts';
import { updateBet } from '#engine/update-bet.ts';
import { voidMatches } from '#engine/void-matches.ts';
import { dispatchToWallet } from '#engine/wallet-acts.ts';
import { walletView } from '#engine/wallet-view.ts';
import { netIfWins } from '#values/exposure.ts';
import type { BetId, MarketId, WalletId } from '#values/ids.ts';
import type { AnyMinor } from '#values/money.ts';
import type { Pool } from '#values/pools.ts';
import type { AnyPrice } from '#values/price-ladder.ts';

/**
 * V8 must be told before the engine is made: the code around the kernel, and the kernel, are many small functions, and by
 * itself V8 would inline only the first of them. See ARCHITECTURE, "The kernel".
 */
export const COMPILER_FLAGS = [
	'--max-inlined-bytecode-size=1500',
	'--max-inlined-bytecode-size-cumulative=4000',
	'--wasm-inlining-factor=250',
	'--wasm-inlining-budget=100000',
	'--wasm-inlining-max-size=1000',
];

interface EngineOptions {
	/** False for benchmarks and tools that never ask for the hash. */
	keepDigest?: boolean;
}

/** An empty engine. */
export function createEngine({ keepDigest = true }: EngineOptions = {}): Engine {
	return new MemoryEngine(new EngineState(keepDigest, followBracket));
}

class MemoryEngine implements Engine {
	readonly #state: EngineState;

	constructor(state: EngineState) {
		this.#state = state;
	}

	apply(command: Command, effects: Effects): Outcome {
		noteShortOfChanges(this.#state, command);
		const refusal = refusalMeanwhile(this.#state, command);
		const outcome = refusal ? refuse(refusal) : dispatch(this.#state, command, effects);
		if (outcome.ok) this.#state.lastCommand++;
		return outcome;
	}

	wallet(walletId: WalletId): WalletView | null {
		return walletView(this.#state.accounts.wallets, walletId);
	}

	market(marketId: MarketId): MarketView | null {
		const market = this.#state.markets.get(marketId);
		return market ? viewOf(market) : null;
	}

	houseAccounts(): { kind: string; pool: Pool; owner: number; balance: AnyMinor }[] {
		return [...this.#state.accounts.house.values()].map(({ kind, pool, owner, balance }) => ({
			kind,
			pool,
			owner,
			balance,
		}));
	}

	houseBalance(kind: string, pool: Pool, owner: number): number {
		return this.#state.accounts.houseBalance(kind, pool, owner);
	}

	levels(marketId: MarketId, pool: Pool, runner: number, side: 0 | 1, depth: number) {
		const book = this.#book(marketId, pool, runner);
		return book === NONE ? [] : this.#state.books.levels(book, side, depth);
	}

	lastPriceTraded(marketId: MarketId, pool: Pool, runner: number): number | null {
		const book = this.#book(marketId, pool, runner);
		return (book === NONE ? 0 : this.#state.books.lastPriceTraded(book)) || null;
	}

	totalMatched(marketId: MarketId, pool: Pool, runner: number): number {
		const book = this.#book(marketId, pool, runner);
		return book === NONE ? 0 : this.#state.books.totalMatched(book);
	}

	restingBets(marketId: MarketId, pool: Pool, runner: number) {
		const book = this.#book(marketId, pool, runner);
		const { bets, books } = this.#state;
		return (book === NONE ? [] : books.resting(book)).map((bet) => ({
			betId: bets.id(bet),
			side: bets.side(bet),
			price: bets.price(bet),
			remaining: bets.remaining(bet),
		}));
	}

	stakeAhead(betId: BetId): AnyMinor | null {
		const { bets, books, positions } = this.#state;
		const row = bets.find(betId);
		if (row === NONE || bets.remaining(row) === 0 || bets.isDelayed(row) || bets.isOnClose(row)) return 0;
		return books.stakeAhead(this.#state.bookOf(positions.marketOf(bets.position(row)), row), row);
	}

	betCount(marketId: MarketId, atMost = Number.POSITIVE_INFINITY): number {
		const market = this.#state.markets.get(marketId);
		let count = 0;
		for (const side of market?.sides ?? []) {
			if (count < atMost) count += this.#state.betCount(side, atMost - count);
		}
		return count;
	}

	unsettledWallets(marketId: MarketId): Iterator<UnsettledWallet | null> {
		return unsettledWallets(this.#state, marketId);
	}

	walletsToChange(marketId: MarketId): Iterator<WalletToChange | null> {
		return walletsToChange(this.#state, marketId);
	}

	someBets(walletId: WalletId, marketId: MarketId, most: number): BetId[] {
		return someBets(this.#state, walletId, marketId, most);
	}

	marketExposure(walletId: WalletId, marketId: MarketId): number {
		const position = this.#position(walletId, marketId);
		return position === NONE ? 0 : this.#state.positions.held(position);
	}

	lacked(walletId: WalletId): AnyMinor {
		const wallet = this.#state.accounts.wallets.find(walletId);
		return wallet === NONE ? 0 : this.#state.shortPositions.lackedBy(wallet);
	}

	heldForUnmatched(walletId: WalletId): AnyMinor {
		const wallet = this.#state.accounts.wallets.find(walletId);
		return wallet === NONE ? 0 : heldForUnmatched(this.#state, wallet);
	}

	exposureWith(walletId: WalletId, marketId: MarketId, bets: readonly UnmatchedPart[]): ExposureWith {
		return exposureWith(this.#state, walletId, marketId, bets);
	}

	profitLoss(walletId: WalletId, marketId: MarketId): number[] | null {
		const position = this.#position(walletId, marketId);
		if (position === NONE) return null;
		const figures = this.#state.positions.figures(position);
		const nets = Array.from({ length: figures.runners }, (_, runner) => netIfWins(figures, runner));
		return nets.some((net) => net !== 0) ? nets : null;
	}

	betDetail(betId: BetId) {
		const bet = this.#state.bets.find(betId);
		if (bet === NONE) return { fills: null, delay: null, queuedAfter: null };
		const market = this.#state.positions.marketOf(this.#state.bets.position(bet));
		return {
			fills: market.fills.get(betId)?.slice() ?? null,
			delay: market.pending.get(betId) ?? null,
			queuedAfter: market.queuedAfter.get(betId) ?? null,
		};
	}

	pendingBets(): { betId: BetId; dueAtMs: number }[] {
		return this.#state.marketList.flatMap(({ pending }) =>
			[...pending].map(([betId, { dueAtMs }]) => ({ betId, dueAtMs })),
		);
	}

	nextExpiryMs(): number {
		return this.#state.expiries.nextAtMs();
	}

	unmatchedBets(walletId: WalletId, marketId?: MarketId): BetId[] {
		const wallet = this.#state.accounts.wallets.find(walletId);
		return wallet === NONE ? [] : unmatchedBets(this.#state, wallet, marketId);
	}

	watchesBooks(): boolean {
		const { triggers, volumeLimits, groups } = this.#state;
		return triggers.size + volumeLimits.size + groups.size > 0;
	}

	limitsVolume(marketId: MarketId): boolean {
		const market = this.#state.markets.get(marketId);
		return market !== undefined && hasVolumeLimits(this.#state, market);
	}

	hasTriggersToFire(): boolean {
		return this.#state.triggers.dueIn(this.#state.markets).length > 0;
	}

	triggersOf(walletId: WalletId): TriggerView[] {
		const { triggers, books } = this.#state;
		return triggers.ofWallet(walletId).map((trigger) => viewOfTrigger(trigger, books.ladder(trigger.place.book)));
	}

	orderGroups(walletId: WalletId): OrderGroupView[] {
		return this.#state.groups.of(walletId).map((group) => group.view());
	}

	walletsWithTriggers(): WalletId[] {
		return this.#state.triggers.wallets();
	}

	cashOutTarget(walletId: WalletId, marketId: MarketId): number | null {
		return this.#state.markets.get(marketId)?.targets.get(walletId) ?? null;
	}

	restoreWallet(view: WalletView): void {
		const { wallets } = this.#state.accounts;
		const row = wallets.add(view.walletId, view.pool, view.commissionBp);
		for (const account of ['cash', 'exposure', 'hold', 'bonus'] as const) wallets.deposit(row, account, view[account]);
		wallets.setVersion(row, view.version);
		if (view.limits) wallets.setLimits(row, view.limits);
		wallets.setSelfMatch(row, view.selfMatch);
		if (view.quotes) wallets.setQuoting(row);
	}

	restoreHouseAccount(kind: string, pool: Pool, owner: number, balance: AnyMinor): void {
		const account = this.#state.accounts.houseAccount(kind as AccountKind, pool, owner);
		account.balance = balance;
		this.#state.digest.touch(account);
	}

	restoreMarket(
		market: MarketView,
		lastTraded: { pool: Pool; runner: number; lastPriceTraded: AnyPrice | null; totalMatched: AnyMinor }[],
	): void {
		restoreMarket(this.#state, market, lastTraded);
	}

	forgetMarket(marketId: MarketId): void {
		const market = this.#state.markets.get(marketId);
		if (market?.paid) this.#state.forgetMarket(market);
	}

	restoreBet(bet: RestoredBet): void {
		restoreBet(this.#state, bet);
	}

	restoreOrderGroup(group: OrderGroupView): void {
		this.#state.groups.add(group);
	}

	restoreTrigger(trigger: TriggerView): void {
		restoreTrigger(this.#state, trigger);
	}

	restoreHeld(walletId: WalletId, marketId: MarketId, held: AnyMinor): void {
		restoreHeld(this.#state, walletId, marketId, held);
	}

	restoreDecided(walletId: WalletId, marketId: MarketId, exact: bigint): void {
		restoreDecided(this.#state, walletId, marketId, exact);
	}

	restoreCashOutTarget(walletId: WalletId, marketId: MarketId, target: AnyMinor): void {
		this.#state.markets.get(marketId)?.targets.set(walletId, target);
	}

	restoreCounters(counters: EngineCounters): void {
		this.#state.setCounters(counters);
	}

	counters(): EngineCounters {
		return this.#state.counters();
	}

	hash(): string {
		return this.#state.digest.value();
	}

	memoryBytes(): number {
		return this.#state.kernel.words.byteLength;
	}

	checkInvariants(): void {
		checkInvariants(this.#state);
	}

	#book(marketId: MarketId, pool: Pool, runner: number): number {
		const market = this.#state.markets.get(marketId);
		const side = market?.side(pool);
		return market && side && runner >= 0 && runner < market.terms.runners ? side.firstBook + runner : NONE;
	}

	#position(walletId: WalletId, marketId: MarketId): number {
		const market = this.#state.markets.get(marketId);
		const wallet = this.#state.accounts.wallets.find(walletId);
		return market && wallet !== NONE ? this.#state.positions.find(market, wallet) : NONE;
	}
}

function dispatch(state: EngineState, command: Command, effects: Effects): Outcome {
	switch (command.kind) {
		case 'place-bet':
			return placeBet(state, command, effects);
		case 'take-quotes':
			return takeQuotes(state, command, effects);
		case 'admit-bet':
			return admitHedges(state, command, effects) ?? admitBet(state, command, effects);
		case 'cash-out':
		case 'set-cash-out-target':
		case 'reach-cash-out-target':
			return dispatchToCashOut(state, command, effects);
		case 'cancel-bet':
			return cancelBet(state, command, effects);
		case 'cancel-all':
			return cancelAll(state, command, effects);
		case 'lapse-all':
			return lapseAll(state, command, effects);
		case 'replace-bet':
			return replaceBet(state, command, effects);
		case 'update-bet':
			return updateBet(state, command, effects);
		case 'expire-bets':
			return expireBets(state, command, effects);
		case 'correct-reduction':
		case 'remove-runner':
		case 'return-runner':
			return changeRunner(state, command, effects);
		case 'place-trigger':
		case 'cancel-trigger':
		case 'look-at-triggers':
		case 'fire-triggers':
			return dispatchToTriggers(state, command, effects);
		case 'open-wallet':
		case 'grant-coins':
		case 'transfer':
		case 'set-limits':
		case 'set-self-match':
		case 'set-order-group':
			return dispatchToWallet(state, command, effects);
		case 'open-market':
			return openMarket(state, command, effects);
		case 'suspend-market':
		case 'suspend-runner':
		case 'resume-runner':
		case 'resume-market':
		case 'release-market':
		case 'change-terms':
		case 'turn-in-play':
		case 'close-market':
			return moveMarket(state, command, effects);
		case 'settle-market':
		case 'begin-settlement':
		case 'void-market':
			return endMarket(state, command, effects);
		case 'change-wallets':
		case 'change-bets':
			return changeStep(state, command, effects);
		case 'settle-wallets':
		case 'settle-bets':
			return settleStep(state, command, effects);
		case 'reopen-market':
		case 'resettle-market':
		case 'begin-reversal':
		case 'reverse-wallets':
		case 'void-reversed':
		case 'void-matches':
			return reverse(state, command, effects);
	}
}

type EndOfMarket = (SettleMarket | BeginSettlement | VoidMarket) & { atMs: number };

function endMarket(state: EngineState, command: EndOfMarket, effects: Effects): Outcome {
	switch (command.kind) {
		case 'settle-market':
			return settleMarket(state, command, effects);
		case 'begin-settlement':
			return beginSettlement(state, command, effects);
		case 'void-market':
			return voidMarket(state, command, effects);
	}
}

/** Takes a settlement back, or matches of a market that may be settled. */
function reverse(
	state: EngineState,
	command: Extract<
		Command,
		{
			kind:
				| 'reopen-market'
				| 'resettle-market'
				| 'begin-reversal'
				| 'reverse-wallets'
				| 'void-reversed'
				| 'void-matches';
		}
	>,
	effects: Effects,
): Outcome {
	switch (command.kind) {
		case 'reopen-market':
			return reopenMarket(state, command, effects);
		case 'resettle-market':
			return resettleMarket(state, command, effects);
		case 'begin-reversal':
			return beginReversal(state, command, effects);
		case 'void-matches':
			return voidMatches(state, command, effects);
		default:
			return reverseStep(state, command, effects);
	}
}

type OfCashOut = (CashOut | SetCashOutTarget | ReachCashOutTarget) & { atMs: number };

function dispatchToCashOut(state: EngineState, command: OfCashOut, effects: Effects): Outcome {
	switch (command.kind) {
		case 'cash-out':
			return cashOut(state, command, effects);
		case 'set-cash-out-target':
			return setCashOutTarget(state, command, effects);
		case 'reach-cash-out-target':
			return reachCashOutTarget(state, command, effects);
	}
}

type OfTriggers = (PlaceTrigger | CancelTrigger | LookAtTriggers | FireTriggers) & { atMs: number };

function dispatchToTriggers(state: EngineState, command: OfTriggers, effects: Effects): Outcome {
	switch (command.kind) {
		case 'place-trigger':
			return placeTrigger(state, command, effects);
		case 'cancel-trigger':
			return cancelTrigger(state, command, effects);
		case 'look-at-triggers':
			return lookAtTriggers(state, command, effects);
		case 'fire-triggers':
			return fireTriggers(state, command, effects);
	}
}

/** A wallet that may spend lacks what a walk will leave its bets short of, before the walk has reached it. */
function noteShortOfChanges({ changing, accounts, shortPositions }: EngineState, command: Command): void {
	if (changing.size === 0 || !('walletId' in command) || command.walletId === undefined) return;
	const wallet = accounts.wallets.find(command.walletId);
	if (wallet !== NONE) shortPositions.noteUnchanged(wallet);
}

/** Why a command has to wait for a walk through its market; null for nearly all. */
function refusalMeanwhile(state: EngineState, command: Command): EngineRefusal | null {
	if (state.settling.size > 0 && isOnSettling(state, command)) return 'MARKET_SETTLING';
	return waitsForChange(state, command) ? 'MARKET_CHANGING' : null;
}

/** What is unmatched in a market that is being settled lapses by its settlement, and nothing else happens to it. */
function isOnSettling({ bets, positions, settling }: EngineState, command: Command): boolean {
	if (!('betId' in command) || command.kind === 'place-bet' || command.kind === 'take-quotes') return false;
	const bet = bets.find(command.betId);
	return bet !== NONE && settling.has(positions.marketOf(bets.position(bet)));
}

function viewOf(market: Market): MarketView {
	const { marketId, terms, status, inPlay, version, results, placesPaid, mayBeShort, heldByOperator } = market;
	const suspended = [...market.suspended].map(([runner]) => runner);
	const heldRunners = [...market.heldRunners].map(([runner]) => runner);
	const removed = [...market.removed];
	const removals = market.removals.map((removal) => ({ ...removal }));
	const { nextStep, settlingSinceMs, rounding, reversing } = market;
	const stands = { status, inPlay, version, results, placesPaid, mayBeShort, heldByOperator };
	const changing = market.changing && { ...market.changing };
	const startingPrices = market.startingPrices && market.startingPrices.map((price) => ({ ...price }));
	const walk = { nextStep, settlingSinceMs, roundingLeft: rounding.left, reversing, changing };
	return { marketId, ...terms, ...stands, startingPrices, ...walk, suspended, heldRunners, removed, removals };
}
