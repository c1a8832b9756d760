/** The effect of non-runners on a bet, in one sentence. */
import type { OpenBet } from '#web/api/answers.ts';
import type { Quoting } from '#web/betting/quoting.ts';
import { formatQuote } from '#web/format.ts';
import { REDUCTION_WORDS } from '#web/texts/more.ts';

const words = REDUCTION_WORDS;

/** Null where no non-runner changed anything. */
export function reductionWords(
	{ averagePrice, reduction }: Pick<OpenBet, 'averagePrice' | 'reduction'>,
	quoting: Quoting,
): string | null {
	if (!reduction || averagePrice === null) return null;
	const { unreducedPrice, reduces, nonRunners } = reduction;
	const [from, to] = [formatQuote(unreducedPrice, quoting), formatQuote(averagePrice, quoting)];
	const who = nonRunners.map(({ runnerName, percent }) => words.withdrawn(runnerName, String(percent))).join('; ');
	return reduces === 'WINNINGS' ? words.winnings(from, to, who) : words.price(from, to, who);
}
