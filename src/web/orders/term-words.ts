/** What a bet asked for its unmatched part. */
import type { OpenBet } from '#web/api/answers.ts';
import { formatDateTime, formatMoney, formatPrice } from '#web/format.ts';
import { BET_WORDS } from '#web/texts/more.ts';

/** Empty for most bets. */
export function termWords({
	goodTill,
	goodUntilMatched,
	postOnly,
	side,
	onClose,
	persists,
	takesStartingPrice,
}: Pick<
	OpenBet,
	'goodTill' | 'goodUntilMatched' | 'postOnly' | 'side' | 'onClose' | 'persists' | 'takesStartingPrice'
>): string {
	const until = goodTill === undefined ? [] : [BET_WORDS.goodTill(formatDateTime(goodTill))];
	const volume = goodUntilMatched === undefined ? [] : [BET_WORDS.goodUntilMatched(formatMoney(goodUntilMatched))];
	const limit = onClose?.limit ?? null;
	const limited = side === 'BACK' ? BET_WORDS.startFrom : BET_WORDS.startTo;
	const atStart = limit !== null ? [limited(formatPrice(limit))] : takesStartingPrice ? [BET_WORDS.start] : [];
	const stays = persists ? [BET_WORDS.persists] : [];
	return [...until, ...volume, ...stays, ...atStart, ...(postOnly === undefined ? [] : [BET_WORDS.postOnly])].join(
		' · ',
	);
}
