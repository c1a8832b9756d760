/** What became of a bet, in the words of its market. */

import type { HistoryPage } from '#web/api/answers.ts';
import { quotingOfBet } from '#web/betting/quoting.ts';
import { numberWords } from '#web/texts/bet-words.ts';
import { ACCOUNT_TEXTS, MARKET_WORDS } from '#web/texts/more.ts';

export type HistoryBet = HistoryPage['items'][number];
type Status = keyof typeof words.statuses;

const words = ACCOUNT_TEXTS.history;

/** Won, lost, in part both, or why it never was matched. */
export function resultWord({ result, status, isDeadHeat }: HistoryBet): string {
	if (isDeadHeat) return words.deadHeat;
	return result ? words.results[result] : (words.statuses[status as Status] ?? status);
}

/** Of a market on a number: the number, and of a fancy the side that won; null of others and of void bets. */
export function numberResult(bet: HistoryBet): string | null {
	const { numberWas, result, side } = bet;
	if (!numberWas || (result !== 'WON' && result !== 'LOST')) return null;
	const number = numberWords(numberWas);
	if (quotingOfBet(bet) !== 'LINE') return MARKET_WORDS.numberWas(number);
	const yes = (result === 'WON') === (side === 'BACK');
	return `${yes ? MARKET_WORDS.reached : MARKET_WORDS.missed} · ${number}`;
}
