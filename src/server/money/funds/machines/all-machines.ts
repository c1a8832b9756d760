/** Every machine, in the order of docs/FUNDS.md. */
import type { Machine } from '#server/money/funds/machine.ts';
import { ADJUSTMENT } from '#server/money/funds/machines/adjustment.ts';
import { BONUS } from '#server/money/funds/machines/bonus.ts';
import { COINS } from '#server/money/funds/machines/coins.ts';
import { DEPOSIT } from '#server/money/funds/machines/deposit.ts';
import { DISPUTE } from '#server/money/funds/machines/dispute.ts';
import { FINDING } from '#server/money/funds/machines/finding.ts';
import { PAYMENT } from '#server/money/funds/machines/payment.ts';
import { PROVIDER_SETTLEMENT } from '#server/money/funds/machines/provider-settlement.ts';
import { REFERRAL } from '#server/money/funds/machines/referral.ts';
import { TAX } from '#server/money/funds/machines/tax.ts';
import { WITHDRAWAL } from '#server/money/funds/machines/withdrawal.ts';

export const ALL_MACHINES: readonly Machine[] = [
	COINS,
	PAYMENT,
	DISPUTE,
	DEPOSIT,
	WITHDRAWAL,
	PROVIDER_SETTLEMENT,
	FINDING,
	ADJUSTMENT,
	BONUS,
	REFERRAL,
	TAX,
];
