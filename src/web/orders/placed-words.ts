/** The state of a placed bet, in one sentence. */

import type { OpenBet, PlacedBet } from '#web/api/answers.ts';
import type { Selection } from '#web/betting/selection.ts';
import { formatMoney, formatQuote } from '#web/format.ts';
import { SLIP_WORDS } from '#web/texts/more.ts';

const words = SLIP_WORDS;

export type PlacedOutcome = Pick<
	PlacedBet,
	'status' | 'price' | 'matchedStake' | 'remainingStake' | 'averagePrice' | 'matched'
> &
	Pick<OpenBet, 'reduction'>;

/** Matched, part matched, unmatched, delayed, lapsed or ended. */
export function placedWords(
	{ status, price: asked, matchedStake, remainingStake, averagePrice }: Omit<PlacedOutcome, 'matched'>,
	{ quoting }: Pick<Selection, 'quoting'>,
): string {
	const price = formatQuote(averagePrice ?? asked, quoting);
	if (status === 'PENDING') return words.delayed;
	if (status === 'LAPSED') return words.lapsed;
	if (status === 'CANCELLED') return words.ended;
	if (matchedStake === 0) return words.unmatched(formatMoney(remainingStake), formatQuote(asked, quoting));
	if (remainingStake === 0) return words.matched(formatMoney(matchedStake), price);
	return words.part(formatMoney(matchedStake), price, formatMoney(remainingStake));
}
