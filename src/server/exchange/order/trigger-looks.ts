/**
 * Looks which triggers a batch reached, and which bets lapse with its volume, by its last command: what reached one is durable together with that. In a market in
 * which quotes of market makers are missing for a while, a bet behind them is no best price, so triggers that watch best
 * prices are looked at when the quotes are back.
 */
import type { Engine } from '#engine/engine.ts';
import type { Batch } from '#server/exchange/order/batch.ts';
import type { Followers } from '#server/exchange/standby/followers.ts';
import type { MarketId } from '#values/ids.ts';

interface TriggerLooksOptions {
	engine: Engine;
	clock: () => number;
	/** Null where no standby is configured. */
	followers?: Pick<Followers, 'areQuotesAway'> | null;
}

export class TriggerLooks {
	readonly #options: TriggerLooksOptions;
	/** Where quotes are missing. */
	readonly #markets = new Set<MarketId>();

	constructor(options: TriggerLooksOptions) {
		this.#options = options;
	}

	/** See `Exchange.quotesStand`. */
	quotesStand(marketId: MarketId, doStand: boolean): void {
		if (doStand) this.#markets.delete(marketId);
		else this.#markets.add(marketId);
	}

	/** Called before a batch is sealed, also by a process that takes no commands any more. */
	look(batch: Batch): void {
		const { engine, clock, followers } = this.#options;
		if (!engine.watchesBooks()) return;
		const withoutBest = followers?.areQuotesAway ? ('ALL' as const) : [...this.#markets];
		const command = { kind: 'look-at-triggers' as const, withoutBest, atMs: clock() };
		batch.begin(command.atMs);
		if (engine.apply(command, batch).ok) batch.took(command);
		// A restart knows the volume from the tables, and bets lapse with it.
		batch.writeTrades((marketId) => engine.limitsVolume(marketId));
	}
}
