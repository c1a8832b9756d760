/**
 * Two runners, over and under a line: how many goals, points or games there are. A number equal to a whole line voids
 * it.
 */
import {
	everyRunner,
	type MarketType,
	onWholeOrHalfLine,
	quartersAhead,
	winnersOf,
} from '#engine/market-types/market-type.ts';

export const overUnder: MarketType = {
	name: 'OVER_UNDER',
	model: 'EXCHANGE',
	ladder: 'CLASSIC',
	winners: () => 1,
	decidedByWinners: onWholeOrHalfLine,
	resultOf(ended, shape) {
		const { value, unfinished } = ended;
		const quarters = shape.handicapQuarters ?? 0;
		// A number that is over already stays over.
		if (unfinished && (value === undefined || value * 4 - quarters < 2)) return everyRunner(shape, 'VOID');
		if (value === undefined) return onWholeOrHalfLine(shape) ? winnersOf(ended, shape) : null;
		return [quartersAhead(value * 4 - quarters), quartersAhead(quarters - value * 4)];
	},
};
