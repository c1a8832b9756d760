/**
 * Which markets are in memory. A settled market leaves the engine and the views some hours after its end. A command on a
 * market that is not in memory waits until the market was read from the tables, so an old market can be reopened and
 * cannot be opened as if it were new.
 */
import type { Engine } from '#engine/engine.ts';
import type { Request } from '#server/exchange/exchange.ts';
import type { Batch } from '#server/exchange/order/batch.ts';
import type { EngineInput } from '#server/exchange/order/engine-input.ts';
import type { StoredMarket } from '#server/exchange/recovery/stored-markets.ts';
import type { DurableViews } from '#server/exchange/views/durable-views.ts';
import { retryFaults } from '#server/platform/postgres/database-fault.ts';
import type { MarketId } from '#values/ids.ts';

interface MarketMemoryOptions {
	engine: Engine;
	views: DurableViews;
	/** Reads a market from the tables; null when they have none by that id. */
	storedMarket: (marketId: MarketId) => Promise<StoredMarket | null>;
	/** Called with what changed the engine when a market came into memory. */
	onInput: (input: EngineInput) => void;
	/** Called when its view is there, too. */
	onRecalled?: ((marketId: MarketId) => void) | undefined;
}

export class MarketMemory {
	readonly #options: MarketMemoryOptions;
	/** Markets that are being read from the tables; resolves to whether they are there. */
	readonly #recalls = new Map<number, Promise<boolean>>();
	#toForget: readonly number[] = [];

	constructor(options: MarketMemoryOptions) {
		this.#options = options;
	}

	/** The views hold a subset of the engine's markets, and answer without building a view. */
	holds(marketId: MarketId): boolean {
		const { engine, views } = this.#options;
		return views.market(marketId) !== null || engine.market(marketId) !== null;
	}

	/**
	 * The market to recall before the command is applied, or null. Players bet only on listed markets, which the engine
	 * holds, so their bets cause no look-up. They wait for one that is under way, so commands on a market keep their order.
	 */
	missingFor(request: Request): number | null {
		const marketId = 'marketId' in request ? request.marketId : undefined;
		if (marketId === undefined || this.holds(marketId)) return null;
		const mayBeForgotten = !['place-bet', 'take-quotes', 'cancel-all'].includes(request.kind);
		return mayBeForgotten || this.#recalls.has(marketId) ? marketId : null;
	}

	/** Brings a market back into memory. Resolves to whether the tables have it; waits while the database is away. */
	recall(marketId: MarketId): Promise<boolean> {
		const recall = this.#recalls.get(marketId) ?? this.#restore(marketId);
		this.#recalls.set(marketId, recall);
		return recall;
	}

	async #restore(marketId: MarketId): Promise<boolean> {
		const { engine, views, storedMarket, onInput, onRecalled } = this.#options;
		try {
			const stored = await retryFaults(() => storedMarket(marketId));
			if (stored && !engine.market(marketId)) {
				engine.restoreMarket(stored.market, stored.traded);
				views.setMarket(stored.market);
				onInput({ kind: 'recall-market', stored });
				onRecalled?.(marketId);
			}
			return stored !== null;
		} finally {
			this.#recalls.delete(marketId);
		}
	}

	/** Settled markets to be removed at the next `release`. */
	forget(marketIds: readonly MarketId[]): void {
		this.#toForget = marketIds;
	}

	/**
	 * Removes the markets, unless a batch concerns them that is not durable.
	 * @param undurable the open batch, then those on their way
	 */
	release(undurable: readonly [Batch, ...Batch[]]): void {
		const { engine, views } = this.#options;
		const [open] = undurable;
		for (const marketId of this.#toForget) {
			if (undurable.some((batch) => batch.concerns(marketId))) continue;
			engine.forgetMarket(marketId);
			if (engine.market(marketId)) continue;
			views.forgetMarket(marketId);
			open.took({ kind: 'forget-market', marketId });
		}
		this.#toForget = [];
	}
}
