/** What the history says of a bet that is neither won nor lost whole, and of one whose price was reduced. */
import { expect, it } from 'vitest';
import type { HistoryBet } from '#web/features/bet-history/bet-result.ts';
import { reductionWords, resultWord } from '#web/features/bet-history/bet-result.ts';

const bet = (changes: object) =>
	({
		result: 'LOST',
		status: 'SETTLED',
		isDeadHeat: false,
		averagePrice: 144,
		unreducedPrice: 145,
		bettingModel: 'EXCHANGE',
		...changes,
	}) as unknown as HistoryBet;

it('a dead heat that loses in sum was won in part', () => {
	expect(resultWord(bet({ isDeadHeat: true }))).toBe('Dead heat, part won');
	expect(resultWord(bet({}))).toBe('Lost');
});

it('in a place market the winnings are reduced, in others the odds', () => {
	expect(reductionWords(bet({ reduces: 'WINNINGS' }))).toBe('Matched at 1.45; winnings reduced as if at 1.44');
	expect(reductionWords(bet({ reduces: 'PRICE' }))).toBe('Odds reduced from 1.45 to 1.44');
	expect(reductionWords(bet({ unreducedPrice: null, reduces: null }))).toBeNull();
});
