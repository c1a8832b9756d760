/** The picture beside a runner's name. */

import { HORSE_RACING, TENNIS, TRADE } from '#values/sports.ts';

const DRAWS: ReadonlySet<string> = new Set(['The Draw', 'Draw', 'Tie', 'ड्रॉ', 'टाई', 'ড্র', 'টাই']);
export const isDraw = (runnerName: string): boolean => DRAWS.has(runnerName);

/**
 * A team's crest, a person's initials, an arrow for a direction of the level, and nothing for a horse, which has silks,
 * or a draw, which is not a side.
 */
export function sideKindOf(sportId: number, runnerName: string): 'team' | 'person' | 'rise' | 'fall' | null {
	if (isDraw(runnerName) || sportId === HORSE_RACING) return null;
	if (sportId === TRADE) return /down|below|lower|नीचे|নিচে/i.test(runnerName) ? 'fall' : 'rise';
	return sportId === TENNIS ? 'person' : 'team';
}
