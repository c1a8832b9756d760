/** Suspends the markets of a feed that cannot continue: they must not stay open at unmonitored prices. */

import { type RepeatedWork, untilDone } from '#server/world/feeds/until-done.ts';
import type { FixtureMarket } from '#server/world/markets/fixture-market.ts';

/** Suspends the markets that have not ended, and retries until that is durable or the signal aborts. */
export async function suspendSurely(
	markets: readonly FixtureMarket[],
	how: Pick<RepeatedWork, 'name' | 'signal' | 'log'>,
): Promise<void> {
	await untilDone({
		...how,
		attempt: async () => {
			await Promise.all(markets.map((market) => market.isEnded || market.suspend()));
		},
	});
}
