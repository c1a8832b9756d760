import type { Minor } from '#values/money.ts';
import { formatMoney } from '#web/format.ts';
import { CASINO_TEXTS } from '#web/texts/more.ts';

const words = CASINO_TEXTS.result;

/** Of a player's bets on one round together. */
export interface RoundTotals {
	stake: Minor;
	payout: Minor;
}

/** Whether a round gave more than it cost. Nothing else is told, coloured or heard as a win. */
export const isWin = ({ stake, payout }: RoundTotals): boolean => payout > stake;

/** A round's payout against its stake, shown once; a loss is never celebrated. */
export function resultText({ stake, payout }: RoundTotals): string {
	if (isWin({ stake, payout })) return words.won(formatMoney(payout));
	return payout > 0 ? words.back(formatMoney(payout)) : words.lost(formatMoney(stake));
}
