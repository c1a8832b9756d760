/**
 * Traded volume by price, since this process started. Totals of markets come from the exchange, which does not keep the
 * prices of trades in memory.
 */
import type { Committed } from '#server/exchange/committed.ts';
import type { MarketId } from '#values/ids.ts';
import type { AnyMinor } from '#values/money.ts';
import { POOLS, type Pool } from '#values/pools.ts';
import type { AnyPrice } from '#values/price-ladder.ts';

interface OfMarket {
	lastAtMs: number;
	/** By runner: minor units by price. */
	runners: Map<number, Map<AnyPrice, AnyMinor>>;
}

export class TradedVolumes {
	readonly #pools = new Map<Pool, Map<MarketId, OfMarket>>(POOLS.map((pool) => [pool, new Map()]));

	/** Runs with every batch, so it builds no text keys. */
	onCommitted({ trades }: Pick<Committed, 'trades'>): void {
		for (const { marketId, pool, runner, price, stake, atMs } of trades) {
			const market = this.#market(marketId, pool);
			let byPrice = market.runners.get(runner);
			if (!byPrice) market.runners.set(runner, (byPrice = new Map()));
			byPrice.set(price, (byPrice.get(price) ?? 0) + stake);
			market.lastAtMs = atMs;
		}
	}

	#market(marketId: MarketId, pool: Pool): OfMarket {
		const known = this.#pools.get(pool)?.get(marketId);
		if (known) return known;
		const market: OfMarket = { lastAtMs: 0, runners: new Map() };
		this.#pools.get(pool)?.set(marketId, market);
		return market;
	}

	/** By rising price. */
	of(marketId: MarketId, pool: Pool, runner: number): { price: AnyPrice; size: AnyMinor }[] {
		const byPrice = this.#pools.get(pool)?.get(marketId)?.runners.get(runner) ?? [];
		return [...byPrice].map(([price, size]) => ({ price, size })).sort((one, other) => one.price - other.price);
	}

	/** Null before the first trade. */
	lastAtMs(marketId: MarketId, pool: Pool): number | null {
		return this.#pools.get(pool)?.get(marketId)?.lastAtMs ?? null;
	}

	/** Drops markets that left the exchange's memory. */
	forget(isRemembered: (marketId: MarketId) => boolean): void {
		for (const markets of this.#pools.values())
			for (const marketId of markets.keys()) if (!isRemembered(marketId)) markets.delete(marketId);
	}
}
