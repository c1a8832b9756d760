/** A market: its state, and per pool its books, the players' positions and their bets. */
import type { Wallet } from '#engine/accounts.ts';
import type { MarketStatus } from '#engine/effect.ts';
import { BetList, OrderBook } from '#engine/order-book.ts';
import { Hashed, type Hasher } from '#engine/state-hash.ts';
import { emptyPosition, type OutcomePosition } from '#values/exposure.ts';
import { type Pool, poolCode } from '#values/pools.ts';

export type RunnerResult = 'WIN' | 'LOSE' | 'VOID';

/** One player in one market: what he stands to win and lose, and what is held for it. */
export class Position extends Hashed {
	readonly wallet: Wallet;
	readonly marketId: number;
	readonly outcomes: OutcomePosition;
	/** Paise held in the wallet's exposure account for this market. */
	held = 0;
	/** False until its first bet is accepted. */
	counts = false;
	/** Σ stake × price of its resting bets: what may still be matched, kept by the books. */
	openValue = 0;

	constructor(wallet: Wallet, marketId: number, runners: number) {
		super();
		this.wallet = wallet;
		this.marketId = marketId;
		this.outcomes = emptyPosition(runners);
	}

	/** Unmatched orders count through their bets; a position with nothing matched equals none. */
	describe(hasher: Hasher): boolean {
		hasher.start(4);
		hasher.add(this.wallet.walletId);
		hasher.add(this.marketId);
		hasher.add(this.held);
		hasher.add(this.outcomes.base);
		let sum = this.held === 0 && this.outcomes.base === 0;
		for (const gain of this.outcomes.gain) {
			hasher.add(gain);
			sum &&= gain === 0;
		}
		return !sum;
	}
}

/** What a market holds for one pool. */
export interface PoolSide {
	pool: Pool;
	/** By runner index. */
	books: OrderBook[];
	/** By wallet id. */
	positions: Map<number, Position>;
	/** Bets with a resting or a matched part. */
	bets: BetList;
}

export interface MarketTerms {
	marketId: number;
	pools: readonly Pool[];
	runners: number;
	numberOfWinners: number;
	commissionBp: number;
	minStake: number;
	maxStake: number;
	profitRatioRule: boolean;
	selfMatch: 'REFUSE' | 'ALLOW';
}

export class Market extends Hashed {
	readonly terms: MarketTerms;
	readonly sides: PoolSide[];
	status: MarketStatus = 'OPEN';
	inPlay = false;
	version = 1;
	results: readonly RunnerResult[] | null = null;

	constructor(terms: MarketTerms) {
		super();
		this.terms = terms;
		this.sides = terms.pools.map((pool) => ({
			pool,
			books: Array.from({ length: terms.runners }, () => new OrderBook()),
			positions: new Map(),
			bets: new BetList(),
		}));
	}

	side(pool: Pool): PoolSide | undefined {
		for (const side of this.sides) if (side.pool === pool) return side;
		return undefined;
	}

	/** No bet can be placed any more and none is matched. */
	get ended(): boolean {
		return this.status === 'CLOSED' || this.status === 'SETTLED' || this.status === 'VOIDED';
	}
	/** Its money is paid. */
	get paid(): boolean {
		return this.status === 'SETTLED' || this.status === 'VOIDED';
	}

	describe(hasher: Hasher): boolean {
		hasher.start(5);
		const { terms } = this;
		hasher.add(terms.marketId);
		hasher.add(terms.runners);
		hasher.add(terms.numberOfWinners);
		hasher.add(terms.commissionBp);
		hasher.add(terms.minStake);
		hasher.add(terms.maxStake);
		hasher.add((terms.profitRatioRule ? 1 : 0) + (terms.selfMatch === 'ALLOW' ? 2 : 0));
		hasher.addText(this.status);
		hasher.add(this.inPlay ? 1 : 0);
		hasher.add(this.version);
		hasher.addText(this.results?.join() ?? '');
		for (const { pool, books } of this.sides) {
			hasher.add(poolCode(pool));
			for (const book of books) {
				hasher.add(book.lastPriceTraded ?? 0);
				hasher.add(book.totalMatched);
			}
		}
		return true;
	}
}
