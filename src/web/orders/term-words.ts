/** What a bet asked for its unmatched part. */
import type { OpenBet } from '#web/api/answers.ts';
import { formatDateTime } from '#web/format.ts';
import { BET_WORDS } from '#web/texts/more.ts';

/** Empty for most bets. */
export function termWords({ goodTill, postOnly }: Pick<OpenBet, 'goodTill' | 'postOnly'>): string {
	const until = goodTill === undefined ? [] : [BET_WORDS.goodTill(formatDateTime(goodTill))];
	return [...until, ...(postOnly === undefined ? [] : [BET_WORDS.postOnly])].join(' · ');
}
