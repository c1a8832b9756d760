/** Markets with one winner among their runners; void when undecided. */
import { type MarketType, winnersOf } from '#engine/market-types/market-type.ts';

const oneWinner = (name: string, terms: Partial<MarketType> = {}): MarketType => ({
	name,
	model: 'EXCHANGE',
	ladder: 'CLASSIC',
	winners: () => 1,
	decidedByWinners: () => true,
	resultOf: winnersOf,
	...terms,
});

export const matchOdds = oneWinner('MATCH_ODDS');
export const toss = oneWinner('TO_WIN_THE_TOSS');
/** Yes and no: an abandoned match is a result, but one that never began is none. */
export const completedMatch = oneWinner('COMPLETED_MATCH', {
	resultOf: (ended, shape) => winnersOf(ended.unfinished && !ended.unplayed ? { winners: [1] } : ended, shape),
});
export const tiedMatch = oneWinner('TIED_MATCH');
export const setWinner = oneWinner('SET_WINNER');
export const correctScore = oneWinner('CORRECT_SCORE');
export const outright = oneWinner('OUTRIGHT');
/** A race. */
export const win = oneWinner('WIN', { reducible: true });
/** The house quotes each side as a rate per 100. */
export const bookmaker = oneWinner('BOOKMAKER', { model: 'BOOKMAKER', ladder: 'RATES' });
/** Whether a number is odd or even, at the house's rates. */
export const oddEven = oneWinner('ODD_EVEN', {
	model: 'FANCY',
	ladder: 'RATES',
	resultOf: (ended, shape) =>
		ended.value === undefined || ended.unfinished
			? winnersOf(ended, shape)
			: winnersOf({ winners: [ended.value % 2 === 0 ? 1 : 0] }, shape),
});
