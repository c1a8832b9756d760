/**
 * Each way: one bet of two equal parts, one on the runner to win at its odds, and one on it to be placed at a fraction
 * of them, 1 + (odds − 1) / divisor. A runner wins, is placed or loses; the market's number of places includes the
 * winner's. If the runners do not outnumber the places, the place parts are void. Exact amounts are hundredths of a
 * minor unit times the divisor, so that no part of a bet is rounded.
 */
import type { Figures } from '#values/figures.ts';
import { BACK, type SideCode } from '#values/sides.ts';

/** A bet's profit in each of a runner's three results. */
interface EachWayProfit {
	won: number;
	placed: number;
	lost: number;
}

/**
 * @param value Σ stake × price of the bet; the stake is that of one part
 */
export function eachWayProfit(side: SideCode, value: number, stake: number, divisor: number): EachWayProfit {
	const sign = side === BACK ? 1 : -1;
	return {
		won: sign * (divisor + 1) * (value - stake * 100),
		placed: sign * (value - stake * 100 * (divisor + 1)),
		lost: -sign * 2 * divisor * stake * 100,
	};
}

/** The largest profit and loss of a bet in any of the three results. */
export function eachWayRange(side: SideCode, value: number, stake: number, divisor: number) {
	const { won, placed, lost } = eachWayProfit(side, value, stake, divisor);
	return { profit: Math.max(won, placed, lost), liability: -Math.min(won, placed, lost) };
}

/** The loss of an unmatched order if its runner is placed: a back at short odds, or a lay at long ones; 0 for others. */
export function placedLoss(side: SideCode, price: number, stake: number, divisor: number): number {
	const gain = price - 100 * (divisor + 1);
	return stake * Math.max(0, side === BACK ? -gain : gain);
}

/** The additional loss by all orders of a runner when it wins, and when it is placed. */
function differences(
	{ data, at, runners, eachWay: divisor }: Figures,
	runner: number,
): { won: number; placed: number } {
	const read = (column: number): number => data[at + 2 + column * runners + runner] as number;
	const [gain, backs, lays, share, ifPlaced] = [read(0), read(1), read(2), read(3), read(4)];
	const lost = 2 * divisor * (share - backs);
	return {
		won: (divisor + 1) * (gain + share - lays) - lost,
		placed: gain + (divisor + 1) * share - ifPlaced - lost,
	};
}

/**
 * The worst outcome: one runner wins, and others fill the remaining places. A dead heat pays an average of such
 * outcomes, so it is never worse.
 * @returns exact, or null if too few runners take part for places to be paid
 */
export function worstEachWay(figures: Figures): number | null {
	const { data, at, runners, winners: places, eachWay: divisor, out } = figures;
	const standing: { won: number; placed: number }[] = [];
	for (let runner = 0; runner < runners; runner++) {
		if (!out?.has(runner)) standing.push(differences(figures, runner));
	}
	if (standing.length <= places) return null;
	standing.sort((one, other) => one.placed - other.placed);
	let behind = 0;
	for (let at = 0; at < places - 1; at++) behind += (standing[at] as { placed: number }).placed;
	const next = (standing[places - 1] as { placed: number }).placed;
	let least = Number.POSITIVE_INFINITY;
	standing.forEach(({ won, placed }, rank) => {
		// A winner that was counted among the placed leaves its place to the next runner.
		const others = rank < places - 1 ? behind - placed + next : behind;
		least = Math.min(least, won + others);
	});
	const shared = (data[at] as number) - (data[at + 1] as number);
	return 2 * divisor * shared + least;
}

/**
 * Σ stake × price of a runner's matched bets, from the exact net if it wins and its own and all matched stakes (minor units),
 * lays counted against backs. The inverse of `eachWayExactIfWins`.
 */
export function eachWayValue(exact: number, stake: number, allStakes: number, divisor: number): number {
	const ofOthers = 200 * divisor * (stake - allStakes);
	return stake * 100 + (exact - ofOthers) / (divisor + 1);
}

/** Net of the matched bets if that runner wins and no other runner with bets is placed: exact, times the divisor. */
export function eachWayExactIfWins({ data, at, runners, eachWay: divisor }: Figures, runner: number): number {
	const [gain, share] = [data[at + 2 + runner] as number, data[at + 2 + 3 * runners + runner] as number];
	const lost = 2 * divisor * share;
	return 2 * divisor * (data[at] as number) + (divisor + 1) * (gain + share) - lost;
}
