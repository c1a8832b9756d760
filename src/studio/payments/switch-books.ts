/**
 * The payment studio's books: payments, payouts, refunds and disputes in the shapes and states of Hyperswitch's public
 * description. It imports nothing of the server, as any other payment switch does.
 */
import { randomUUID } from 'node:crypto';

export type PaymentState =
	| 'requires_customer_action'
	| 'succeeded'
	| 'failed'
	| 'cancelled'
	| 'cancelled_post_capture'
	| 'processing'
	| 'partially_captured'
	| 'conflicted'
	| 'expired';
export type PayoutState = 'initiated' | 'pending' | 'success' | 'failed' | 'cancelled' | 'expired' | 'reversed';
export type RefundState = 'pending' | 'succeeded' | 'failed';
export type DisputeState =
	| 'dispute_opened'
	| 'dispute_challenged'
	| 'dispute_won'
	| 'dispute_lost'
	| 'dispute_accepted'
	| 'dispute_cancelled'
	| 'dispute_expired';

export interface Payment {
	payment_id: string;
	status: PaymentState;
	amount: number;
	amount_received: number | null;
	currency: string;
	network_transaction_id: string | null;
	merchant_order_reference_id: string | null;
	metadata: Record<string, unknown> | null;
	next_action: object | null;
	expires_on: string;
	updated: string;
	disputes: { dispute_id: string; dispute_status: DisputeState }[];
}

export interface Payout {
	payout_id: string;
	status: PayoutState;
	amount: number;
	currency: string;
	merchant_order_reference_id: string | null;
	connector_transaction_id: string | null;
	payout_method_data: unknown;
}

export interface Refund {
	refund_id: string;
	payment_id: string;
	status: RefundState;
	amount: number;
	currency: string;
	connector: string;
}

export interface Dispute {
	dispute_id: string;
	payment_id: string;
	attempt_id: string;
	/** Minor units as a text. */
	amount: string;
	currency: string;
	dispute_stage: string;
	dispute_status: DisputeState;
	connector: string;
	connector_status: string;
	connector_dispute_id: string;
	challenge_required_by: string | null;
	connector_updated_at: string;
	created_at: string;
}

/** An error as published: HTTP status, code and words. */
export class SwitchError extends Error {
	readonly status: number;
	readonly code: string;
	readonly type: string;

	constructor(status: number, code: string, type: string, message: string) {
		super(message);
		this.status = status;
		this.code = code;
		this.type = type;
	}
}

/** Rules that a conforming switch keeps, and that a test of the conformance suite breaks one at a time. */
export type PlantedFault =
	| 'keys are not looked at'
	| 'a repeated payment is another one'
	| 'a repeated payout is another one'
	| 'payouts are numbered anew'
	| 'an unknown payment is answered'
	| 'an unknown payout is answered'
	| 'amounts come back as rupees'
	| 'a cancelled payment can be paid'
	| 'a refund may be larger than its payment'
	| 'a status is not published'
	| 'no link is given';

const ID_LENGTH = 30;
const LEAST_REFUND = 100;
const EVIDENCE_MS = 7 * 86_400_000;
const CONNECTOR = 'studio';

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);
const isMinorUnits = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) > 0;

export class SwitchBooks {
	readonly payments = new Map<string, Payment>();
	readonly payouts = new Map<string, Payout>();
	readonly refunds = new Map<string, Refund>();
	readonly disputes = new Map<string, Dispute>();
	readonly planted: PlantedFault | null;
	readonly #clock: () => number;

	constructor({ clock = Date.now, planted = null }: { clock?: () => number; planted?: PlantedFault | null } = {}) {
		this.#clock = clock;
		this.planted = planted;
	}

	/** `POST /payments` @throws SwitchError */
	createPayment(body: Record<string, unknown>): Payment {
		const { amount, currency } = amountOf(body);
		const id = this.#idOf(body['payment_id'], 'pay', this.payments, 'payment');
		const expires = new Date(this.#clock() + 1000 * Number(body['session_expiry'] ?? 900)).toISOString();
		const link = `upi://pay?pa=studio@payments&am=${(amount / 100).toFixed(2)}&cu=${currency}&tr=${id}`;
		const isConfirmed = body['confirm'] === true;
		if (isConfirmed && body['payment_method'] !== 'upi')
			throw new SwitchError(400, 'IR_39', 'invalid_request', 'The studio takes UPI alone.');
		const payment: Payment = {
			payment_id: id,
			status: 'requires_customer_action',
			amount,
			amount_received: null,
			currency,
			network_transaction_id: null,
			merchant_order_reference_id: text(body['merchant_order_reference_id']),
			metadata: (body['metadata'] ?? null) as Payment['metadata'],
			next_action:
				this.planted === 'no link is given'
					? null
					: { type: 'invoke_upi_intent_sdk', sdk_uri: link, display_from_timestamp: this.#clock() },
			expires_on: expires,
			updated: this.#now(),
			disputes: [],
		};
		this.payments.set(id, payment);
		return payment;
	}

	/** @throws SwitchError */
	payment(id: string): Payment {
		const payment = this.payments.get(id);
		if (!payment && this.planted === 'an unknown payment is answered')
			return { ...this.createPayment({ amount: 100, currency: 'INR' }), payment_id: id };
		if (!payment) throw new SwitchError(404, 'HE_02', 'object_not_found', 'Payment does not exist in our records');
		return payment;
	}

	/** `POST /payments/{id}/cancel` @throws SwitchError */
	cancelPayment(id: string): Payment {
		const payment = this.payment(id);
		if (payment.status !== 'requires_customer_action')
			throw new SwitchError(
				400,
				'IR_16',
				'invalid_request',
				`You cannot cancel this payment because it has status ${payment.status}`,
			);
		return this.planted === 'a cancelled payment can be paid' ? payment : this.change(payment, 'cancelled');
	}

	/** Whether a payer may still pay. */
	isPayable({ status }: Payment): boolean {
		return status === 'requires_customer_action';
	}

	/** Moves a payment on, as its processor says. @param received minor units */
	change(payment: Payment, status: PaymentState, received: number | null = payment.amount_received): Payment {
		const isPaid = received !== null && received > 0;
		return Object.assign(payment, {
			status,
			amount_received: received,
			network_transaction_id: isPaid ? (payment.network_transaction_id ?? freshUtr()) : null,
			next_action: status === 'requires_customer_action' ? payment.next_action : null,
			updated: this.#now(),
		});
	}

	/** `POST /payouts/create` @throws SwitchError */
	createPayout(body: Record<string, unknown>): Payout {
		const { amount, currency } = amountOf(body);
		if (!body['payout_method_data'])
			throw new SwitchError(400, 'IR_04', 'invalid_request', 'Missing required param: payout_method_data');
		const given = this.planted === 'payouts are numbered anew' ? undefined : body['payout_id'];
		const id = this.#idOf(given, 'out', this.payouts, 'payout');
		const payout: Payout = {
			payout_id: id,
			status: 'initiated',
			amount,
			currency,
			merchant_order_reference_id: text(body['merchant_order_reference_id']),
			connector_transaction_id: null,
			payout_method_data: body['payout_method_data'],
		};
		this.payouts.set(id, payout);
		return payout;
	}

	/** @throws SwitchError */
	payout(id: string): Payout {
		const payout = this.payouts.get(id);
		if (!payout && this.planted === 'an unknown payout is answered')
			return { ...this.createPayout({ amount: 100, currency: 'INR', payout_method_data: {} }), payout_id: id };
		if (!payout) throw new SwitchError(404, 'HE_02', 'object_not_found', 'Payout does not exist in our records');
		return payout;
	}

	/** `POST /payouts/list` */
	payoutsOf(order: unknown): Payout[] {
		return [...this.payouts.values()].filter(({ merchant_order_reference_id: of }) => of === order);
	}

	changePayout(payout: Payout, status: PayoutState): Payout {
		const reference = status === 'success' ? freshUtr() : payout.connector_transaction_id;
		return Object.assign(payout, { status, connector_transaction_id: reference });
	}

	/** `POST /refunds` @throws SwitchError */
	createRefund(body: Record<string, unknown>): Refund {
		const payment = this.payment(String(body['payment_id']));
		const amount = body['amount'] ?? payment.amount;
		if (!isMinorUnits(amount) || amount < LEAST_REFUND)
			throw new SwitchError(422, 'IR_05', 'invalid_request', 'amount contains invalid data');
		const id = this.#idOf(body['refund_id'], 'ref', this.refunds, 'refund');
		const refunded = [...this.refunds.values()]
			.filter(({ payment_id: of, status }) => of === payment.payment_id && status !== 'failed')
			.reduce((sum, refund) => sum + refund.amount, 0);
		if (
			amount + refunded > (payment.amount_received ?? 0) &&
			this.planted !== 'a refund may be larger than its payment'
		)
			throw new SwitchError(400, 'IR_13', 'invalid_request', 'The refund amount exceeds the amount captured');
		const { payment_id, currency } = payment;
		const refund: Refund = { refund_id: id, payment_id, status: 'pending', amount, currency, connector: CONNECTOR };
		this.refunds.set(id, refund);
		return refund;
	}

	/** @throws SwitchError */
	refund(id: string): Refund {
		const refund = this.refunds.get(id);
		if (!refund) throw new SwitchError(404, 'HE_02', 'object_not_found', 'Refund does not exist in our records');
		return refund;
	}

	/** A chargeback of a part or all of a payment. @param amount minor units */
	openDispute(payment: Payment, amount: number): Dispute {
		const now = this.#now();
		const id = `dp_${randomUUID().replaceAll('-', '')}`;
		const dispute: Dispute = {
			dispute_id: id,
			payment_id: payment.payment_id,
			attempt_id: `${payment.payment_id}_1`,
			amount: String(amount),
			currency: payment.currency,
			dispute_stage: 'dispute',
			dispute_status: 'dispute_opened',
			connector: CONNECTOR,
			connector_status: 'opened',
			connector_dispute_id: id,
			challenge_required_by: new Date(this.#clock() + EVIDENCE_MS).toISOString(),
			connector_updated_at: now,
			created_at: now,
		};
		this.disputes.set(id, dispute);
		payment.disputes.push({ dispute_id: id, dispute_status: dispute.dispute_status });
		return dispute;
	}

	changeDispute(dispute: Dispute, status: DisputeState): Dispute {
		return Object.assign(dispute, { dispute_status: status, connector_updated_at: this.#now() });
	}

	/** @throws SwitchError */
	dispute(id: string): Dispute {
		const dispute = this.disputes.get(id);
		if (!dispute) throw new SwitchError(404, 'HE_02', 'object_not_found', 'Dispute does not exist in our records');
		return dispute;
	}

	/** The merchant's id, or one of the studio's. @throws SwitchError for one that is taken, or of another length */
	#idOf(given: unknown, prefix: string, taken: ReadonlyMap<string, unknown>, what: string): string {
		if (given === undefined || given === null) return `${prefix}_${randomUUID().replaceAll('-', '').slice(0, 26)}`;
		if (typeof given !== 'string' || given.length !== ID_LENGTH)
			throw new SwitchError(422, 'IR_05', 'invalid_request', `${what}_id contains invalid data`);
		if (!taken.has(given)) return given;
		if (this.planted === `a repeated ${what} is another one`) return `${given.slice(0, -4)}${taken.size}`;
		throw new SwitchError(
			400,
			'HE_01',
			'duplicate_request',
			`The ${what} with the specified ${what}_id already exists`,
		);
	}

	#now(): string {
		return new Date(this.#clock()).toISOString();
	}
}

/** @throws SwitchError */
function amountOf({ amount, currency }: Record<string, unknown>): { amount: number; currency: string } {
	if (amount === undefined) throw new SwitchError(400, 'IR_04', 'invalid_request', 'Missing required param: amount');
	if (typeof currency !== 'string')
		throw new SwitchError(400, 'IR_04', 'invalid_request', 'Missing required param: currency');
	if (!isMinorUnits(amount)) throw new SwitchError(422, 'IR_05', 'invalid_request', 'amount contains invalid data');
	return { amount, currency };
}

/** Twelve digits, like those of banks. */
const freshUtr = (): string =>
	String(100_000_000_000 + (Number.parseInt(randomUUID().slice(0, 13).replace('-', ''), 16) % 899_999_999_999));
