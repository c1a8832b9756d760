import type { Minor } from '#values/money.ts';
import { formatMoney } from '#web/format.ts';
import { CASINO_TEXTS } from '#web/texts/more.ts';

const words = CASINO_TEXTS.result;

/** A round's payout against its stake, shown once; a loss is never celebrated. */
export function resultText({ stake, payout }: { stake: Minor; payout: Minor }): string {
	if (payout > stake) return words.won(formatMoney(payout));
	return payout > 0 ? words.back(formatMoney(payout)) : words.lost(formatMoney(stake));
}
