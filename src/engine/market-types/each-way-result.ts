/**
 * How a result pays in an each-way market. A tie for the win shares the win part and, with more winners than places,
 * the places. A tie for the last places shares those. Where no more runners take part than there are places, the place
 * part is void, as on the exchanges that have such markets.
 */
import type { RunnerResult } from '#engine/market-terms.ts';
import type { Payable, Share } from '#engine/market-types/payable.ts';

/**
 * The finest exact unit of a bet's return: (divisor + 1) × the parts that a place is shared in. Sixteen runners can tie
 * at a tenth of the odds, thirty-five at a quarter.
 */
export const MOST_SHARES = 11 * 16;

/** The number of parts that both divide into. */
function commonMultiple(one: number, other: number): number {
	let [a, b] = [one, other];
	while (b > 0) [a, b] = [b, a % b];
	return (one / a) * other;
}

/** @returns null when it is no result of a market with that many places */
export function eachWayPayable(
	results: readonly RunnerResult[],
	places: number,
	divisor: number,
	removed: { has(runner: number): boolean },
): Payable | null {
	const count = (wanted: RunnerResult) => results.filter((result) => result === wanted).length;
	const [wins, behind, ties] = [count('WIN'), count('PLACED'), count('TIE')];
	const standing = results.filter((result, runner) => result !== 'VOID' && !removed.has(runner)).length;
	const shares = commonMultiple(Math.max(1, wins), Math.max(1, ties));
	if (wins === 0 || shares * (divisor + 1) > MOST_SHARES || results.includes('HALF_WIN')) return null;
	const parts = divisor * shares;
	const win = parts / wins;
	if (standing <= places) {
		const shareOf = (result: RunnerResult) => ({ ofValue: result === 'WIN' ? win : 0, ofStake: parts });
		return { results, places: 1, parts, eachWay: results.map(shareOf) };
	}
	const left = places - wins - behind;
	const fits = ties > 0 ? left > 0 && ties > left : left === 0 || (left < 0 && behind === 0);
	if (!fits) return null;
	const placedShare = { WIN: Math.min(places, wins) / wins, PLACED: 1, TIE: left / ties } as Record<string, number>;
	const shareOf = (result: RunnerResult): Share => {
		const placed = Math.round((placedShare[result] ?? 0) * parts);
		return {
			ofValue: (result === 'WIN' ? win : 0) + placed / divisor,
			ofStake: (placed / divisor) * (divisor - 1),
		};
	};
	return { results, places: 1, parts, eachWay: results.map(shareOf) };
}
