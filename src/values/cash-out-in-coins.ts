/** A cash-out counted in coins of several minor units: the same plan, so that no hedge stakes a part of a coin. */
import { copyOf } from '#values/exposure.ts';
import type { PriceLevel } from '#values/hedge.ts';
import type { CashOutSituation, MarketCashOut, OwnBet } from '#values/market-cash-out.ts';

/** The situation with every amount divided by the smallest coin; of what the book offers, whole coins. */
export function inCoins(situation: CashOutSituation): CashOutSituation {
	const { figures, bets, depths, limits, delay } = situation;
	const { step } = figures;
	const counted = { ...copyOf(figures), step: 1 };
	counted.data = counted.data.map((exact) => exact / step);
	const levels = (offered: readonly PriceLevel[]) =>
		offered.map(({ price, size }) => ({ price, size: Math.floor(size / step) })).filter(({ size }) => size > 0);
	return {
		...situation,
		figures: counted,
		bets: bets.map((bet) => ({
			...bet,
			matched: bet.matched / step,
			matchedValue: bet.matchedValue / step,
			remaining: bet.remaining / step,
		})),
		depths: depths.map(({ back, lay }) => ({ back: levels(back), lay: levels(lay) })),
		limits: limits.map(({ maxStake, maxProfit }) => ({ maxStake: maxStake / step, maxProfit: maxProfit / step })),
		delay: delay && { held: delay.held / step, cash: delay.cash / step, mostHeld: delay.mostHeld / step },
	};
}

/** @param bets of the situation, of which the plan names some */
export function fromCoins(plan: MarketCashOut, bets: readonly OwnBet[], step: number): MarketCashOut {
	const ids = new Set(plan.cancels.map(({ betId }) => betId));
	return {
		...plan,
		hedges: plan.hedges.map((hedge) => ({ ...hedge, stake: hedge.stake * step, value: hedge.value * step })),
		after: plan.after.map((net) => net * step),
		before: plan.before * step,
		certain: plan.certain * step,
		...(plan.lines === undefined ? {} : { lines: plan.lines * step }),
		cancels: bets.filter(({ betId }) => ids.has(betId)),
		cancelled: plan.cancelled * step,
	};
}
