import * as v from 'valibot';
import { defineCall } from '#contract/call.ts';
import { Amount, ClientRequestId, Id, Money, Timestamp } from '#contract/fields.ts';

export const PAYMENT_STATUSES = [
	'CREATED',
	'PENDING',
	'SUCCESS',
	'FAILED',
	'EXPIRED',
	'REVIEW',
	'CREDITED',
	'REFUNDED',
	'DISPUTED',
	'WON',
	'LOST',
] as const;
export const PaymentStatus = v.picklist(PAYMENT_STATUSES);

/** A limit on deposits over a period, and its remaining amount. */
const DepositLimit = v.object({
	period: v.picklist(['DAY', 'WEEK', 'MONTH']),
	limit: Money,
	/** Deposited in the period, including pending orders. */
	used: Money,
	left: Money,
});

/** A saved bank account or UPI id, masked. */
export const PayoutDetails = v.object({
	id: Id,
	method: v.picklist(['UPI', 'BANK']),
	/** Such as `••••6789` or `r••••@okbank`. */
	masked: v.string(),
	/** Withdrawals to new details wait until then. */
	usableFrom: Timestamp,
});

export const getPaymentInfo = defineCall({
	method: 'GET',
	changesState: false,
	path: 'Account/GetPaymentInfo',
	auth: 'player',
	whileSuspended: true,
	summary: 'The payee, the player’s ways to deposit and withdraw, and the amounts now.',
	request: v.object({}),
	response: v.object({
		payee: v.object({ name: v.string(), upiId: v.string() }),
		/** Play money: a simulator stands in for the bank, and nothing is paid. */
		isSimulated: v.boolean(),
		deposit: v.object({
			/** Empty if the player may not deposit; `refusal` says why. */
			methods: v.array(v.picklist(['UPI', 'RECEIPT'])),
			refusal: v.nullable(v.string()),
			min: Money,
			/** Of one deposit, after the limits. */
			max: Money,
			limits: v.array(DepositLimit),
		}),
		withdrawal: v.object({
			methods: v.array(v.picklist(['UPI', 'BANK'])),
			refusal: v.nullable(v.string()),
			min: Money,
			/** The amount that may be withdrawn now. */
			max: Money,
			/** The reasons that block the rest, each with its amount. */
			heldBack: v.array(
				v.object({
					reason: v.picklist(['PENDING_WITHDRAWALS', 'OPEN_BETS', 'OPEN_ROUNDS', 'TURNOVER', 'LARGEST_WITHDRAWAL']),
					amount: Money,
				}),
			),
			leftToday: v.number(),
			canCancel: v.boolean(),
			saved: v.array(PayoutDetails),
		}),
	}),
});

export const generatePayment = defineCall({
	method: 'POST',
	path: 'api/Payment/Generate',
	host: 'payments',
	auth: 'player',
	movesMoney: true,
	perMinute: 30,
	summary: 'Makes an order for a UPI payment: a link for phones, the same as a QR code for others.',
	request: v.strictObject({ amount: Amount, clientRequestId: ClientRequestId }),
	response: v.object({
		orderId: Id,
		/** `upi://pay?…`, or a page of the payment provider; empty while the order cannot be paid. */
		upiLink: v.string(),
		/** The link as an SVG picture. */
		qr: v.string(),
		payee: v.object({ name: v.string(), upiId: v.string() }),
		amount: Money,
		expiresAt: Timestamp,
		status: PaymentStatus,
	}),
});

export const checkPayment = defineCall({
	method: 'POST',
	path: 'api/Payment/Check',
	host: 'payments',
	auth: 'player',
	perMinute: 120,
	whileSuspended: true,
	quiet: true,
	summary: 'How an order stands. The provider is asked at most once in three seconds.',
	request: v.strictObject({ orderId: Id }),
	response: v.object({
		orderId: Id,
		status: PaymentStatus,
		amount: Money,
		utr: v.optional(v.string()),
		expiresAt: Timestamp,
	}),
});
