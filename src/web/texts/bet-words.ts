/** How a bet is named in the words of its market. */

import type { Side } from '#values/sides.ts';
import type { Quoting } from '#web/betting/quoting.ts';
import { BET_WORDS, MARKET_WORDS, SIDE_WORDS } from '#web/texts/more.ts';

/** "Back", "Lay"; on a fancy's line "Yes", "No"; of a line that is traded "Sell", "Buy". */
export const sideWord = (side: Side, quoting: Quoting): string => SIDE_WORDS[quoting][side];

/** "India 1.95" in odds, "India at 95" in rates, "Runs at 165.5" of lines, "46 @ 100" on a fancy's line. */
export function betWords(runner: string, quote: string, quoting: Quoting): string {
	if (quoting === 'LINE') return `${runner} @ ${quote}`;
	return quoting === 'RATE' || quoting === 'SPREAD' ? BET_WORDS.at(runner, quote) : `${runner} ${quote}`;
}

/** The number that a market came to, as far as it is known: "27", "27 or more". */
export function numberWords({ from, to }: { from: number | null; to: number | null }): string {
	if (from === null || to === null) {
		return from === null ? MARKET_WORDS.below(String(to)) : MARKET_WORDS.above(String(from));
	}
	return from === to ? String(from) : MARKET_WORDS.between(String(from), String(to));
}
