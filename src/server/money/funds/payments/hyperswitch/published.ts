/**
 * What Hyperswitch's published values mean here: every status, event and error of its public description
 * (`api-reference/v1/openapi_spec_v1.json` and `api-reference/essentials/error_codes.mdx` of juspay/hyperswitch). A
 * value that is not in a table is not guessed at: a lookup with it fails, and the order or the payout stays open.
 */
import type { DisputeWord, PayoutWord, ProviderWord, RefundWord } from '#server/money/funds/payments/provider.ts';

type PaymentMeaning = Exclude<ProviderWord['status'], `DISPUTE${string}`> | 'CONFLICT';

/** `IntentStatus`. An order is confirmed at once and captured automatically, so money waits at no step of ours. */
export const PAYMENT_STATUSES: Readonly<Record<string, PaymentMeaning>> = {
	succeeded: 'SUCCESS',
	// The rest will not come: the amount that was received differs, and two operators decide.
	partially_captured: 'SUCCESS',
	failed: 'FAILED',
	cancelled: 'FAILED',
	// The money went back after it was captured: a credit that was given has to be looked at.
	cancelled_post_capture: 'REVERSED',
	expired: 'EXPIRED',
	// Amount or currency at the processor differ from the order's: only a person can tell what was paid.
	conflicted: 'CONFLICT',
	processing: 'PENDING',
	requires_customer_action: 'PENDING',
	requires_merchant_action: 'PENDING',
	requires_payment_method: 'PENDING',
	requires_confirmation: 'PENDING',
	requires_capture: 'PENDING',
	partially_captured_and_capturable: 'PENDING',
	partially_captured_and_processing: 'PENDING',
	partially_authorized_and_requires_capture: 'PENDING',
};

/** `PayoutStatus`. FAILED only where nothing was paid and nothing will be. */
export const PAYOUT_STATUSES: Readonly<Record<string, PayoutWord['status']>> = {
	success: 'PAID',
	// The bank sent it back after it was paid.
	reversed: 'REVERSED',
	failed: 'FAILED',
	cancelled: 'FAILED',
	expired: 'FAILED',
	ineligible: 'FAILED',
	initiated: 'PROCESSING',
	pending: 'PROCESSING',
	requires_creation: 'PROCESSING',
	requires_confirmation: 'PROCESSING',
	requires_payout_method_data: 'PROCESSING',
	requires_fulfillment: 'PROCESSING',
	requires_vendor_account_creation: 'PROCESSING',
};

/** `RefundStatus`. */
export const REFUND_STATUSES: Readonly<Record<string, RefundWord['status']>> = {
	succeeded: 'RETURNED',
	failed: 'FAILED',
	pending: 'PROCESSING',
	review: 'PROCESSING',
};

/** `DisputeStatus`. */
export const DISPUTE_STATUSES: Readonly<Record<string, DisputeWord['status']>> = {
	dispute_opened: 'DISPUTED',
	dispute_challenged: 'DISPUTED',
	dispute_won: 'DISPUTE_WON',
	// The payer's bank withdrew it.
	dispute_cancelled: 'DISPUTE_WON',
	dispute_accepted: 'DISPUTE_LOST',
	dispute_lost: 'DISPUTE_LOST',
	// An inquiry that ended, or a deadline that was missed: a person finds out at the processor.
	dispute_expired: 'UNCLEAR',
};

/** `DisputeStage`: money may be missing in each of them, so a dispute holds what it is about from the first on. */
export const DISPUTE_STAGES: readonly string[] = [
	'pre_dispute',
	'dispute',
	'pre_arbitration',
	'arbitration',
	'dispute_reversal',
];

/** `EventType`, by the content of its webhook; null for what moves no money of ours. */
export const EVENTS: Readonly<
	Record<string, 'payment_details' | 'refund_details' | 'dispute_details' | 'payout_details' | null>
> = {
	payment_succeeded: 'payment_details',
	payment_failed: 'payment_details',
	payment_processing: 'payment_details',
	payment_cancelled: 'payment_details',
	payment_cancelled_post_capture: 'payment_details',
	payment_authorized: 'payment_details',
	payment_partially_authorized: 'payment_details',
	payment_captured: 'payment_details',
	payment_expired: 'payment_details',
	action_required: 'payment_details',
	refund_succeeded: 'refund_details',
	refund_failed: 'refund_details',
	dispute_opened: 'dispute_details',
	dispute_expired: 'dispute_details',
	dispute_accepted: 'dispute_details',
	dispute_cancelled: 'dispute_details',
	dispute_challenged: 'dispute_details',
	dispute_won: 'dispute_details',
	dispute_lost: 'dispute_details',
	payout_success: 'payout_details',
	payout_failed: 'payout_details',
	payout_initiated: 'payout_details',
	payout_processing: 'payout_details',
	payout_cancelled: 'payout_details',
	payout_expired: 'payout_details',
	payout_reversed: 'payout_details',
	mandate_active: null,
	mandate_revoked: null,
	invoice_paid: null,
};

/**
 * - REFUSED: refused before anything was made, because of the key, the address or the fields of the request.
 * - EXISTS: the identifier is taken, by an earlier request of ours.
 * - ABSENT: nothing is known under the identifier.
 * - UNKNOWN: it may have been made; the object is looked up.
 */
export type ErrorMeaning = 'REFUSED' | 'EXISTS' | 'ABSENT' | 'UNKNOWN';

/** Error codes. Where the description leaves open how far a request came, the answer is no verdict. */
export const ERRORS: Readonly<Record<string, ErrorMeaning>> = {
	...meaning('UNKNOWN', ['CE_00', 'CE_01', 'CE_02', 'CE_03', 'CE_04', 'CE_05', 'CE_06', 'CE_07', 'CE_08']),
	...meaning('UNKNOWN', ['HE_00', 'HE_03', 'HE_05', 'HE_06']),
	...meaning('EXISTS', ['HE_01']),
	...meaning('ABSENT', ['HE_02', 'HE_04']),
	...meaning('REFUSED', ['IR_00', 'IR_01', 'IR_02', 'IR_03', 'IR_04', 'IR_05']),
	...meaning('UNKNOWN', [
		'IR_06',
		'IR_07',
		'IR_08',
		'IR_09',
		'IR_10',
		'IR_11',
		'IR_12',
		'IR_13',
		'IR_14',
		'IR_15',
		'IR_16',
	]),
	...meaning('REFUSED', ['IR_17', 'IR_18', 'IR_21', 'IR_22']),
	...meaning('UNKNOWN', ['IR_19', 'IR_20', 'IR_23', 'IR_24', 'IR_25', 'IR_26', 'IR_27', 'IR_28', 'IR_29', 'IR_30']),
	...meaning('UNKNOWN', [
		'IR_31',
		'IR_32',
		'IR_33',
		'IR_34',
		'IR_35',
		'IR_36',
		'IR_37',
		'IR_38',
		'IR_39',
		'IR_40',
		'IR_41',
	]),
	...meaning('UNKNOWN', ['WE_01', 'WE_02', 'WE_03', 'WE_04', 'WE_05', 'WE_06']),
};

function meaning(means: ErrorMeaning, codes: readonly string[]): Record<string, ErrorMeaning> {
	return Object.fromEntries(codes.map((code) => [code, means]));
}

/** The meaning of a published value. @throws Error for one that is not in the table */
export function meantBy<Meaning>(table: Readonly<Record<string, Meaning>>, value: string): Meaning {
	const meant = Object.hasOwn(table, value) ? table[value] : undefined;
	if (meant === undefined)
		throw new Error(`Hyperswitch said "${value.slice(0, 60)}", which its description does not have.`);
	return meant;
}
