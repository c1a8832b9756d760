/** The largest stake and profit of one bet, by the market's limits and the player's own. */
import { eachWayRange } from '#values/each-way.ts';
import type { FigureShape } from '#values/figures.ts';
import { profitExact } from '#values/liability.ts';
import type { SideCode } from '#values/sides.ts';

/** Minor units; 0 sets no limit. */
export interface BetLimits {
	maxStake: number;
	maxProfit: number;
}

interface PricedBet {
	side: SideCode;
	price: number;
	stake: number;
}

/** The largest profit of a bet, hundredths of a minor unit; each way rounded up. */
export function mostProfit({ line, eachWay }: FigureShape, { side, price, stake }: PricedBet): number {
	if (line !== null) return stake * 100;
	if (eachWay === 0) return profitExact(side, price, stake);
	return Math.ceil(eachWayRange(side, stake * price, stake, eachWay).profit / eachWay);
}

export function limitRefusal(
	{ maxStake, maxProfit }: BetLimits,
	shape: FigureShape,
	bet: PricedBet,
): 'STAKE_TOO_LARGE' | 'PROFIT_TOO_LARGE' | null {
	if (maxStake > 0 && bet.stake > maxStake) return 'STAKE_TOO_LARGE';
	return maxProfit > 0 && mostProfit(shape, bet) > maxProfit * 100 ? 'PROFIT_TOO_LARGE' : null;
}
