/** Which number of a form a refusal is about: the form says it of that field. */

import type { ErrorCode } from '#values/error-catalogue.ts';
import { CallFailure } from '#web/api/failure.ts';
import type { FormNumber } from '#web/betting/selection.ts';

const BY_CODE: Partial<Record<ErrorCode, FormNumber>> = {
	PRICE_NOT_ON_LADDER: 'odds',
	INVALID_AMOUNT: 'amount',
	INVALID_STAKE: 'amount',
	INVALID_SIZE: 'amount',
	STAKE_TOO_SMALL: 'amount',
	STAKE_TOO_LARGE: 'amount',
	STAKE_STEP: 'amount',
	STAKE_LIMIT: 'amount',
	INVALID_PROFIT_RATIO: 'amount',
	PROFIT_TOO_LARGE: 'amount',
	LARGEST_WIN: 'amount',
	LOSS_LIMIT: 'amount',
	EXPOSURE_LIMIT: 'amount',
	INSUFFICIENT_FUNDS: 'amount',
	AMOUNT_OUT_OF_RANGE: 'amount',
	DEPOSIT_LIMIT: 'amount',
};

/** Members of requests. */
const BY_MEMBER: Readonly<Record<string, FormNumber>> = {
	price: 'odds',
	limit: 'odds',
	stake: 'amount',
	size: 'amount',
	sizeReduction: 'amount',
	amount: 'amount',
};

/** @param code of a refusal, as of a later server */
export const numberOfCode = (code: string): FormNumber | null => BY_CODE[code as ErrorCode] ?? null;

/** Null for what is about no number, or about more than one. */
export function refusedNumber(failure: unknown): FormNumber | null {
	if (!(failure instanceof CallFailure)) return null;
	const [wrong, ...others] = failure.validationErrors;
	if (wrong && others.length === 0) return BY_MEMBER[wrong.member] ?? null;
	return numberOfCode(failure.code);
}
