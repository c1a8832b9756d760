/**
 * Levels a position in a market with one winner. A bet on a runner moves its outcome against all others by stake ×
 * price. So when one runner has no hedge, each other needs exactly the bet that levels it with that one. Source:
 * exchange rules, "Cash out". Amounts minor units, prices hundredths.
 */
import { type CashOutPlan, type Hedge, isLevel, levelsFor, type RunnerDepth } from '#values/hedge.ts';
import { netMinor } from '#values/liability.ts';
import { BACK, LAY } from '#values/sides.ts';

/** The bet on a runner whose value, Σ stake × price, is closest to the target; null if the book is too thin. */
function hedgeOfValue(runner: number, wanted: number, depth: RunnerDepth): Hedge | null {
	const side = wanted > 0 ? BACK : LAY;
	let left = Math.abs(wanted) * 100;
	const hedge: Hedge = { runner, side, stake: 0, limit: 0, value: 0 };
	for (const { price, size } of levelsFor(side, depth)) {
		const stake = Math.min(size, Math.round(left / price));
		if (stake === 0) return hedge;
		hedge.stake += stake;
		hedge.limit = price;
		hedge.value += stake * price;
		left -= stake * price;
		if (stake < size) return hedge;
	}
	return left < 100 ? hedge : null;
}

/** The net per runner after the hedges are matched; exact. */
function netsAfter(nets: readonly number[], hedges: readonly Hedge[]): number[] {
	return nets.map((net, runner) => {
		let exact = net;
		for (const hedge of hedges) {
			const sign = hedge.side === BACK ? 1 : -1;
			exact -= sign * hedge.stake * 100;
			if (hedge.runner === runner) exact += sign * hedge.value;
		}
		return exact;
	});
}

/**
 * The hedges with the best certain result, times the share: each runner in turn is tried as the one without a hedge.
 * @param nets per runner, matched bets only; exact, in hundredths of a minor unit
 * @param share 0 to 1
 * @param out removed runners
 * @param isAllowed whether the market takes these hedges
 * @returns null if the book is too thin for every allowed way, no hedges if all outcomes are level already
 */
export function planCashOut(
	nets: readonly number[],
	depths: readonly RunnerDepth[],
	share: number,
	out: { has(runner: number): boolean } = new Set(),
	isAllowed: (hedges: readonly Hedge[]) => boolean = () => true,
): CashOutPlan | null {
	const ofStanding = (amounts: readonly number[]) => amounts.filter((_, runner) => !out.has(runner));
	// Rounded like a settlement, so that the quote equals the paid amount.
	const leastOf = (amounts: readonly number[]) => netMinor(Math.min(...ofStanding(amounts)));
	const planWith = (hedges: Hedge[]): CashOutPlan => {
		const after = netsAfter(nets, hedges);
		return {
			hedges,
			after: after.map(netMinor),
			before: leastOf(nets),
			certain: leastOf(after),
		};
	};
	if (isLevel(ofStanding(nets))) return planWith([]);
	let best: CashOutPlan | null = null;
	for (let alone = 0; alone < nets.length; alone++) {
		if (out.has(alone)) continue;
		const hedges = nets.map((net, runner) => {
			const wanted = Math.round((((nets[alone] as number) - net) * share) / 100);
			return wanted === 0 || out.has(runner) ? undefined : hedgeOfValue(runner, wanted, depths[runner] as RunnerDepth);
		});
		if (hedges.includes(null)) continue;
		const placed = hedges.filter((hedge): hedge is Hedge => hedge !== undefined && hedge !== null && hedge.stake > 0);
		if (!isAllowed(placed)) continue;
		const plan = planWith(placed);
		if (!best || plan.certain > best.certain) best = plan;
	}
	return best;
}
