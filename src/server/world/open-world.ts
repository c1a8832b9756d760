/** Opens the data that the exchange knows only by number: the fixtures with their markets, and the brands. */
import type pg from 'pg';
import type { Bus } from '#server/platform/bus/bus.ts';
import type { Brands } from '#server/world/brands/brands.ts';
import { openBrands } from '#server/world/brands/open-brands.ts';
import { openFixtures } from '#server/world/fixtures/catalogue.ts';
import type { Fixtures } from '#server/world/fixtures/fixtures.ts';
import { BrandLimits } from '#server/world/markets/brand-limits.ts';
import { marketPools } from '#server/world/markets/market-pools.ts';
import type { Pool } from '#values/pools.ts';

interface WorldOptions {
	db: pg.Pool;
	bus: Bus;
	/** The pools that this process serves. */
	pools: readonly Pool[];
	/** How long ended fixtures stay in memory. */
	rememberedMs: number;
}

export interface World {
	fixtures: Fixtures;
	brands: Brands;
	brandLimits: BrandLimits;
}

export async function openWorld({ db, bus, pools, rememberedMs }: WorldOptions): Promise<World> {
	const [fixtures, brands, brandLimits] = await Promise.all([
		openFixtures({ db, bus, pools, clock: Date.now, endedSinceMs: Date.now() - rememberedMs }),
		openBrands({ db, bus, pools, marketPools: marketPools({ pools }) }),
		BrandLimits.open(db),
	]);
	return { fixtures, brands, brandLimits };
}
