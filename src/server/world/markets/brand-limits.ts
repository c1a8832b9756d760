/**
 * Limits of a market for the players of one brand, below those that the market has for all. In memory for each bet; the
 * rows that they follow from are the operators' (`limit-rules/tightened-markets`).
 */
import type pg from 'pg';
import type { MarketId } from '#values/ids.ts';
import type { MarketLimits } from '#values/limit-steps.ts';

interface Row {
	marketId: MarketId;
	brand: string;
	/** Steps that hold, and those of them that an operator overruled. */
	reached: readonly (readonly [ruleId: number, step: number])[];
	waived: Row['reached'];
}

export class BrandLimits {
	readonly #byMarket = new Map<MarketId, Map<string, MarketLimits>>();

	static async open(db: pg.Pool): Promise<BrandLimits> {
		const limits = new BrandLimits();
		const { rows } = await db.query<MarketLimits & Row>(
			`select market_id as "marketId", brand, reached, waived, set_max_stake as "maxStake", set_max_exposure as "maxExposure"
			 from tightened_market where brand <> ''`,
		);
		for (const { marketId, brand, reached, waived, maxStake, maxExposure } of rows) {
			const overruled = new Set(waived.map(String));
			if (reached.some((step) => !overruled.has(String(step)))) limits.set(marketId, brand, { maxStake, maxExposure });
		}
		return limits;
	}

	/** Null where the brand's players have those of the market. In minor units of the home currency. */
	of(marketId: MarketId, brand: string): MarketLimits | null {
		return this.#byMarket.get(marketId)?.get(brand) ?? null;
	}

	/** @param limits null for those of the market */
	set(marketId: MarketId, brand: string, limits: MarketLimits | null): void {
		const ofMarket = this.#byMarket.get(marketId) ?? new Map<string, MarketLimits>();
		if (limits) ofMarket.set(brand, limits);
		else ofMarket.delete(brand);
		if (ofMarket.size > 0) this.#byMarket.set(marketId, ofMarket);
		else this.#byMarket.delete(marketId);
	}
}
