/** The prices that a market takes: a ladder by its name, or the market's own range of lines. */

import type { LadderTerms } from '#values/price-ladder.ts';
import type { Market } from '#web/api/answers.ts';

export const ladderTermsOf = ({ ladder, lineRange }: Pick<Market, 'ladder' | 'lineRange'>): LadderTerms =>
	ladder === 'LINES' ? (lineRange ?? 'FINE') : ladder;
