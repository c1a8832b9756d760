/** What every feed does when it cannot go on: its markets must not stay open on prices that are not watched any more. */

import { type RepeatedWork, untilDone } from '#server/feeds/until-done.ts';
import type { FixtureMarket } from '#server/markets/fixture-market.ts';

/** Suspends the markets that are not closed, again and again until that is durable or the signal ends it. */
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
