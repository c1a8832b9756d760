/** Wallets, live bets, markets and books as of the last durable batch. Answers and images are read from here. */
import type { TriggerView } from '#engine/effect.ts';
import type { MarketView } from '#engine/engine.ts';
import type { OrderGroupView } from '#engine/order-groups.ts';
import type { Committed } from '#server/exchange/committed.ts';
import type { BetRecord, Book, CashOutTarget, ProfitLoss, WalletRecord } from '#server/exchange/exchange.ts';
import type { BatchRows, BetRow, TargetRow } from '#server/exchange/order/batch-rows.ts';
import { LiveBets } from '#server/exchange/order/live-bets.ts';
import { DurableBets } from '#server/exchange/views/durable-bets.ts';
import { positionOf } from '#server/exchange/views/own-position.ts';
import { exposureMinor, netIfWins, shownNets } from '#values/exposure.ts';
import type { BetId, MarketId, WalletId } from '#values/ids.ts';
import type { Pool } from '#values/pools.ts';

export class DurableViews {
	readonly #wallets = new Map<number, WalletRecord>();
	readonly #markets = new Map<number, MarketView>();
	readonly #books = new Map<string, Book>();
	readonly #bets = new DurableBets();
	/** The bets as the commands so far left them, durable or not. */
	readonly liveBets = new LiveBets(this.#bets);
	/** Cash-out targets by market and wallet. */
	readonly #targets = new Map<number, Map<number, number>>();
	/** Those that wait or are due, by wallet and id. */
	readonly #triggers = new Map<WalletId, Map<BetId, TriggerView>>();
	readonly #groups = new Map<WalletId, Map<string, OrderGroupView>>();

	wallet(walletId: WalletId): WalletRecord | null {
		return this.#wallets.get(walletId) ?? null;
	}
	market(marketId: MarketId): MarketView | null {
		return this.#markets.get(marketId) ?? null;
	}
	get marketCount(): number {
		return this.#markets.size;
	}
	markets(): Iterable<MarketView> {
		return this.#markets.values();
	}
	book(marketId: MarketId, pool: Pool): Book | null {
		return this.#books.get(`${marketId}.${pool}`) ?? null;
	}
	bet(betId: BetId): BetRecord | null {
		return this.#bets.get(betId);
	}
	betsIn(marketIds: readonly MarketId[]): BetRecord[] {
		return this.#bets.inMarkets(marketIds);
	}
	eachBetIn(marketIds: readonly MarketId[]): Iterable<BetRecord> {
		return this.#bets.eachIn(marketIds);
	}
	openBets(walletId: WalletId, marketId?: MarketId): BetRecord[] {
		return marketId === undefined ? [...this.#bets.ofWallet(walletId)] : this.#bets.ofWalletIn(walletId, marketId);
	}

	profitLoss(walletId: WalletId, marketId: MarketId): ProfitLoss | null {
		const market = this.#markets.get(marketId);
		const bets = this.openBets(walletId, marketId);
		const triggers = this.triggers(walletId).filter((trigger) => trigger.marketId === marketId);
		if (!market || bets.length + triggers.length === 0) return null;
		const position = positionOf(market, bets, triggers);
		return {
			runners: shownNets(position),
			exact: Array.from({ length: position.runners }, (_, runner) => netIfWins(position, runner)),
			exposure: exposureMinor(position),
		};
	}

	cashOutTarget(walletId: WalletId, marketId: MarketId): number | null {
		return this.#targets.get(marketId)?.get(walletId) ?? null;
	}
	hasCashOutTargets(marketId: MarketId): boolean {
		return this.#targets.has(marketId);
	}
	*cashOutTargets(marketId: MarketId): Generator<CashOutTarget> {
		for (const [walletId, target] of this.#targets.get(marketId) ?? []) yield { walletId, target };
	}

	/** Oldest first. */
	triggers(walletId: WalletId): TriggerView[] {
		return [...(this.#triggers.get(walletId)?.values() ?? [])];
	}

	/** The groups of a wallet's bets, by name. */
	orderGroups(walletId: WalletId): OrderGroupView[] {
		return [...(this.#groups.get(walletId)?.values() ?? [])].sort((one, other) => (one.name < other.name ? -1 : 1));
	}

	setGroup(group: OrderGroupView): void {
		const own = this.#groups.get(group.walletId) ?? new Map<string, OrderGroupView>();
		own.set(group.name, group);
		this.#groups.set(group.walletId, own);
	}

	setTrigger(trigger: TriggerView): void {
		const { walletId, triggerId, status } = trigger;
		const own = this.#triggers.get(walletId) ?? new Map<BetId, TriggerView>();
		if (status === 'WAITING' || status === 'DUE') own.set(triggerId, trigger);
		else own.delete(triggerId);
		if (own.size > 0) this.#triggers.set(walletId, own);
		else this.#triggers.delete(walletId);
	}

	setTarget({ marketId, walletId, target }: TargetRow): void {
		const ofMarket = this.#targets.get(marketId) ?? new Map<number, number>();
		if (target === null) ofMarket.delete(walletId);
		else ofMarket.set(walletId, target);
		if (ofMarket.size > 0) this.#targets.set(marketId, ofMarket);
		else this.#targets.delete(marketId);
	}

	setWallet(wallet: WalletRecord): void {
		this.#wallets.set(wallet.walletId, wallet);
	}
	setMarket(market: MarketView): void {
		this.#markets.set(market.marketId, market);
	}
	setBook(book: Book): void {
		this.#books.set(`${book.marketId}.${book.pool}`, book);
	}

	/** Markets that are settled or void. */
	settledMarkets(): number[] {
		return [...this.#markets.values()]
			.filter(({ status }) => status === 'SETTLED' || status === 'VOIDED')
			.map(({ marketId }) => marketId);
	}
	/** Removes a market and its books from memory. */
	forgetMarket(marketId: MarketId): void {
		for (const pool of this.#markets.get(marketId)?.pools ?? []) this.#books.delete(`${marketId}.${pool}`);
		this.#markets.delete(marketId);
	}

	/** A bet of the tables that has not ended. */
	restoreBet(bet: BetRow): void {
		this.liveBets.restore(bet);
	}

	/** Applies a durable batch and returns what changed. */
	apply(batchSeq: number, batch: BatchRows): Committed {
		for (const wallet of batch.wallets) this.setWallet(wallet);
		for (const { traded: _, ...market } of batch.markets) this.setMarket(market);
		for (const bet of batch.touchedBets) {
			if (bet.endedAtMs === null) this.#bets.set(bet);
			else this.#bets.remove(bet.betId);
		}
		this.liveBets.durable();
		for (const target of batch.targets) this.setTarget(target);
		for (const trigger of batch.triggers) this.setTrigger(trigger);
		for (const group of batch.groups) this.setGroup(group);
		const books = batch.books.map((book) => ({ ...book, version: batchSeq }));
		for (const book of books) this.setBook(book);
		return {
			batchSeq,
			atMs: batch.atMs,
			wallets: batch.wallets,
			bets: batch.touchedBets,
			betEvents: batch.betEvents,
			targets: batch.targets,
			triggers: batch.triggers,
			workflows: batch.workflows,
			trades: batch.trades,
			settlements: batch.settlements.map((settlement) => ({ ...settlement, atMs: batch.atMs })),
			postings: batch.postings,
			markets: batch.markets.filter(({ marketId }) => batch.changedMarkets.has(marketId)),
			books,
		};
	}
}
