/** Every machine, in the order of docs/FUNDS.md. */
import type { Machine } from '#server/funds/machine.ts';
import { ADJUSTMENT } from '#server/funds/machines/adjustment.ts';
import { BONUS } from '#server/funds/machines/bonus.ts';
import { COINS } from '#server/funds/machines/coins.ts';
import { DEPOSIT } from '#server/funds/machines/deposit.ts';
import { DISPUTE } from '#server/funds/machines/dispute.ts';
import { FINDING } from '#server/funds/machines/finding.ts';
import { PAYMENT } from '#server/funds/machines/payment.ts';
import { PROVIDER_SETTLEMENT } from '#server/funds/machines/provider-settlement.ts';
import { REFERRAL } from '#server/funds/machines/referral.ts';
import { WITHDRAWAL } from '#server/funds/machines/withdrawal.ts';

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
];
