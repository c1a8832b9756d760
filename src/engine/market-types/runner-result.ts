/**
 * A file for each kind of market: what result it takes and how a result pays a bet. This one is the market between
 * runners, of which one, several or any number win; what it can cost is in src/values/exposure.ts, because the bet slip
 * shows the same figure.
 */
import type { RunnerResult } from '#engine/market.ts';
import { ANY_NUMBER } from '#values/exposure.ts';
import { BACK, type SideCode } from '#values/sides.ts';

/** A result that can be paid: what each runner's bets get, and the runners that share what places are left. */
export interface Payable {
	/** By runner: all of a win, nothing, its stake back, or a share of a win. */
	results: readonly RunnerResult[];
	/** How many places the tied runners share, and how many they are; 1 of 1 without a tie. */
	places: number;
	parts: number;
}

/**
 * What a result pays, or null when it is not one for every runner or names more or fewer winners than the market has.
 * More WINs than places are a dead heat of all of them.
 */
export function payableOf(
	results: readonly RunnerResult[],
	runners: number,
	winners: number,
	removed: { has(runner: number): boolean },
): Payable | null {
	if (
		results.length !== runners ||
		results.some((result, runner) => result !== 'LOSE' && result !== 'VOID' && removed.has(runner))
	) {
		return null;
	}
	const count = (wanted: RunnerResult) => results.filter((result) => result === wanted).length;
	const [wins, ties, voids] = [count('WIN'), count('TIE'), count('VOID')];
	const standing = results.filter((result, runner) => result !== 'VOID' && !removed.has(runner)).length;
	if (voids === runners) return { results, places: 1, parts: 1 };
	if (winners === ANY_NUMBER) return ties === 0 ? { results, places: 1, parts: 1 } : null;
	if (ties > 0)
		return wins < winners && wins + ties > winners ? { results, places: winners - wins, parts: ties } : null;
	if (wins > winners) {
		const tied = results.map((result) => (result === 'WIN' ? 'TIE' : result));
		return { results: tied, places: winners, parts: wins };
	}
	return wins === Math.min(winners, standing) ? { results, places: 1, parts: 1 } : null;
}

/** What a matched part wins or loses, in hundredths of a paisa times `parts`. */
export function profitExactParts(
	side: SideCode,
	runner: number,
	matched: number,
	matchedValue: number,
	{ results, places, parts }: Payable,
): number {
	const result = results[runner];
	const returned = result === 'WIN' ? matchedValue * parts : result === 'TIE' ? matchedValue * places : 0;
	const asBacker = returned - matched * 100 * parts;
	return side === BACK ? asBacker : -asBacker;
}
