/** What a part of a bet, unmatched or matched, wins and loses. */

import { betRange } from '#values/bet-range.ts';
import { type Paise, paiseOf } from '#values/money.ts';
import { sideCode } from '#values/sides.ts';
import type { OpenBet } from '#web/api/answers.ts';
import type { Quoting } from '#web/betting/quoting.ts';

export type BetPart = 'unmatched' | 'matched';

/**
 * What a part of a bet wins and loses at most. The unmatched part counts at the price asked. The matched part is the
 * difference between the server's figures of the whole bet and the unmatched part, because an average price is rounded.
 */
export function rangeOfPart(
	bet: Pick<OpenBet, 'side' | 'price' | 'remainingStake' | 'profit' | 'liability'>,
	{ quoting, eachWay }: { quoting: Quoting; eachWay: number },
	part: BetPart,
): { profit: Paise; liability: Paise } {
	const stake = bet.remainingStake;
	const terms = { eachWay, lines: quoting === 'SPREAD' };
	const unmatched = betRange(sideCode(bet.side), bet.price * stake, stake, terms);
	const matched = { profit: bet.profit - unmatched.profit, liability: bet.liability - unmatched.liability };
	const { profit, liability } = part === 'unmatched' ? unmatched : matched;
	return { profit: paiseOf(profit), liability: paiseOf(liability) };
}
