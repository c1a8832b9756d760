/**
 * Collects what the commands of one batch did. The engine reports effects to the batch. Sealing turns them into the
 * rows to write and into the news for the durable views and the publisher.
 */
import type { BetFill } from '#engine/bet-detail.ts';
import type { Effects, MatchAtStart, Posting, TriggerView } from '#engine/effect.ts';
import type { Engine, MarketView } from '#engine/engine.ts';
import type { OrderGroupView } from '#engine/order-groups.ts';
import type { RestoredBet } from '#engine/restored-bet.ts';
import type { BetEvent, BetReferences, Book } from '#server/exchange/exchange.ts';
import { MARKET, marketAtRisk, NOTHING_AT_RISK, type RiskRow } from '#server/exchange/ledger/money-at-risk.ts';
import { gainOf } from '#server/exchange/ledger/result-gain.ts';
import type {
	BatchRows,
	BetRow,
	BetTermsRow,
	MarketEventRow,
	MarketRow,
	MatchRow,
	PostingRow,
	RequestRow,
	SettlementRow,
	TargetRow,
	Trade,
	WalletRow,
} from '#server/exchange/order/batch-rows.ts';
import type { EngineInput } from '#server/exchange/order/engine-input.ts';
import type { LiveBets } from '#server/exchange/order/live-bets.ts';
import {
	type RoundAtRisk,
	type Workflow,
	type WorkflowClaim,
	type WorkflowStep,
	workflowKey,
} from '#server/exchange/order/workflow.ts';
import type { PlannedStep } from '#server/exchange/order/workflows.ts';
import { BOOK_DEPTH } from '#values/hedge.ts';
import type { BetId, MarketId, WalletId } from '#values/ids.ts';
import type { AnyMinor } from '#values/money.ts';
import { currencyOf, FIRST_PLAYER_ID, POOLS, type Pool, poolCode } from '#values/pools.ts';
import type { AnyPrice } from '#values/price-ladder.ts';

/** Fields of a quote that its row in the tables depends on. */
const LASTING: ReadonlySet<BetEvent['event']> = new Set(['MATCHED', 'VOIDED', 'REDUCED', 'SETTLED']);

/** A step of a walk through a market. */
export interface WalkStep {
	/** How many bets it took. */
	bets: number;
	/** In the engine, milliseconds. */
	tookMs: number;
}

export class Batch implements Effects {
	readonly requests: RequestRow[] = [];
	readonly #inputs: EngineInput[] = [];
	readonly #keepsInputs: boolean;
	mustBeWritten = false;
	commands = 0;
	/** The one that joined it; no batch has more. */
	step: WalkStep | null = null;
	readonly #bets: LiveBets;
	readonly #unwrittenTrades: Set<MarketId>;
	readonly #touchedBets = new Set<BetRow>();
	/** Those whose result is all that changed. The row of a quote may lack what became of it before. */
	readonly #settledBets = new Set<BetId>();
	/** Quotes that changed in a way the ledger must keep. */
	readonly #lastingQuotes = new Set<BetRow>();
	readonly #wallets = new Set<number>();
	readonly #changedWallets = new Set<number>();
	readonly #house = new Map<string, { kind: string; pool: Pool; owner: number }>();
	readonly #markets = new Set<number>();
	readonly #changedMarkets = new Set<number>();
	readonly #postings: PostingRow[] = [];
	readonly #matches: MatchRow[] = [];
	readonly #trades: Trade[] = [];
	readonly #marketEvents: MarketEventRow[] = [];
	/** When each last changed. */
	readonly #marketChangedAt = new Map<MarketId, number>();
	readonly #voidMatches: { batch: number; rowNumber: number }[] = [];
	/** By market and wallet, because one batch can reopen and settle a market again. */
	readonly #settlements = new Map<string, SettlementRow>();
	/** The bets of players that these settlements decided, by market and wallet. */
	readonly #decided = new Map<MarketId, Map<WalletId, BetRow[]>>();
	/** By game, round and wallet: each bet of a player on one round says the same. */
	readonly #roundRisks = new Map<string, RiskRow & { atMs: number }>();
	readonly #gained = new Map<WalletId, AnyMinor>();
	/** By market and wallet. */
	readonly #targets = new Map<string, TargetRow>();
	readonly #triggers = new Map<BetId, TriggerView>();
	/** By wallet and name. */
	readonly #groups = new Map<string, OrderGroupView>();
	/** By kind and id. */
	readonly #workflows = new Map<string, Workflow>();
	readonly #workflowSteps: WorkflowStep[] = [];
	readonly #workflowClaims: WorkflowClaim[] = [];
	readonly #references: BatchRows['references'] = [];
	readonly #terms: (BetTermsRow & { quote: boolean })[] = [];
	readonly #betEvents: BetEvent[] = [];
	#atMs = 0;

	/**
	 * `bets` holds the live bets as applied so far. The batch keeps them up to date and hands them to the next batch, with the
	 * markets of trades that no row has yet.
	 * @param keepsInputs for command rows
	 */
	constructor(
		bets: LiveBets,
		{
			unwrittenTrades = new Set(),
			keepsInputs = false,
		}: { unwrittenTrades?: Set<MarketId>; keepsInputs?: boolean } = {},
	) {
		this.#bets = bets;
		this.#unwrittenTrades = unwrittenTrades;
		this.#keepsInputs = keepsInputs;
	}

	/** Called before each command. */
	begin(atMs: number): void {
		this.#atMs = atMs;
		this.commands++;
	}

	/** Records the steps of a transfer. The engine reports its postings. */
	stepped(changes: readonly PlannedStep[]): void {
		for (const { workflow, step, claims, atRisk } of changes) {
			this.#workflows.set(workflowKey(workflow.kind, workflow.id), workflow);
			this.#workflowSteps.push(step);
			this.#workflowClaims.push(...claims);
			if (atRisk) this.#roundDecided(workflow, atRisk);
		}
	}

	#roundDecided({ id, walletId, openedAtMs, atMs }: Workflow, { game, round, amount }: RoundAtRisk): void {
		const ref = round ?? id;
		const row = { walletId, what: game, ref, sinceMs: openedAtMs, atMs, amount, longAmount: amount, worths: null };
		this.#roundRisks.set(`${game} ${ref} ${walletId}`, row);
	}

	/** Records the names of a bet that the last command placed. */
	named(betId: BetId, references: BetReferences): void {
		this.#references.push({ betId, ...references });
		const row = this.#bets.forChange(betId);
		if (row) row.references = references;
	}

	walletOpened(walletId: WalletId): void {
		this.#wallets.add(walletId);
		this.#changedWallets.add(walletId);
	}

	limitsSet(walletId: WalletId): void {
		this.#wallets.add(walletId);
		this.#changedWallets.add(walletId);
	}

	selfMatchSet(walletId: WalletId): void {
		this.#wallets.add(walletId);
	}

	targetSet(marketId: MarketId, walletId: WalletId, target: AnyMinor | null): void {
		this.#targets.set(`${marketId}.${walletId}`, { marketId, walletId, target });
	}

	groupChanged(group: OrderGroupView): void {
		this.#groups.set(`${group.walletId}.${group.name}`, group);
	}

	triggerChanged(trigger: TriggerView): void {
		this.#triggers.set(trigger.triggerId, trigger);
	}

	posted(posting: Posting): void {
		this.#postings.push({ ...posting, atMs: this.#atMs });
		const gain = gainOf(posting);
		if (gain !== 0) this.#gained.set(posting.walletId, this.gainedBy(posting.walletId) + gain);
		this.#account(posting.debit, posting.pool, posting.debitOwner);
		this.#account(posting.credit, posting.pool, posting.creditOwner);
	}

	#account(kind: string, pool: Pool, owner: number): void {
		if (kind === 'cash' || kind === 'exposure' || kind === 'hold' || kind === 'bonus') this.#wallets.add(owner);
		else this.#house.set(`${kind}.${pool}.${owner}`, { kind, pool, owner });
	}

	marketOpened(marketId: MarketId): void {
		this.marketChanged(marketId);
	}

	marketChanged(marketId: MarketId): void {
		this.#markets.add(marketId);
		this.#changedMarkets.add(marketId);
		this.#marketChangedAt.set(marketId, this.#atMs);
	}

	marketStepped(marketId: MarketId): void {
		this.#markets.add(marketId);
	}

	betPlaced(bet: Parameters<Effects['betPlaced']>[0]): void {
		const row: BetRow = {
			...bet,
			placedAtMs: this.#atMs,
			matchedAtMs: null,
			matched: 0,
			matchedValue: 0,
			remaining: bet.stake,
			cancelled: 0,
			lapsed: 0,
			voided: 0,
			result: null,
			profitExact: null,
			parts: 1,
			fills: null,
			delay: null,
			endedAtMs: null,
			queuedAfter: null,
		};
		this.#bets.add(row);
		if (bet.terms) this.#terms.push({ betId: bet.betId, quote: bet.quote, ...bet.terms });
		this.#happened(row, 'PLACED', bet.stake);
	}

	betMatched(
		takerBetId: BetId,
		makerBetId: BetId,
		marketId: MarketId,
		runner: number,
		price: AnyPrice,
		stake: AnyMinor,
		takerSide: number,
	): void {
		const trade = { marketId, runner, price, stake, takerSide, atMs: this.#atMs };
		this.#matches.push({ takerBetId, makerBetId, ...trade });
		this.#trades.push({ ...trade, pool: this.#bet(makerBetId).pool });
		this.#markets.add(marketId);
		for (const row of [this.#bet(takerBetId), this.#bet(makerBetId)]) this.#matched(row, { price, stake });
	}

	#matched(row: BetRow, { price, stake }: Pick<MatchRow, 'price' | 'stake'>): void {
		row.matched += stake;
		row.matchedValue += stake * price;
		row.matchedAtMs = this.#atMs;
		row.remaining -= stake;
		this.#happened(row, 'MATCHED', stake);
	}

	quoteTaken(betId: BetId, price: AnyPrice, stake: AnyMinor, takerSide: number): void {
		const row = this.#bet(betId);
		const { marketId, pool, runner } = row;
		this.#trades.push({ marketId, pool, runner, price, stake, takerSide, atMs: this.#atMs });
		this.#unwrittenTrades.add(marketId);
		row.cancelled += stake;
		this.#taken(row, stake);
		this.#touchedBets.add(row);
	}

	betCancelled(betId: BetId, stake: AnyMinor): void {
		const row = this.#bet(betId);
		row.cancelled += stake;
		this.#taken(row, stake);
		this.#noteEvent(row, 'CANCELLED', { stake });
		this.#happened(row, 'CANCELLED', stake);
	}

	betUpdated(betId: BetId, fate: Parameters<Effects['betUpdated']>[1]): void {
		const row = this.#bet(betId);
		Object.assign(row, fate);
		this.#touchedBets.add(row);
	}

	limitLowered(betId: BetId, limit: AnyPrice): void {
		const row = this.#bet(betId);
		if (row.onClose) row.onClose = { ...row.onClose, limit };
		this.#happened(row, 'REDUCED', row.remaining, 'RUNNER_REMOVED');
	}

	betEnteredAuction(betId: BetId, price: AnyPrice, stake: AnyMinor): void {
		const row = this.#bet(betId);
		row.price = price;
		row.stake += stake - row.remaining;
		row.remaining = stake;
		this.#touchedBets.add(row);
	}

	betMatchedAtStart({ taker, maker, isBack, ...match }: MatchAtStart): void {
		const takerSide = isBack ? 0 : 1;
		this.#matches.push({ takerBetId: taker, makerBetId: maker, takerSide, atMs: this.#atMs, ...match });
		this.#markets.add(match.marketId);
		for (const betId of [taker, maker]) this.#matched(this.#bet(betId), match);
	}

	betLapsed(betId: BetId, stake: AnyMinor, reason: NonNullable<BetEvent['reason']>): void {
		const row = this.#bet(betId);
		row.lapsed += stake;
		this.#taken(row, stake);
		this.#noteEvent(row, 'LAPSED', { stake });
		this.#happened(row, 'LAPSED', stake, reason);
	}

	matchVoided(batch: number, rowNumber: number): void {
		this.#voidMatches.push({ batch, rowNumber });
	}

	betVoided(
		betId: BetId,
		stake: AnyMinor,
		value: number,
		reason: NonNullable<BetEvent['reason']>,
		fills: readonly BetFill[] | null = null,
	): void {
		const row = this.#bet(betId);
		// The engine may forget the bet before the batch is sealed.
		if (fills) row.fills = fills;
		row.voided += stake;
		row.matched -= stake;
		// A void bet keeps its matched value, because it counts again if its market is reopened.
		if (row.matched > 0 || row.remaining > 0) row.matchedValue -= value;
		if (row.matched === 0 && row.remaining === 0) {
			row.result = 'VOID';
			row.profitExact = 0;
			this.#end(row);
		}
		this.#happened(row, 'VOIDED', stake, reason);
	}

	betReopened(bet: RestoredBet): void {
		const row: BetRow = { ...(bet as BetRow), result: null, profitExact: null, parts: 1, endedAtMs: null };
		row.quote = false;
		row.voided = row.stake - row.matched - row.cancelled - row.lapsed;
		this.#bets.add(row);
		this.#happened(row, 'REOPENED', row.matched);
	}

	playerReopened(marketId: MarketId, walletId: WalletId): void {
		this.#decided.get(marketId)?.delete(walletId);
		this.playerSettled(marketId, walletId, 0, 0, 0);
	}

	betDelayed(betId: BetId): void {
		this.#noteEvent(this.#bet(betId), 'DELAYED');
		this.#touchedBets.add(this.#bet(betId));
	}

	betAdmitted(betId: BetId): void {
		this.#noteEvent(this.#bet(betId), 'ADMITTED');
		this.#touchedBets.add(this.#bet(betId));
	}

	betRepriced(betId: BetId, price: AnyPrice): void {
		const row = this.#bet(betId);
		this.#noteEvent(row, 'REPRICED', { price: row.price });
		row.price = price;
		this.#happened(row, 'REDUCED', row.remaining, 'RUNNER_REMOVED');
	}

	betReduced(betId: BetId, matchedValue: number, fills: readonly BetFill[]): void {
		const row = this.#bet(betId);
		// The engine may forget the bet before the batch is sealed.
		row.fills = fills;
		row.matchedValue = matchedValue;
		this.#happened(row, 'REDUCED', row.matched, 'RUNNER_REMOVED');
	}

	betSettled(betId: BetId, result: 'WON' | 'LOST', profitExact: number, parts: number): void {
		const row = this.#bet(betId);
		row.result = result;
		row.profitExact = profitExact;
		row.parts = parts;
		if (row.walletId >= FIRST_PLAYER_ID) this.#decidedOf(row.marketId, row.walletId).push(row);
		this.#end(row);
		this.#happened(row, 'SETTLED', row.matched);
	}

	playerSettled(marketId: MarketId, walletId: WalletId, net: AnyMinor, commission: AnyMinor, profit: number): void {
		this.#settlements.set(`${marketId}.${walletId}`, { marketId, walletId, net, commission, profit });
		// It has the number of the next posting.
		this.#markets.add(marketId);
	}

	#decidedOf(marketId: MarketId, walletId: WalletId): BetRow[] {
		let byWallet = this.#decided.get(marketId);
		if (!byWallet) this.#decided.set(marketId, (byWallet = new Map()));
		let bets = byWallet.get(walletId);
		if (!bets) byWallet.set(walletId, (bets = []));
		return bets;
	}

	#bet(betId: BetId): BetRow {
		const row = this.#bets.forChange(betId);
		if (!row) throw new Error(`the engine spoke of bet ${betId}, which the batch does not know`);
		return row;
	}

	#taken(row: BetRow, stake: AnyMinor): void {
		row.remaining -= stake;
		if (row.remaining === 0 && row.matched === 0) this.#end(row);
	}

	#end(row: BetRow): void {
		this.#bets.end(row, this.#atMs);
	}

	#happened(row: BetRow, event: BetEvent['event'], stake: AnyMinor, reason?: BetEvent['reason']): void {
		if (event !== 'SETTLED') this.#settledBets.delete(row.betId);
		else if (!(row.quote || this.#touchedBets.has(row))) this.#settledBets.add(row.betId);
		this.#touchedBets.add(row);
		if (row.quote && LASTING.has(event)) this.#lastingQuotes.add(row);
		this.#betEvents.push(reason ? { betId: row.betId, event, stake, reason } : { betId: row.betId, event, stake });
	}

	/** Unmatched quotes are in no table. */
	#noteEvent(
		{ betId, marketId, quote }: BetRow,
		what: MarketEventRow['what'],
		more: Pick<MarketEventRow, 'stake' | 'price'> = {},
	): void {
		if (!quote) this.#marketEvents.push({ atMs: this.#atMs, marketId, what, betId, ...more });
	}

	/** The states of the markets that changed, as they stand after the batch. */
	#marketStates(engine: Engine): MarketEventRow[] {
		return [...this.#marketChangedAt].flatMap(([marketId, atMs]) => {
			const market = engine.market(marketId);
			return market ? [{ atMs, marketId, what: 'MARKET' as const, market }] : [];
		});
	}

	/** Minor units that the batch's commands made a wallet gain by results so far; below zero for a loss. */
	gainedBy(walletId: WalletId): AnyMinor {
		return this.#gained.get(walletId) ?? 0;
	}

	/** Notes what changed the engine, where command rows are kept. */
	took(input: EngineInput): void {
		if (this.#keepsInputs) this.#inputs.push(input);
	}

	/** How many postings the batch's commands made so far. */
	get postingCount(): number {
		return this.#postings.length;
	}

	/** Writes what the crowd traded of quotes; otherwise the next row of its market has it. @param isMeant the markets to write; all without it */
	writeTrades(isMeant: (marketId: MarketId) => boolean = () => true): void {
		for (const marketId of this.#unwrittenTrades) if (isMeant(marketId)) this.#markets.add(marketId);
	}

	/** Whether the batch writes that market's row. */
	concerns(marketId: MarketId): boolean {
		return this.#markets.has(marketId);
	}

	/** The rows, read from the engine as it stands right after the batch's last command. */
	seal(engine: Engine): BatchRows {
		const touchedBets: BetRow[] = [];
		const bets: BetRow[] = [];
		for (const row of this.#touchedBets) {
			const bet = rowWithDetail(row, engine);
			touchedBets.push(bet);
			if (!bet.quote) bets.push(bet);
			else if (this.#lastingQuotes.has(row)) bets.push(...rowOfQuote(bet, this.#atMs));
		}
		this.#bets.sealed();
		for (const marketId of this.#markets) this.#unwrittenTrades.delete(marketId);
		return {
			atMs: this.#atMs,
			wallets: [...this.#wallets].map((walletId) => walletRow(engine, walletId)),
			house: [...this.#house.values()].map((account) => ({
				...account,
				balance: engine.houseBalance(account.kind, account.pool, account.owner),
			})),
			postings: this.#postings,
			markets: [...this.#markets].map((marketId) => marketRow(engine, marketId)),
			bets,
			settledBets: this.#settledBets,
			touchedBets,
			matches: this.#matches,
			trades: this.#trades,
			marketEvents: [...this.#marketEvents, ...this.#marketStates(engine)],
			voidMatches: this.#voidMatches,
			requests: this.requests,
			references: this.#references,
			terms: this.#terms.filter(({ quote }) => !quote),
			settlements: [...this.#settlements.values()],
			risks: [...this.#marketRisks(engine), ...this.#roundRisks.values()],
			targets: [...this.#targets.values()],
			triggers: [...this.#triggers.values()],
			groups: [...this.#groups.values()],
			workflows: [...this.#workflows.values()],
			workflowSteps: this.#workflowSteps,
			workflowClaims: this.#workflowClaims,
			receiptRoots: [],
			events: [],
			betEvents: this.#betEvents,
			changedWallets: this.#changedWallets,
			changedMarkets: this.#changedMarkets,
			books: booksOf(touchedBets, engine),
			digest: engine.hash(),
			counters: engine.counters(),
			inputs: this.#inputs,
			mustBeWritten: this.mustBeWritten,
		};
	}

	/** Once the batch's bets have their fills. */
	#marketRisks(engine: Engine): BatchRows['risks'] {
		const risks: BatchRows['risks'] = [];
		let market: MarketView | null = null;
		for (const { marketId, walletId } of this.#settlements.values()) {
			if (walletId < FIRST_PLAYER_ID) continue;
			const bets = this.#decided.get(marketId)?.get(walletId) ?? [];
			// A step settles many wallets of one market.
			if (market?.marketId !== marketId) market = engine.market(marketId);
			const atRisk = market && bets.length > 0 ? marketAtRisk(market, bets) : NOTHING_AT_RISK;
			const sinceMs = bets.reduce((first, { placedAtMs }) => Math.min(first, placedAtMs), this.#atMs);
			risks.push({ walletId, what: MARKET, ref: marketId, sinceMs, atMs: this.#atMs, ...atRisk });
		}
		return risks;
	}
}

/** The engine forgets a bet when it is settled. Its fills are kept as they last were, for a reopening of the market. */
function rowWithDetail(row: BetRow, engine: Engine): BetRow {
	const detail = engine.betDetail(row.betId);
	const valueOf = (fills: BetRow['fills']) => (fills ?? []).reduce((sum, { stake, price }) => sum + stake * price, 0);
	const keeps = row.endedAtMs !== null && valueOf(row.fills) === row.matchedValue;
	row.fills = keeps ? row.fills : detail.fills;
	return { ...row, delay: detail.delay, queuedAfter: detail.queuedAfter };
}

/**
 * The matched part of a quote, or nothing for a quote that was never matched. The unmatched part lives in memory only,
 * so cancelling it does not change the row.
 */
function rowOfQuote(bet: BetRow, atMs: number): BetRow[] {
	const stake = bet.matched + bet.voided;
	if (stake === 0) return [];
	const row = { ...bet, stake, remaining: 0, cancelled: 0, lapsed: 0, delay: null };
	if (bet.matched > 0 || bet.result !== null) return [row];
	// All its matches are void. The row becomes open again if the unmatched part is matched later.
	return [{ ...row, result: 'VOID', profitExact: 0, endedAtMs: atMs }];
}

function walletRow(engine: Engine, walletId: WalletId): WalletRow {
	const wallet = engine.wallet(walletId);
	if (!wallet) throw new Error(`no wallet ${walletId} in the engine`);
	return { ...wallet, currency: currencyOf(wallet.pool) };
}

function marketRow(engine: Engine, marketId: MarketId): MarketRow {
	const market = engine.market(marketId);
	if (!market) throw new Error(`no market ${marketId} in the engine`);
	const traded: MarketRow['traded'] = [];
	for (const pool of market.pools) {
		for (let runner = 0; runner < market.runners; runner++) {
			const matched = engine.totalMatched(marketId, pool, runner);
			if (matched > 0) traded.push([pool, runner, engine.lastPriceTraded(marketId, pool, runner), matched]);
		}
	}
	return { ...market, traded };
}

/** The books of these bets. */
function booksOf(bets: readonly BetRow[], engine: Engine): BatchRows['books'] {
	const books = new Map<number, { marketId: MarketId; pool: Pool }>();
	for (const { marketId, pool } of bets) {
		const book = marketId * POOLS.length + poolCode(pool);
		if (!books.has(book)) books.set(book, { marketId, pool });
	}
	return [...books.values()].map(({ marketId, pool }) => bookOf(engine, marketId, pool));
}

/** The book as it stands, ten levels deep. */
export function bookOf(engine: Engine, marketId: MarketId, pool: Pool): Omit<Book, 'version'> {
	const runners = engine.market(marketId)?.runners ?? 0;
	const book: Omit<Book, 'version'> = { marketId, pool, totalMatched: 0, runners: [] };
	for (let runner = 0; runner < runners; runner++) {
		const totalMatched = engine.totalMatched(marketId, pool, runner);
		book.totalMatched += totalMatched;
		book.runners.push({
			runner,
			lastPriceTraded: engine.lastPriceTraded(marketId, pool, runner),
			totalMatched,
			back: engine.levels(marketId, pool, runner, 1, BOOK_DEPTH),
			lay: engine.levels(marketId, pool, runner, 0, BOOK_DEPTH),
		});
	}
	return book;
}
