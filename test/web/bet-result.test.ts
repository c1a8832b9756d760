/** What the history says of a bet that is neither won nor lost whole, and of one whose price was reduced. */
import { expect, it } from 'vitest';
import type { HistoryBet } from '#web/features/bet-history/bet-result.ts';
import { resultWord } from '#web/features/bet-history/bet-result.ts';
import { reductionWords } from '#web/orders/reduction-words.ts';

const bet = (changes: object) =>
	({
		result: 'LOST',
		status: 'SETTLED',
		isDeadHeat: false,
		bettingModel: 'EXCHANGE',
		...changes,
	}) as unknown as HistoryBet;

it('a dead heat that loses in sum was won in part', () => {
	expect(resultWord(bet({ isDeadHeat: true }))).toBe('Dead heat, part won');
	expect(resultWord(bet({}))).toBe('Lost');
});

it.each([
	['PRICE', 'Odds reduced from 6.00 to 4.32: Moon was withdrawn (20\u00a0%); Star was withdrawn (10\u00a0%).'],
	[
		'WINNINGS',
		'Winnings reduced from odds of 6.00 to 4.32: Moon was withdrawn (20\u00a0%); Star was withdrawn (10\u00a0%).',
	],
])('says which runners reduced its %s', (reduces, said) => {
	const nonRunners = [
		{ runnerName: 'Moon', percent: 20 },
		{ runnerName: 'Star', percent: 10 },
	];
	const reduction = { unreducedPrice: 600, reduces, nonRunners };
	expect(reductionWords(bet({ averagePrice: 432, reduction }), 'ODDS')).toBe(said);
	expect(reductionWords(bet({ averagePrice: 432 }), 'ODDS')).toBeNull();
});
