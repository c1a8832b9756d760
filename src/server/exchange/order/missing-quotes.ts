/**
 * The markets in which quotes of market makers are missing for a while. A bet behind them is no best price there, so triggers
 * that watch best prices are looked at when the quotes are back.
 */
import type { LookAtTriggers } from '#engine/triggers/trigger-commands.ts';
import type { MarketId } from '#values/ids.ts';

export class MissingQuotes {
	readonly #markets = new Set<MarketId>();

	/** A market maker placed all quotes that it wants in a market, or a suspension kept some of them out. */
	stand(marketId: MarketId, doStand: boolean): void {
		if (doStand) this.#markets.delete(marketId);
		else this.#markets.add(marketId);
	}

	/** Where best prices do not count. @param areAllAway the quotes of all markets are withdrawn for a standby */
	withoutBest(areAllAway: boolean): LookAtTriggers['withoutBest'] {
		return areAllAway ? 'ALL' : [...this.#markets];
	}
}
