/** The result of a bet, in the terms of its market. */

import type { HistoryPage } from '#web/api/answers.ts';
import { quotingOfBet } from '#web/betting/quoting.ts';
import { numberWords } from '#web/texts/bet-words.ts';
import { ACCOUNT_TEXTS, MARKET_WORDS } from '#web/texts/more.ts';

export type HistoryBet = HistoryPage['items'][number];
type Status = keyof typeof words.statuses;

const words = ACCOUNT_TEXTS.history;

/** Won, lost, partly both, or why it was never matched. */
export function resultWord({ result, status, isDeadHeat }: HistoryBet): string {
	if (isDeadHeat) return words.deadHeat;
	return result ? words.results[result] : (words.statuses[status as Status] ?? status);
}

/** For a market on a number: the number, and for a fancy the winning side; null for others and for void bets. */
export function numberResult(bet: HistoryBet): string | null {
	const { numberWas, result, side } = bet;
	if (!numberWas || (result !== 'WON' && result !== 'LOST')) return null;
	const number = numberWords(numberWas);
	if (quotingOfBet(bet) !== 'LINE') return MARKET_WORDS.numberWas(number);
	const yes = (result === 'WON') === (side === 'BACK');
	return `${yes ? MARKET_WORDS.reached : MARKET_WORDS.missed} · ${number}`;
}
