/** What a rule watches in a market, in minor units; 0 where nothing can be lost. */
import type { MarketView } from '#engine/engine.ts';
import type { BetRecord } from '#server/exchange/exchange.ts';
import { combinedStanding, isHouse, matchedByWallet, standingsOf } from '#server/operators/house-exposure.ts';
import type { LimitRule } from '#server/operators/limit-rules/limit-rules.ts';
import type { AnyMinor } from '#values/money.ts';
import { FIRST_PLAYER_ID } from '#values/pools.ts';

/** @param bets of the market; @param brandOf the brand of a player */
export async function watchedLiability(
	{ watches, pool, brand }: Pick<LimitRule, 'watches' | 'pool' | 'brand'>,
	market: MarketView,
	bets: readonly BetRecord[],
	brandOf: (walletId: number) => string | null,
): Promise<AnyMinor> {
	const ofPool = bets.filter((bet) => bet.pool === pool && bet.matched > 0);
	const isWatched = ({ walletId }: BetRecord) =>
		walletId >= FIRST_PLAYER_ID && (brand === '' || brandOf(walletId) === brand);
	if (watches === 'PLAYER') {
		const players = await standingsOf(market, await matchedByWallet(ofPool.filter(isWatched)));
		return players.reduce((most, standing) => (isHouse(standing) ? most : Math.max(most, -standing.worst)), 0);
	}
	if (brand === '')
		return Math.max(
			0,
			-combinedStanding(
				market,
				ofPool.filter((bet) => !isWatched(bet)),
			).worst,
		);
	// What the players of a brand can gain together is lost by the other sides of their bets.
	return Math.max(0, ...combinedStanding(market, ofPool.filter(isWatched)).outcomes);
}
