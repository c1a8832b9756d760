/** Profit and loss of a part of a bet, unmatched or matched. */

import { betRange } from '#values/bet-range.ts';
import { type Minor, minorOf } from '#values/money.ts';
import { sideCode } from '#values/sides.ts';
import type { OpenBet } from '#web/api/answers.ts';
import type { Quoting } from '#web/betting/quoting.ts';

export type BetPart = 'unmatched' | 'matched';

/**
 * The largest profit and loss of a part of a bet. The unmatched part counts at the requested price, the matched one at
 * its prices.
 */
export function rangeOfPart(
	bet: Pick<OpenBet, 'side' | 'price' | 'remainingStake' | 'matched'>,
	{ quoting, eachWay }: { quoting: Quoting; eachWay: number },
	part: BetPart,
): { profit: Minor; liability: Minor } {
	if (part === 'matched') return bet.matched;
	const stake = bet.remainingStake;
	const terms = { eachWay, lines: quoting === 'SPREAD' };
	const { profit, liability } = betRange(sideCode(bet.side), bet.price * stake, stake, terms);
	return { profit: minorOf(profit), liability: minorOf(liability) };
}
