/**
 * Two sides, one with a start in quarters of a goal. A quarter line is two half stakes on the neighbouring half lines;
 * a tie on a whole line voids its half.
 */
import {
	everyRunner,
	type MarketType,
	onWholeOrHalfLine,
	quartersAhead,
	winnersOf,
} from '#engine/market-types/market-type.ts';

export const asianHandicap: MarketType = {
	name: 'ASIAN_HANDICAP',
	model: 'EXCHANGE',
	ladder: 'FINE',
	winners: () => 1,
	decidedByWinners: onWholeOrHalfLine,
	resultOf(ended, shape) {
		const { margin, unfinished } = ended;
		if (unfinished) return everyRunner(shape, 'VOID');
		if (margin === undefined) return onWholeOrHalfLine(shape) ? winnersOf(ended, shape) : null;
		const ahead = margin * 4 + (shape.handicapQuarters ?? 0);
		return [quartersAhead(ahead), quartersAhead(-ahead)];
	},
};
