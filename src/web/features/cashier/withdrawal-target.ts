/** The target of a withdrawal, as typed and in the form for the call. */
import * as v from 'valibot';
import { WithdrawalTarget } from '#contract/calls/deposit-withdrawal.ts';
import type { RequestOf } from '#web/api/units.ts';
import type { PaymentInfo } from '#web/store/funds-queries.ts';

export type Target = RequestOf<'createWithdrawal'>['details'];
export type SavedTarget = PaymentInfo['withdrawal']['saved'][number];

/** UPI and BANK are new details; anything else is the id of saved ones. */
export interface TypedTarget {
	choice: string;
	upiId: string;
	accountNumber: string;
	ifsc: string;
	holder: string;
}
export type TargetField = Exclude<keyof TypedTarget, 'choice'>;

export const FIELDS_OF: Readonly<Record<string, readonly TargetField[]>> = {
	UPI: ['upiId'],
	BANK: ['accountNumber', 'ifsc', 'holder'],
};

/** The target, or the error of each field. */
export function targetOf(typed: TypedTarget): { target: Target } | { errors: Partial<Record<TargetField, string>> } {
	const fields = FIELDS_OF[typed.choice];
	if (!fields) return { target: { method: 'SAVED', id: typed.choice } };
	const given = { method: typed.choice, ...Object.fromEntries(fields.map((field) => [field, typed[field].trim()])) };
	const parsed = v.safeParse(WithdrawalTarget, given);
	if (parsed.success) return { target: parsed.output };
	const errors: Partial<Record<TargetField, string>> = {};
	for (const { path, message } of parsed.issues) {
		const field = String(path?.[0]?.key) as TargetField;
		errors[field] ??= message;
	}
	return { errors };
}
