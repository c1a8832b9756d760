/**
 * Cashing out of a market with several paid runners. Each runner with bets is hedged on its own, because no other
 * runner determines its result. A bet to win or lose can be levelled. An each-way bet has three results and one price,
 * so the stake is chosen that maximizes the worst of them.
 */
import { eachWayProfit } from '#values/each-way.ts';
import { addMatched, copyOf, shownNets, worstOf } from '#values/exposure.ts';
import { ANY_NUMBER, type Figures } from '#values/figures.ts';
import {
	type CashOutPlan,
	fillsOf,
	type Hedge,
	hedgeOf,
	isLevel,
	levelsFor,
	type PriceLevel,
	type RunnerDepth,
	sizeOf,
} from '#values/hedge.ts';
import { netMinor, netMinorOfParts } from '#values/liability.ts';
import { BACK, LAY, type SideCode } from '#values/sides.ts';

/** Matched bets on a runner, lays counted against backs: stakes, and Σ stake × price. */
export interface Matched {
	stake: number;
	value: number;
}

/** The profit of a runner's own bets in each of its results; exact, each way times the divisor. */
function resultsOf({ stake, value }: Matched, eachWay: number): number[] {
	if (eachWay === 0) return [value - stake * 100, -stake * 100];
	const { won, placed, lost } = eachWayProfit(BACK, value, stake, eachWay);
	return [won, placed, lost];
}

/** The same with one more bet, given by its stake and value. */
export function withBet(own: Matched, { side, stake, value }: Matched & { side: SideCode }): Matched {
	const sign = side === BACK ? 1 : -1;
	return { stake: own.stake + sign * stake, value: own.value + sign * value };
}

/**
 * The stake that maximizes the worst of a runner's results, the smallest of equal ones. Prices only get worse with
 * depth, so each minor unit improves the result up to that stake and none does after it.
 * @returns null if the book offers less than that stake
 */
function bestStake(matched: Matched, side: SideCode, levels: readonly PriceLevel[], eachWay: number): number | null {
	const last = levels.at(-1);
	if (!last) return null;
	// One minor unit beyond the last level shows whether a larger stake would be better.
	const offered = [...levels, { price: last.price, size: 1 }];
	const least = (stake: number) =>
		Math.min(...resultsOf(withBet(matched, hedgeOf(0, side, fillsOf(offered, stake) ?? [])), eachWay));
	let [low, high] = [0, sizeOf(offered)];
	while (low < high) {
		const middle = Math.floor((low + high) / 2);
		if (least(middle + 1) > least(middle)) low = middle + 1;
		else high = middle;
	}
	return low === sizeOf(offered) ? null : low;
}

/** The hedge of one runner; null if the book is too thin, undefined if no hedge helps. */
function hedgeFor(
	runner: number,
	matched: Matched,
	depth: RunnerDepth,
	share: number,
	eachWay: number,
): Hedge | null | undefined {
	const results = resultsOf(matched, eachWay);
	const [won, lost] = [results[0] as number, results.at(-1) as number];
	if (isLevel([won / (eachWay || 1), lost / (eachWay || 1)])) return undefined;
	const side = won > lost ? LAY : BACK;
	const levels = levelsFor(side, depth);
	const whole = bestStake(matched, side, levels, eachWay);
	if (whole === null) return null;
	const fills = fillsOf(levels, Math.round(whole * share)) ?? [];
	return fills.length === 0 ? undefined : hedgeOf(runner, side, fills);
}

/** Where any number of runners may win, the exposures of runners do not offset; their certain results add up. */
function leastOf(figures: Figures, matched: readonly Matched[]): number {
	if (figures.winners !== ANY_NUMBER) return netMinorOfParts(worstOf(figures), figures.eachWay || 1);
	return netMinor(matched.reduce((sum, each) => sum + Math.min(...resultsOf(each, 0)), 0));
}

/**
 * @param figures matched bets only
 * @param matched the same by runner
 * @param share of each hedge, 0 to 1
 * @returns null if the book is too thin, no hedges if none improves the result
 */
export function planByRunner(
	figures: Figures,
	matched: readonly Matched[],
	depths: readonly RunnerDepth[],
	share: number,
): CashOutPlan | null {
	const standing = figures.runners - matched.filter((_, runner) => figures.out?.has(runner)).length;
	// If the runners do not outnumber the places, the place parts are void.
	const eachWay = standing > figures.winners ? figures.eachWay : 0;
	const hedges = matched.map((own, runner) => hedgeFor(runner, own, depths[runner] as RunnerDepth, share, eachWay));
	if (hedges.includes(null)) return null;
	const placed = hedges.filter((hedge): hedge is Hedge => hedge != null);
	const closed = copyOf(figures);
	const after = [...matched];
	for (const { runner, side, stake, value } of placed) {
		addMatched(closed, runner, side, value, stake);
		after[runner] = withBet(after[runner] as Matched, { side, stake, value });
	}
	return {
		hedges: placed,
		after: shownNets(closed),
		before: leastOf(figures, matched),
		certain: leastOf(closed, after),
	};
}
