/**
 * Cashing out of any market: the hedges, and the player's own resting bets that are cancelled for them. The exchange
 * uses these functions when it applies a cash-out, and for the quote that it shows, so both agree. The player's own
 * resting bets never count as liquidity. Amounts minor units, prices hundredths.
 */
import { type BetLimits, limitRefusal } from '#values/bet-limits.ts';
import { planCashOut } from '#values/cash-out.ts';
import { type Matched, planByRunner, withBet } from '#values/cash-out-by-runner.ts';
import { planOnALine } from '#values/cash-out-on-a-line.ts';
import { addMatched, addUnmatched, copyOf, exposureMinor, matchedOf, netIfWins, worstOf } from '#values/exposure.ts';
import { type Figures, RISING } from '#values/figures.ts';
import { type CashOutPlan, fillsOf, type Hedge, levelsFor, type PriceLevel, type RunnerDepth } from '#values/hedge.ts';
import { BACK, LAY, type SideCode } from '#values/sides.ts';

/** Why cashing out is not possible. */
export type NoCashOut =
	| 'NOTHING_TO_CASH_OUT'
	| 'CASH_OUT_IN_FLIGHT'
	| 'BOOK_TOO_THIN'
	| 'CASH_OUT_TOO_DEAR'
	| 'RUNNER_SUSPENDED'
	| 'STAKE_TOO_LARGE'
	| 'PROFIT_TOO_LARGE'
	| 'INSUFFICIENT_FUNDS'
	| 'EXPOSURE_LIMIT';

/** One of the player's bets in this market. */
export interface OwnBet {
	betId: number;
	runner: number;
	side: SideCode;
	price: number;
	matched: number;
	/** Σ stake × price of the matched part. */
	matchedValue: number;
	remaining: number;
	/** True while the bet, or the hedge of an earlier cash-out, is delayed in play. */
	delayed: 'BET' | 'HEDGE' | null;
}

/** Everything that determines a cash-out. */
export interface CashOutSituation {
	/** The player's position, matched and unmatched. */
	figures: Figures;
	/** Oldest first. */
	bets: readonly OwnBet[];
	/** The offers of the book by runner, including the player's own bets. */
	depths: readonly RunnerDepth[];
	/** The market's and the player's own. */
	limits: readonly BetLimits[];
	/** Runners that currently take no bets. */
	suspended: { has(runner: number): boolean };
	/** Set if hedges wait for a bet delay: the amount held for the position, the player's cash, and the largest hold. */
	delay: { held: number; cash: number; mostHeld: number } | null;
}

export interface MarketCashOut extends CashOutPlan {
	/** Own unmatched bets that are cancelled first, and their total unmatched stake. */
	cancels: readonly OwnBet[];
	cancelled: number;
}

/**
 * The hedges are whole coins: where the smallest coin is more than a minor unit, the plan is made in coins.
 * @param share of the position to hedge, above 0, 1 for all of it
 */
export function planMarket(situation: CashOutSituation, share: number): MarketCashOut | NoCashOut {
	const { step } = situation.figures;
	if (step === 1) return planInMinor(situation, share);
	const plan = planInMinor(inCoins(situation), share);
	return typeof plan === 'string' ? plan : fromCoins(plan, situation.bets, step);
}

function planInMinor(situation: CashOutSituation, share: number): MarketCashOut | NoCashOut {
	const { figures, bets } = situation;
	// A fancy's house quotes at its own rates, and the other side of a line is available for bets.
	const isMatched = bets.some(({ matched }) => matched > 0);
	if (figures.winners === RISING || !isMatched) return 'NOTHING_TO_CASH_OUT';
	if (bets.some(({ delayed }) => delayed === 'HEDGE')) return 'CASH_OUT_IN_FLIGHT';
	const depths = withoutOwn(situation.depths, bets);
	const refusalOf = (hedges: readonly Hedge[]) => refusal(situation, depths, hedges);
	const plan = planFor(situation, depths, share, (hedges) => refusalOf(hedges) === null);
	if (plan === null) return 'BOOK_TOO_THIN';
	if (plan.hedges.length === 0) return 'NOTHING_TO_CASH_OUT';
	if (plan.certain <= plan.before) return 'CASH_OUT_TOO_DEAR';
	const cancels = cancelsFor(situation, depths, plan.hedges);
	return (
		refusalOf(plan.hedges) ?? {
			...plan,
			cancels,
			cancelled: cancels.reduce((sum, { remaining }) => sum + remaining, 0),
		}
	);
}

/** Among several ways to hedge, one that the market takes, if there is one. */
function planFor(
	{ figures, bets, delay }: CashOutSituation,
	depths: readonly RunnerDepth[],
	share: number,
	isAllowed: (hedges: readonly Hedge[]) => boolean,
): CashOutPlan | null {
	const matched = matchedOf(figures);
	if (matched.line) return planOnALine(matched, depths[0] as RunnerDepth, share, delay !== null);
	if (matched.winners === 1 && matched.eachWay === 0) {
		const nets = Array.from({ length: matched.runners }, (_, runner) => netIfWins(matched, runner));
		const out = matched.out ?? undefined;
		return planCashOut(nets, depths, share, out, isAllowed) ?? planCashOut(nets, depths, share, out);
	}
	const byRunner: Matched[] = depths.map(() => ({ stake: 0, value: 0 }));
	for (const { runner, side, matched: stake, matchedValue: value } of bets) {
		byRunner[runner] = withBet(byRunner[runner] as Matched, { side, stake, value });
	}
	return planByRunner(matched, byRunner, depths, share);
}

/** The book without the player's own resting bets. */
function withoutOwn(depths: readonly RunnerDepth[], bets: readonly OwnBet[]): RunnerDepth[] {
	const less = (levels: readonly PriceLevel[], own: readonly OwnBet[]): PriceLevel[] =>
		levels
			.map(({ price, size }) => ({
				price,
				size: own.reduce((left, bet) => (bet.price === price ? left - bet.remaining : left), size),
			}))
			.filter(({ size }) => size > 0);
	return depths.map(({ back, lay }, runner) => {
		const own = bets.filter((bet) => bet.runner === runner && bet.remaining > 0 && bet.delayed === null);
		if (own.length === 0) return { back, lay };
		// Resting lays are what a backer can take.
		return {
			back: less(
				back,
				own.filter(({ side }) => side === LAY),
			),
			lay: less(
				lay,
				own.filter(({ side }) => side === BACK),
			),
		};
	});
}

/** A hedge would match it before it is filled. */
const isMetBy = (bet: OwnBet, { runner, side, limit }: Hedge): boolean =>
	bet.runner === runner && bet.side !== side && (side === BACK ? bet.price >= limit : bet.price <= limit);

/**
 * Own unmatched bets that the hedges would match, those in their bet delay, which would reach the book before the
 * hedges and take their liquidity, and those that could make the player's loss after the cash-out larger than before.
 * Of the last the newest go first.
 */
function cancelsFor(
	{ figures, bets, delay }: CashOutSituation,
	depths: readonly RunnerDepth[],
	hedges: readonly Hedge[],
): OwnBet[] {
	const before = worstOf(figures);
	const after = matchedOf(figures);
	for (const { runner, side, stake, limit } of hedges) {
		const atLimit = delay !== null && figures.line !== null;
		for (const { price, size } of fillsOf(levelsFor(side, depths[runner] as RunnerDepth), stake) ?? []) {
			addMatched(after, runner, side, (atLimit ? limit : price) * size, size);
		}
	}
	return bets.filter((bet) => {
		const { runner, side, price, remaining } = bet;
		if (remaining === 0) return false;
		if (bet.delayed !== null || hedges.some((hedge) => isMetBy(bet, hedge))) return true;
		addUnmatched(after, runner, side, price, remaining);
		if (worstOf(after) >= before) return false;
		addUnmatched(after, runner, side, price, -remaining);
		return true;
	});
}

/** The refusal of these hedges by the limits of the market or the player. */
function refusal(
	situation: CashOutSituation,
	depths: readonly RunnerDepth[],
	hedges: readonly Hedge[],
): NoCashOut | null {
	const { figures, limits, suspended, delay } = situation;
	for (const { runner, side, stake, limit } of hedges) {
		if (suspended.has(runner)) return 'RUNNER_SUSPENDED';
		for (const ofBet of limits) {
			const over = limitRefusal(ofBet, figures, { side, stake, price: limit });
			if (over !== null) return over;
		}
	}
	if (delay === null) return null;
	// During their delay, the hold covers the case that only some of them are matched.
	const waiting = copyOf(figures);
	for (const { runner, side, price, remaining } of cancelsFor(situation, depths, hedges)) {
		addUnmatched(waiting, runner, side, price, -remaining);
	}
	for (const { runner, side, stake, limit } of hedges) addUnmatched(waiting, runner, side, limit, stake);
	const exposure = exposureMinor(waiting);
	if (exposure <= exposureMinor(figures)) return null;
	if (exposure - delay.held > delay.cash) return 'INSUFFICIENT_FUNDS';
	return exposure > delay.mostHeld ? 'EXPOSURE_LIMIT' : null;
}

/** The situation with every amount divided by the smallest coin; of what the book offers, whole coins. */
function inCoins(situation: CashOutSituation): CashOutSituation {
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
function fromCoins(plan: MarketCashOut, bets: readonly OwnBet[], step: number): MarketCashOut {
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
