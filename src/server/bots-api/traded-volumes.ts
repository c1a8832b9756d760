/** What was traded by price, since this process started: markets' totals are the exchange's, prices of trades are not kept in memory there. */
import type { Committed } from '#server/exchange/committed.ts';
import type { MarketId } from '#values/ids.ts';
import type { AnyPaise } from '#values/money.ts';
import type { Pool } from '#values/pools.ts';
import type { AnyPrice } from '#values/price-ladder.ts';

interface OfMarket {
	lastAtMs: number;
	/** By runner: paise by price. */
	runners: Map<number, Map<AnyPrice, AnyPaise>>;
}

export class TradedVolumes {
	readonly #markets = new Map<string, OfMarket>();

	onCommitted({ trades }: Pick<Committed, 'trades'>): void {
		for (const { marketId, pool, runner, price, stake, atMs } of trades) {
			const key = `${marketId}.${pool}`;
			const market = this.#markets.get(key) ?? { lastAtMs: 0, runners: new Map() };
			this.#markets.set(key, market);
			const byPrice = market.runners.get(runner) ?? new Map<AnyPrice, AnyPaise>();
			market.runners.set(runner, byPrice);
			byPrice.set(price, (byPrice.get(price) ?? 0) + stake);
			market.lastAtMs = atMs;
		}
	}

	/** By rising price. */
	of(marketId: MarketId, pool: Pool, runner: number): { price: AnyPrice; size: AnyPaise }[] {
		const byPrice = this.#markets.get(`${marketId}.${pool}`)?.runners.get(runner) ?? [];
		return [...byPrice].map(([price, size]) => ({ price, size })).sort((one, other) => one.price - other.price);
	}

	/** Null before the first trade. */
	lastAtMs(marketId: MarketId, pool: Pool): number | null {
		return this.#markets.get(`${marketId}.${pool}`)?.lastAtMs ?? null;
	}

	/** Drops markets that left the exchange's memory. */
	forget(isRemembered: (marketId: MarketId) => boolean): void {
		for (const key of this.#markets.keys()) if (!isRemembered(Number.parseInt(key, 10))) this.#markets.delete(key);
	}
}
