/**
 * The bets as the commands so far left them. Only those that changed since the last durable batch are kept here; the others are
 * the durable ones, so a bet is in memory once.
 */
import type { BetRow } from '#server/exchange/order/batch-rows.ts';
import { type QuotedMarket, StandingQuotes } from '#server/exchange/order/standing-quotes.ts';
import type { BetRest, DurableBets } from '#server/exchange/views/durable-bets.ts';
import { Counts } from '#values/counts.ts';
import type { BetId, MarketId, WalletId } from '#values/ids.ts';

export class LiveBets {
	readonly #durable: DurableBets;
	/** Bets that the open batch changes. */
	#open = new Map<BetId, BetRow>();
	/**
	 * The same of each sealed batch that is not durable yet, in their order; null for those that ended. The open batch
	 * changes a row of theirs where it stands, because rows were copied when they were sealed.
	 */
	readonly #sealed: Map<BetId, BetRow | null>[] = [];
	/** The bets of each wallet, without those that ended in the open batch. */
	readonly #ofWallet = new Counts<WalletId>();
	/** As the sealed batches left them. */
	readonly #quotes = new StandingQuotes();
	#size = 0;

	/** @param durable without bets: what is restored comes through `restore` */
	constructor(durable: DurableBets) {
		this.#durable = durable;
	}

	/** Enters a bet of the tables, where an exchange begins. */
	restore(row: BetRow): void {
		this.#durable.set(row);
		this.#size++;
		this.#ofWallet.add(row.walletId);
		this.#quotes.set(row);
	}

	/** Bets, with those that ended in the open batch. */
	get size(): number {
		return this.#size;
	}

	/** How many bets of the wallet have not ended. */
	countOf(walletId: WalletId): number {
		return this.#ofWallet.of(walletId);
	}

	/** The bet, as the open batch may change it; undefined for one that ended in an earlier batch, or that never was. */
	forChange(betId: BetId): BetRow | undefined {
		const open = this.#open.get(betId);
		if (open !== undefined) return open;
		const row = this.#look(betId);
		if (row) this.#open.set(betId, row);
		return row ?? undefined;
	}

	/** The bet, not to be changed. */
	get(betId: BetId): Readonly<BetRow> | undefined {
		return this.#open.get(betId) ?? this.#look(betId) ?? undefined;
	}

	/** The market of a bet. */
	marketOf(betId: BetId): MarketId | undefined {
		const changed = this.#open.get(betId) ?? this.#lastSealed(betId);
		return changed === undefined ? this.#durable.marketOf(betId) : changed?.marketId;
	}

	#look(betId: BetId): BetRow | null {
		const sealed = this.#lastSealed(betId);
		return sealed === undefined ? this.#durable.get(betId) : sealed;
	}

	/** As the last sealed batch that changed it left it; undefined where none did. */
	#lastSealed(betId: BetId): BetRow | null | undefined {
		for (let at = this.#sealed.length - 1; at >= 0; at--) {
			const row = this.#sealed[at]?.get(betId);
			if (row !== undefined) return row;
		}
		return undefined;
	}

	/** Adds a bet that was placed, or that is open again. */
	add(row: BetRow): void {
		if (this.get(row.betId) === undefined) this.#size++;
		this.#ofWallet.add(row.walletId);
		this.#open.set(row.betId, row);
	}

	/** Ends a bet of the open batch. */
	end(row: BetRow, atMs: number): void {
		if (row.endedAtMs === null) this.#ofWallet.remove(row.walletId);
		row.endedAtMs = atMs;
	}

	/** The open batch is sealed: what changes from now on is of the next one. Bets that ended are forgotten. */
	sealed(): void {
		const sealed = new Map<BetId, BetRow | null>();
		for (const [betId, row] of this.#open) {
			const hasEnded = row.endedAtMs !== null;
			if (hasEnded) this.#size--;
			sealed.set(betId, hasEnded ? null : row);
			this.#quotes.set(row);
		}
		this.#sealed.push(sealed);
		this.#open = new Map();
	}

	/** The first of the sealed batches is durable. */
	durable(): void {
		this.#sealed.shift();
	}

	/** The markets in which wallets of the house have unmatched quotes. */
	quotedMarkets(): QuotedMarket[] {
		return this.#quotes.markets(this.#open.values());
	}

	/** Those of the meant wallets that have an unmatched bet in a market that counts. Only their bets are looked at. */
	walletsWithRests(isMeant: (walletId: WalletId) => boolean, counts: (marketId: MarketId) => boolean): Set<WalletId> {
		const isRest = ({ remaining, marketId }: BetRest): boolean => remaining > 0 && counts(marketId);
		const found = new Set<WalletId>();
		for (const row of this.#changed()) if (isRest(row) && isMeant(row.walletId)) found.add(row.walletId);
		for (const walletId of this.#ofWallet.keys()) {
			if (found.has(walletId) || !isMeant(walletId)) continue;
			for (const rest of this.#durable.restsOf(walletId)) {
				if (!isRest(rest) || this.#open.has(rest.betId) || this.#lastSealed(rest.betId) !== undefined) continue;
				found.add(walletId);
				break;
			}
		}
		return found;
	}

	/** The bets that changed since the last durable batch. */
	*#changed(): Generator<BetRow> {
		for (const sealed of this.#sealed)
			for (const [betId, row] of sealed)
				if (row !== null && !this.#open.has(betId) && this.#lastSealed(betId) === row) yield row;
		yield* this.#open.values();
	}
}
