import * as v from 'valibot';
import { defineCall } from '#contract/call.ts';
import { Amount, ClientRequestId, Id, Money, page, paging, queryPaging, Timestamp } from '#contract/fields.ts';

const words = (least: number, most: number, message: string) =>
	v.pipe(v.string(), v.trim(), v.minLength(least, message), v.maxLength(most, message));

/** A bank's reference of a transfer: UPI gives twelve digits, NEFT and RTGS letters and digits. */
export const Utr = v.pipe(
	v.string(),
	v.transform((text) => text.replaceAll(/[\s-]/g, '').toUpperCase()),
	v.regex(
		/^([0-9]{12}|[A-Z]{4}[A-Z0-9]{12,18})$/,
		'The reference (UTR) has 12 digits, or 16 to 22 letters and digits.',
	),
);

export const UpiId = v.pipe(
	v.string(),
	v.trim(),
	v.toLowerCase(),
	v.regex(/^[a-z0-9._-]{2,64}@[a-z][a-z0-9.]{1,63}$/, 'A UPI id looks like name@bank.'),
);

const UpiTarget = v.strictObject({ method: v.literal('UPI'), upiId: UpiId });
const BankTarget = v.strictObject({
	method: v.literal('BANK'),
	accountNumber: v.pipe(v.string(), v.regex(/^\d{9,18}$/, 'An account number has 9 to 18 digits.')),
	ifsc: v.pipe(
		v.string(),
		v.toUpperCase(),
		v.regex(/^[A-Z]{4}0[A-Z0-9]{6}$/, 'An IFSC has four letters, a zero, and six more.'),
	),
	holder: words(2, 80, 'Name the holder of the account.'),
});
const SavedTarget = v.strictObject({ method: v.literal('SAVED'), id: Id });
/** The target of a withdrawal: new details, which are saved, or saved ones. */
export const WithdrawalTarget = v.variant(
	'method',
	[UpiTarget, BankTarget, SavedTarget],
	'The method is UPI, BANK or SAVED.',
);

export const REQUEST_TYPES = ['DEPOSIT', 'WITHDRAWAL'] as const;

/** A deposit or a withdrawal, with its timeline. */
export const FundsRow = v.object({
	id: Id,
	type: v.picklist(REQUEST_TYPES),
	amount: Money,
	/** Withheld from a withdrawal besides its amount, which is what is paid out; 0 for none. */
	tax: Money,
	/** UPI, RECEIPT, BANK. */
	method: v.string(),
	status: v.string(),
	statusAt: Timestamp,
	createdAt: Timestamp,
	/** The bank's reference, or ours. */
	reference: v.string(),
	/** Why it was rejected or is pending; empty otherwise. */
	note: v.string(),
	canCancel: v.boolean(),
	steps: v.array(v.object({ status: v.string(), at: Timestamp })),
});

const filters = {
	type: v.optional(v.picklist(REQUEST_TYPES)),
	status: v.optional(v.pipe(v.string(), v.maxLength(40))),
	from: v.optional(Timestamp),
	to: v.optional(Timestamp),
};

export const createDeposit = defineCall({
	method: 'POST',
	path: 'DepositWithdrawal/CreateDeposit',
	auth: 'player',
	movesMoney: true,
	perMinute: 20,
	summary: 'Reports a transfer to the payee, with its reference and a picture of the receipt.',
	request: v.strictObject({ amount: Amount, utr: Utr, imageRef: Id, clientRequestId: ClientRequestId }),
	response: FundsRow,
});

export const createWithdrawal = defineCall({
	method: 'POST',
	path: 'DepositWithdrawal/CreateWithdrawal',
	auth: 'player',
	movesMoney: true,
	perMinute: 20,
	summary: 'Asks for a payment to the player; the amount is held until it is decided.',
	request: v.strictObject({ amount: Amount, details: WithdrawalTarget, clientRequestId: ClientRequestId }),
	response: FundsRow,
});

export const createRequestForDepositWithdrawal = defineCall({
	method: 'POST',
	path: 'DepositWithdrawal/CreateRequestForDepositWithdrawal',
	auth: 'player',
	movesMoney: true,
	perMinute: 20,
	summary: 'CreateDeposit or CreateWithdrawal, by its type.',
	request: v.variant('type', [
		v.strictObject({
			type: v.literal('DEPOSIT'),
			amount: Amount,
			method: v.optional(v.literal('RECEIPT'), 'RECEIPT'),
			utr: Utr,
			imageRef: Id,
			clientRequestId: ClientRequestId,
		}),
		v.strictObject({
			type: v.literal('WITHDRAWAL'),
			amount: Amount,
			method: v.optional(v.picklist(['UPI', 'BANK', 'SAVED'])),
			details: WithdrawalTarget,
			clientRequestId: ClientRequestId,
		}),
	]),
	response: FundsRow,
});

export const cancelWithdrawal = defineCall({
	method: 'POST',
	path: 'DepositWithdrawal/CancelWithdrawal',
	auth: 'player',
	whileSuspended: true,
	summary: 'Cancels a withdrawal that is not approved yet, where the domain allows it.',
	request: v.strictObject({ id: Id }),
	response: FundsRow,
});

export const playerRequests = defineCall({
	method: 'POST',
	path: 'DepositWithdrawal/PlayerRequests',
	auth: 'player',
	whileSuspended: true,
	summary: 'The player’s deposits and withdrawals that are not decided yet, newest first.',
	request: v.object({ ...filters, ...paging }),
	response: page(FundsRow),
});

export const getDepositWithdrawals = defineCall({
	method: 'POST',
	path: 'DepositWithdrawal/GetDepositWithdrawals',
	auth: 'player',
	whileSuspended: true,
	summary: 'All of the player’s deposits and withdrawals, newest first.',
	request: v.object({ ...filters, ...paging }),
	response: page(FundsRow),
});

export const getUserWithdrawalHistory = defineCall({
	method: 'GET',
	changesState: false,
	path: 'DepositWithdrawal/GetUserWithdrawalHistory',
	auth: 'player',
	whileSuspended: true,
	summary: 'The player’s withdrawals, newest first.',
	request: v.object(queryPaging),
	response: page(FundsRow),
});
