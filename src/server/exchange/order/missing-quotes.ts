/**
 * The markets in which quotes of market makers are missing for a while. A bet behind them is no best price there, so triggers
 * that watch best prices are not looked at until the quotes are back. Then they are, whether or not a price changed.
 */
import type { LookedAtMarket } from '#engine/triggers/trigger-commands.ts';
import type { MarketId } from '#values/ids.ts';

export class MissingQuotes {
	readonly #markets = new Set<MarketId>();
	/** Markets whose best prices were left out of the last look. */
	readonly #leftOut = new Set<MarketId>();

	/** A market maker placed all quotes that it wants in a market, or a suspension kept some of them out. */
	stand(marketId: MarketId, doStand: boolean): void {
		if (doStand) this.#markets.delete(marketId);
		else this.#markets.add(marketId);
	}

	/**
	 * What a batch changed, without best prices where quotes are missing, and with what was left out before.
	 * @param areAllAway the quotes of all markets are withdrawn for a standby
	 */
	leaveOut(changed: readonly LookedAtMarket[], areAllAway: boolean): readonly LookedAtMarket[] {
		if (!areAllAway && this.#markets.size === 0 && this.#leftOut.size === 0) return changed;
		const isMissing = (marketId: MarketId): boolean => areAllAway || this.#markets.has(marketId);
		const looked = changed.map((market): LookedAtMarket => {
			if (isMissing(market.marketId)) return { ...market, withoutBest: true };
			return this.#leftOut.has(market.marketId) ? { ...market, runners: null } : market;
		});
		const named = new Set(changed.map(({ marketId }) => marketId));
		for (const marketId of named) if (isMissing(marketId)) this.#leftOut.add(marketId);
		for (const marketId of this.#leftOut) {
			if (isMissing(marketId)) continue;
			this.#leftOut.delete(marketId);
			if (!named.has(marketId)) looked.push({ marketId, runners: null });
		}
		return looked;
	}
}
