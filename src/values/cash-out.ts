/**
 * What equalises a position in a market with one winner. A bet on a runner moves its outcome against all others by
 * stake × price, so with one runner left alone every other needs just the bet that brings it level with that one.
 * Source: exchange rules, "Cash out". Amounts paise, prices hundredths.
 */
import { BACK, LAY, type SideCode } from '#values/sides.ts';

export interface PriceLevel {
	price: number;
	size: number;
}

/** What can be taken now, best first: `back` by a backer, `lay` by a layer. */
export interface RunnerDepth {
	back: readonly PriceLevel[];
	lay: readonly PriceLevel[];
}

export interface Hedge {
	runner: number;
	side: SideCode;
	stake: number;
	/** The worst price that has to be taken. */
	limit: number;
	/** Σ stake × price. */
	value: number;
}

export interface CashOutPlan {
	hedges: Hedge[];
	/** Net per runner afterwards. */
	after: number[];
}

/** The bet on a runner whose value, Σ stake × price, comes nearest to what is wanted; null when the book is too thin. */
function hedgeOf(runner: number, wanted: number, depth: RunnerDepth): Hedge | null {
	const side = wanted > 0 ? BACK : LAY;
	let left = Math.abs(wanted) * 100;
	const hedge: Hedge = { runner, side, stake: 0, limit: 0, value: 0 };
	for (const { price, size } of side === BACK ? depth.back : depth.lay) {
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

/** The net per runner once the hedges are matched, exact amounts rounded down to whole paise. */
function netsAfter(nets: readonly number[], hedges: readonly Hedge[]): number[] {
	return nets.map((net, runner) => {
		let exact = net * 100;
		for (const hedge of hedges) {
			const sign = hedge.side === BACK ? 1 : -1;
			exact -= sign * hedge.stake * 100;
			if (hedge.runner === runner) exact += sign * hedge.value;
		}
		return Math.floor(exact / 100);
	});
}

/**
 * The hedges that leave most for certain, a share of the whole: every runner in turn is the one left alone.
 * @param nets per runner, matched bets only
 * @param share 0 to 1
 * @returns null when no way of hedging finds enough in the book, no hedges when all outcomes are level already
 */
export function planCashOut(
	nets: readonly number[],
	depths: readonly RunnerDepth[],
	share: number,
): CashOutPlan | null {
	let best: CashOutPlan | null = null;
	let bestCertain = Number.NEGATIVE_INFINITY;
	for (let alone = 0; alone < nets.length; alone++) {
		const wanted = nets.map((net) => Math.round(((nets[alone] as number) - net) * share));
		const hedges = wanted.map((amount, runner) =>
			amount === 0 ? undefined : hedgeOf(runner, amount, depths[runner] as RunnerDepth),
		);
		if (hedges.includes(null)) continue;
		const placed = hedges.filter((hedge): hedge is Hedge => hedge !== undefined && hedge !== null && hedge.stake > 0);
		const after = netsAfter(nets, placed);
		const certain = Math.min(...after);
		if (certain <= bestCertain) continue;
		bestCertain = certain;
		best = { hedges: placed, after };
	}
	return best;
}
