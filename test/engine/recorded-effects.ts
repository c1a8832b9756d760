/**
 * Listens to an engine as the server does and keeps the content of the tables: wallets and house accounts from the
 * postings, bets from their effects, markets as last emitted. From that it builds a second engine.
 */
import { createEngine } from '#engine/create-engine.ts';
import type { Effects, LapseReason, MatchAtStart, Posting, TriggerView, VoidReason } from '#engine/effect.ts';
import type { Engine, MarketView, WalletView } from '#engine/engine.ts';
import type { OrderGroupView } from '#engine/order-groups.ts';
import type { RestoredBet } from '#engine/restored-bet.ts';
import type { Pool } from '#values/pools.ts';

export interface Fill {
	taker: number;
	maker: number;
	marketId: number;
	runner: number;
	price: number;
	stake: number;
	takerSide: 0 | 1;
}

export interface KeptBet extends RestoredBet {
	lapsed: number;
	cancelled: number;
	voided: number;
	quote: boolean;
}

export class RecordedEffects implements Effects {
	readonly engine: Engine;
	readonly postings: Posting[] = [];
	readonly fills: Fill[] = [];
	/** Of quotes by the crowd. */
	readonly taken: { betId: number; price: number; stake: number; takerSide: 0 | 1 }[] = [];
	readonly lapses: { betId: number; stake: number; reason: LapseReason }[] = [];
	readonly voids: { betId: number; stake: number; reason: VoidReason }[] = [];
	readonly settledBets: { betId: number; result: 'WON' | 'LOST'; profitExact: number; parts: number }[] = [];
	readonly settledPlayers: {
		marketId: number;
		walletId: number;
		net: number;
		commission: number;
		profit: number;
	}[] = [];
	/** What the bets came to that are settled now, by id. */
	readonly #decided = new Map<number, number>();
	readonly bets = new Map<number, KeptBet>();
	readonly wallets = new Map<number, WalletView>();
	readonly markets = new Map<number, MarketView>();
	readonly house = new Map<string, { kind: string; pool: Pool; owner: number; balance: number }>();
	readonly targets = new Map<string, { marketId: number; walletId: number; target: number | null }>();
	/** As they were told last. */
	readonly triggers = new Map<number, TriggerView>();
	readonly groups = new Map<string, OrderGroupView>();
	/** Number of effects told, whatever they were. */
	told = 0;
	/** Of them, matched parts whose price was reduced, and waiting bets whose price was cut. */
	reduced = 0;
	/** Fills at starting prices, which are no trades of a book. */
	atStart = 0;
	repriced = 0;

	constructor(engine: Engine) {
		this.engine = engine;
	}

	walletOpened(walletId: number, pool: Pool, commissionBp: number | null): void {
		this.told++;
		const quotes = this.engine.wallet(walletId)?.quotes ?? false;
		const known = this.wallets.get(walletId);
		if (known) {
			known.quotes = quotes;
			return;
		}
		this.wallets.set(walletId, {
			walletId,
			pool,
			commissionBp,
			cash: 0,
			exposure: 0,
			hold: 0,
			bonus: 0,
			version: 0,
			limits: null,
			selfMatch: 'REFUSE',
			quotes,
		});
	}

	limitsSet(walletId: number): void {
		this.told++;
		const wallet = this.wallets.get(walletId);
		if (wallet) wallet.limits = this.engine.wallet(walletId)?.limits ?? null;
	}

	selfMatchSet(walletId: number): void {
		this.told++;
		const wallet = this.wallets.get(walletId);
		if (wallet) wallet.selfMatch = this.engine.wallet(walletId)?.selfMatch ?? 'REFUSE';
	}

	posted(posting: Posting): void {
		this.told++;
		this.postings.push({ ...posting });
		this.#add(posting.debit, posting.debitOwner, posting.pool, -posting.amount);
		this.#add(posting.credit, posting.creditOwner, posting.pool, posting.amount);
		const wallet = this.wallets.get(posting.walletId);
		if (wallet) wallet.version++;
	}

	#add(kind: Posting['debit'], owner: number, pool: Pool, amount: number): void {
		if (kind === 'cash' || kind === 'exposure' || kind === 'hold' || kind === 'bonus') {
			const wallet = this.wallets.get(owner);
			if (!wallet) throw new Error(`posting to wallet ${owner}, which nobody opened`);
			wallet[kind] += amount;
			return;
		}
		const key = `${kind} ${pool} ${owner}`;
		const account = this.house.get(key) ?? { kind, pool, owner, balance: 0 };
		account.balance += amount;
		this.house.set(key, account);
	}

	targetSet(marketId: number, walletId: number, target: number | null): void {
		this.told++;
		this.targets.set(`${marketId}.${walletId}`, { marketId, walletId, target });
	}

	marketOpened(marketId: number): void {
		this.marketChanged(marketId);
	}

	marketChanged(marketId: number): void {
		this.told++;
		const market = this.engine.market(marketId);
		if (market) this.markets.set(marketId, market);
	}

	marketStepped(marketId: number): void {
		this.marketChanged(marketId);
	}

	betPlaced(bet: Parameters<Effects['betPlaced']>[0]): void {
		this.told++;
		const nothing = { matched: 0, matchedValue: 0, lapsed: 0, cancelled: 0, voided: 0 };
		this.bets.set(bet.betId, { ...bet, ...nothing, remaining: bet.stake });
	}

	betMatched(
		taker: number,
		maker: number,
		marketId: number,
		runner: number,
		price: number,
		stake: number,
		takerSide: 0 | 1,
	): void {
		this.told++;
		this.fills.push({ taker, maker, marketId, runner, price, stake, takerSide });
		for (const betId of [taker, maker]) {
			const bet = this.#bet(betId);
			bet.remaining -= stake;
			bet.matched += stake;
			bet.matchedValue += stake * price;
		}
	}

	quoteTaken(betId: number, price: number, stake: number, takerSide: 0 | 1): void {
		this.told++;
		this.taken.push({ betId, price, stake, takerSide });
		const bet = this.#bet(betId);
		bet.remaining -= stake;
		bet.cancelled += stake;
	}

	betCancelled(betId: number, stake: number): void {
		this.told++;
		const bet = this.#bet(betId);
		bet.remaining -= stake;
		bet.cancelled += stake;
	}

	betLapsed(betId: number, stake: number, reason: LapseReason): void {
		this.told++;
		const bet = this.#bet(betId);
		bet.remaining -= stake;
		bet.lapsed += stake;
		this.lapses.push({ betId, stake, reason });
	}

	betVoided(betId: number, stake: number, value: number, reason: VoidReason): void {
		this.told++;
		const bet = this.#bet(betId);
		bet.matched -= stake;
		if (bet.matched > 0 || bet.remaining > 0) bet.matchedValue -= value;
		bet.voided += stake;
		this.voids.push({ betId, stake, reason });
	}

	groupChanged(group: OrderGroupView): void {
		this.told++;
		this.groups.set(`${group.walletId}.${group.name}`, group);
	}

	triggerChanged(trigger: TriggerView): void {
		this.told++;
		this.triggers.set(trigger.triggerId, trigger);
	}

	betReopened(bet: RestoredBet): void {
		this.told++;
		this.#decided.delete(bet.betId);
		const kept = this.#bet(bet.betId);
		kept.voided -= bet.matched - kept.matched;
		Object.assign(kept, { matched: bet.matched, matchedValue: bet.matchedValue });
	}

	playerReopened(): void {
		this.told++;
	}

	betDelayed(): void {
		this.told++;
	}

	betAdmitted(): void {
		this.told++;
	}

	matchVoided(): void {
		this.told++;
	}

	betUpdated(betId: number, fate: Parameters<Effects['betUpdated']>[1]): void {
		this.told++;
		Object.assign(this.#bet(betId), fate);
	}

	limitLowered(betId: number, limit: number): void {
		this.told++;
		this.repriced++;
		const bet = this.#bet(betId);
		if (bet.onClose) bet.onClose = { ...bet.onClose, limit };
	}

	betEnteredAuction(betId: number, price: number, stake: number): void {
		this.told++;
		const bet = this.#bet(betId);
		Object.assign(bet, { price, stake: bet.stake + stake - bet.remaining, remaining: stake });
	}

	betMatchedAtStart({ taker, maker, marketId, runner, price, stake, isBack }: MatchAtStart): void {
		this.atStart++;
		this.betMatched(taker, maker, marketId, runner, price, stake, isBack ? 0 : 1);
	}

	betRepriced(betId: number, price: number): void {
		this.told++;
		this.repriced++;
		this.#bet(betId).price = price;
	}

	betReduced(betId: number, matchedValue: number): void {
		this.told++;
		this.reduced++;
		this.#bet(betId).matchedValue = matchedValue;
	}

	betSettled(betId: number, result: 'WON' | 'LOST', profitExact: number, parts: number): void {
		this.told++;
		this.settledBets.push({ betId, result, profitExact, parts });
		this.#decided.set(betId, profitExact);
	}

	playerSettled(marketId: number, walletId: number, net: number, commission: number, profit: number): void {
		this.told++;
		this.settledPlayers.push({ marketId, walletId, net, commission, profit });
		const market = this.engine.market(marketId);
		if (market) this.markets.set(marketId, market);
	}

	#bet(betId: number): KeptBet {
		const bet = this.bets.get(betId);
		if (!bet) throw new Error(`bet ${betId} was never placed`);
		return bet;
	}

	/** The same record, to be changed or continued apart from this one; it listens to `engine`. */
	copy(engine: Engine = this.engine): RecordedEffects {
		const copy = new RecordedEffects(engine);
		copy.postings.push(...this.postings);
		copy.fills.push(...this.fills);
		for (const [id, profit] of this.#decided) copy.#decided.set(id, profit);
		for (const [id, bet] of this.bets) copy.bets.set(id, { ...bet });
		for (const [id, wallet] of this.wallets) copy.wallets.set(id, { ...wallet });
		for (const [id, market] of this.markets) copy.markets.set(id, { ...market });
		for (const [key, account] of this.house) copy.house.set(key, { ...account });
		for (const [key, target] of this.targets) copy.targets.set(key, target);
		for (const [id, trigger] of this.triggers) copy.triggers.set(id, trigger);
		for (const [key, group] of this.groups) copy.groups.set(key, group);
		return copy;
	}

	#isReadFromPostings(marketId: number): boolean {
		const market = this.markets.get(marketId);
		return market !== undefined && (market.removed.length > 0 || market.mayBeShort || market.status === 'SETTLING');
	}

	/**
	 * A new engine from the record, in the order that a recovery must keep.
	 * @param isLookedAt every trigger was looked at since the last bet, as at the end of a batch: what is held follows from
	 *   bets and triggers then, but where the recovery reads it from postings
	 */
	rebuild(isLookedAt = false): Engine {
		const engine = createEngine();
		const decided = this.#decided;
		for (const wallet of this.wallets.values()) engine.restoreWallet({ ...wallet });
		for (const { kind, pool, owner, balance } of this.house.values()) {
			engine.restoreHouseAccount(kind, pool, owner, balance);
		}
		for (const market of this.markets.values()) engine.restoreMarket(market, this.#tradedIn(market));
		for (const group of this.groups.values()) engine.restoreOrderGroup(group);
		for (const bet of this.bets.values()) {
			const status = this.markets.get(bet.marketId)?.status ?? '';
			const paid = ['SETTLED', 'VOIDED'].includes(status) || (status === 'SETTLING' && decided.has(bet.betId));
			const written = bet.quote ? { ...bet, stake: bet.matched + bet.voided, remaining: 0 } : bet;
			if (paid || written.remaining + written.matched === 0) continue;
			engine.restoreBet({ ...written, ...this.engine.betDetail(bet.betId) });
		}
		const triggers = [...this.triggers.values()].filter(({ status }) => status === 'WAITING' || status === 'DUE');
		for (const trigger of triggers) engine.restoreTrigger(trigger);
		for (const { walletId, marketId } of [...this.bets.values(), ...this.triggers.values()]) {
			if (isLookedAt && !this.#isReadFromPostings(marketId)) continue;
			const held = this.engine.marketExposure(walletId, marketId);
			// Its quotes were never matched: nothing is known of it.
			if (held === 0 && engine.marketExposure(walletId, marketId) === 0) continue;
			if (held !== engine.marketExposure(walletId, marketId)) engine.restoreHeld(walletId, marketId, held);
		}
		for (const market of this.markets.values())
			if (market.status === 'SETTLING') this.#restoreParts(engine, market.marketId, decided);
		for (const { walletId, marketId, target } of this.targets.values()) {
			if (target !== null) engine.restoreCashOutTarget(walletId, marketId, target);
		}
		engine.restoreCounters(this.engine.counters());
		return engine;
	}

	/** Wallets that are settled in part. */
	#restoreParts(engine: Engine, marketId: number, decided: ReadonlyMap<number, number>): void {
		const ofMarket = [...this.bets.values()].filter((bet) => bet.marketId === marketId);
		for (const [walletId, bets] of Map.groupBy(ofMarket, (bet) => bet.walletId)) {
			const profits = bets.flatMap(({ betId }) => decided.get(betId) ?? []);
			const isOpen = bets.some(({ betId, matched, remaining }) => !decided.has(betId) && matched + remaining > 0);
			if (!isOpen || profits.length === 0) continue;
			engine.restoreDecided(walletId, marketId, BigInt(profits.reduce((sum, profit) => sum + profit, 0)));
		}
	}

	#tradedIn(market: MarketView) {
		return market.pools.flatMap((pool) =>
			Array.from({ length: market.runners }, (_, runner) => {
				const fills = this.fills.filter(
					(fill) => fill.marketId === market.marketId && fill.runner === runner && this.#bet(fill.taker).pool === pool,
				);
				const totalMatched = fills.reduce((sum, { stake }) => sum + stake, 0);
				return { pool, runner, lastPriceTraded: fills.at(-1)?.price ?? null, totalMatched };
			}),
		);
	}
}
