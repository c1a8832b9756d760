/** Why the reference exchange refuses a bet, for reasons of market, bet and wallet alone, in their order. */
import { awaitsAuction } from './reference-auction.ts';
import {
	type Asked,
	arriving,
	isUnfair,
	LARGEST_STAKE,
	OVER,
	type ReferenceMarket,
	type ReferenceUser,
	takes,
	winsMoreThan,
} from './reference-rules.ts';

interface Standing {
	market: ReferenceMarket | undefined;
	user: ReferenceUser | undefined;
	lastBetId: number;
	now: number;
}

export function refusalOf(bet: Asked, { market, user, lastBetId, now }: Standing): string | null {
	if (!market) return 'UNKNOWN_MARKET';
	if (OVER.has(market.status)) return 'MARKET_CLOSED';
	if (market.status !== 'OPEN') return 'MARKET_SUSPENDED';
	if (bet.runner < 0 || bet.runner >= market.runners) return 'UNKNOWN_RUNNER';
	if (market.removed.has(bet.runner)) return 'RUNNER_REMOVED';
	if (market.suspended.has(bet.runner)) return 'RUNNER_SUSPENDED';
	if (!takes(market, bet.price)) return 'PRICE_NOT_ON_LADDER';
	const isOnClose = bet.atStart === 'CLOSE';
	const isWrongLimit = bet.limit != null && !takes(market, bet.limit);
	if (isOnClose && (bet.price !== 200 || isWrongLimit)) return 'PRICE_NOT_ON_LADDER';
	if (!Number.isInteger(bet.stake) || bet.stake <= 0) return 'INVALID_STAKE';
	const least = isOnClose && bet.side === 'LAY' ? market.minStake * 10 : market.minStake;
	if (!bet.isHedge && bet.stake < least) return 'STAKE_TOO_SMALL';
	const isOffer = market.houses !== null && Object.values(market.houses).includes(bet.user);
	if (bet.stake > (isOffer ? LARGEST_STAKE : market.maxStake)) return 'STAKE_TOO_LARGE';
	if (bet.minFill != null && (bet.minFill <= 0 || bet.minFill > bet.stake)) return 'INVALID_SIZE';
	if (market.fairProfits && !bet.isHedge && !isOnClose && !market.lines && isUnfair(bet.price, bet.stake))
		return 'INVALID_PROFIT_RATIO';
	const placed = arriving(bet);
	if (!isOffer && !isOnClose && winsMoreThan(market, placed, market.maxProfit)) return 'PROFIT_TOO_LARGE';
	const hasTerms = bet.postOnly != null || bet.expiresAt != null || bet.untilMatched != null;
	if (bet.atStart != null) {
		const isOther = bet.persist || bet.minFill != null || (isOnClose && (hasTerms || bet.selfMatch != null));
		if (isOther || !awaitsAuction(market)) return 'TERMS_NOT_POSSIBLE';
	}
	if (hasTerms && (market.houses || bet.minFill != null)) return 'TERMS_NOT_POSSIBLE';
	if (bet.expiresAt != null && bet.expiresAt <= now) return 'EXPIRY_PASSED';
	if (bet.untilMatched != null && bet.untilMatched < 0) return 'INVALID_SIZE';
	if (!user) return 'UNKNOWN_USER';
	if (!market.pools.includes(user.pool)) return 'FORBIDDEN';
	if (user.limits.maxStake > 0 && bet.stake > user.limits.maxStake) return 'STAKE_TOO_LARGE';
	if (!isOnClose && winsMoreThan(market, placed, user.limits.maxProfit)) return 'PROFIT_TOO_LARGE';
	return bet.id <= lastBetId ? 'DUPLICATE_ORDER' : null;
}
