/** What Hyperswitch says of payments, payouts, refunds and disputes, as the words of a payment provider. */
import * as v from 'valibot';
import type { HyperswitchIds } from '#server/money/funds/payments/hyperswitch/ids.ts';
import {
	DISPUTE_STATUSES,
	EVENTS,
	meantBy,
	PAYMENT_STATUSES,
	PAYOUT_STATUSES,
	REFUND_STATUSES,
} from '#server/money/funds/payments/hyperswitch/published.ts';
import {
	type DisputeWord,
	Minor,
	type PayoutWord,
	type ProviderNews,
	type ProviderWord,
	type RefundWord,
} from '#server/money/funds/payments/provider.ts';

const Id = v.pipe(v.string(), v.minLength(1), v.maxLength(64));
const Time = v.pipe(
	v.string(),
	v.transform((text) => Date.parse(text.endsWith('Z') ? text : `${text}Z`)),
	v.safeInteger(),
);
const maybe = <Schema extends v.GenericSchema>(schema: Schema) => v.optional(v.nullable(schema), null);

/** `PaymentsResponse`, as far as it is read. */
export const Payment = v.object({
	payment_id: Id,
	status: Id,
	amount: Minor,
	amount_received: maybe(v.pipe(v.number(), v.safeInteger(), v.minValue(0))),
	currency: v.pipe(v.string(), v.maxLength(10)),
	/** The id in the payment network: of UPI, the bank's reference. */
	network_transaction_id: maybe(v.string()),
	merchant_order_reference_id: maybe(v.string()),
	metadata: maybe(v.record(v.string(), v.unknown())),
	next_action: maybe(v.looseObject({ type: v.string() })),
	disputes: maybe(v.array(v.object({ dispute_id: Id }))),
});
export type Payment = v.InferOutput<typeof Payment>;

/** `PayoutCreateResponse`. */
export const Payout = v.object({
	payout_id: Id,
	status: Id,
	amount: Minor,
	currency: v.pipe(v.string(), v.maxLength(10)),
	merchant_order_reference_id: maybe(v.string()),
	connector_transaction_id: maybe(v.string()),
});
export type Payout = v.InferOutput<typeof Payout>;

export const PayoutList = v.object({ data: v.array(Payout) });

/** `RefundResponse`. */
export const Refund = v.object({ refund_id: Id, payment_id: Id, status: Id, amount: Minor });
export type Refund = v.InferOutput<typeof Refund>;

/** `DisputeResponse`: its amount is a text of minor units. */
export const Dispute = v.object({
	dispute_id: Id,
	payment_id: Id,
	amount: v.pipe(v.string(), v.regex(/^\d{1,15}$/), v.transform(Number), Minor),
	dispute_status: Id,
	challenge_required_by: maybe(Time),
	connector_updated_at: maybe(Time),
});
export type Dispute = v.InferOutput<typeof Dispute>;

/** `OutgoingWebhook`. */
const Webhook = v.object({
	event_id: Id,
	event_type: Id,
	content: v.looseObject({ type: v.string(), object: v.unknown() }),
	timestamp: maybe(Time),
});

/** A reference of India's banks: of UPI and of its transfers. */
const BANK_REFERENCE = /^[A-Z0-9]{10,22}$/;

/** The bank's reference if one is named; else the order's own, which no other payment has. */
const utrOf = (named: string | null, reference: string): string =>
	named !== null && BANK_REFERENCE.test(named) ? named : reference;

/** @throws Error for an id of another installation */
function referenceOf(ids: HyperswitchIds, id: string): string {
	const reference = ids.referenceIn(id);
	if (reference === null) throw new Error('Hyperswitch names a payment that this installation did not make.');
	return reference;
}

/** @throws Error for a status that is not published, and for a payment of another installation */
export function paymentWord(payment: Payment, ids: HyperswitchIds): ProviderWord {
	const { payment_id: providerId, amount, amount_received: received, currency } = payment;
	const reference = referenceOf(ids, providerId);
	const meant = meantBy(PAYMENT_STATUSES, payment.status);
	const endsAtMs = Number(payment.metadata?.['expires_at_ms'] ?? 0);
	const isPaid = meant === 'SUCCESS' || meant === 'CONFLICT';
	return {
		reference,
		providerId,
		status: meant === 'CONFLICT' ? 'SUCCESS' : meant,
		amount: isPaid && received ? received : amount,
		currency,
		orderEndsAtMs: Number.isSafeInteger(endsAtMs) ? Math.max(0, endsAtMs) : 0,
		// A payment without a reference is not credited: operators are named of it.
		utr: meant === 'SUCCESS' ? utrOf(payment.network_transaction_id, reference) : null,
	};
}

/** @throws Error for a status that is not published, another currency, and a payout of another installation */
export function payoutWord(payout: Payout, ids: HyperswitchIds): PayoutWord {
	const { payout_id: id, amount, currency, connector_transaction_id: named } = payout;
	if (currency !== 'INR') throw new Error(`A payout is in ${currency}.`);
	const byOrder = /-(BLW\w+)$/.exec(payout.merchant_order_reference_id ?? '')?.[1];
	const isByOrder = byOrder !== undefined && payout.merchant_order_reference_id === ids.orderOfPayout(byOrder);
	const reference = isByOrder ? byOrder : referenceOf(ids, id);
	const utr = named !== null && BANK_REFERENCE.test(named) ? named : null;
	return { reference, status: meantBy(PAYOUT_STATUSES, payout.status), utr, amount };
}

/** @throws Error for a status that is not published, and for a refund of another installation */
export function refundWord({ refund_id: id, status, amount }: Refund, ids: HyperswitchIds): RefundWord {
	const refund = ids.refundIn(id);
	if (refund === null) throw new Error('Hyperswitch names a refund that this installation did not ask for.');
	return { ...refund, status: meantBy(REFUND_STATUSES, status), amount };
}

/** Of words with one time, an end comes after what it ends. */
const rankOf = (status: DisputeWord['status']): number => ({ DISPUTED: 0, UNCLEAR: 1 })[status as string] ?? 2;
const RANKS = 4;

/**
 * @param atMs when the switch said it
 * @throws Error for a status that is not published, and for a payment of another installation
 */
export function disputeWord(dispute: Dispute, ids: HyperswitchIds, atMs: number): DisputeWord {
	const { dispute_id: name, amount, challenge_required_by: deadlineMs } = dispute;
	const status = meantBy(DISPUTE_STATUSES, dispute.dispute_status);
	return {
		reference: referenceOf(ids, dispute.payment_id),
		status,
		dispute: { name, amount, sequence: atMs * RANKS + rankOf(status), ...(deadlineMs === null ? {} : { deadlineMs }) },
	};
}

/** @throws Error for a body that is not as published */
export function newsIn(body: Buffer, ids: HyperswitchIds): { eventId: string; news: ProviderNews } {
	const {
		event_id: eventId,
		event_type: event,
		content,
		timestamp,
	} = v.parse(Webhook, JSON.parse(body.toString('utf8')));
	const type = meantBy(EVENTS, event);
	if (type === null) return { eventId, news: { about: 'NOTHING' } };
	if (content.type !== type) throw new Error(`A webhook of ${event} has ${content.type.slice(0, 60)}.`);
	return { eventId, news: newsOf(type, content.object, ids, timestamp) };
}

function newsOf(
	type: NonNullable<(typeof EVENTS)[string]>,
	object: unknown,
	ids: HyperswitchIds,
	saidAtMs: number | null,
): ProviderNews {
	switch (type) {
		case 'payment_details':
			return { about: 'PAYMENT', word: paymentWord(v.parse(Payment, object), ids) };
		case 'payout_details':
			return { about: 'PAYOUT', word: payoutWord(v.parse(Payout, object), ids) };
		case 'refund_details':
			return { about: 'REFUND', word: refundWord(v.parse(Refund, object), ids) };
		case 'dispute_details': {
			const dispute = v.parse(Dispute, object);
			return { about: 'DISPUTE', word: disputeWord(dispute, ids, saidAtMs ?? dispute.connector_updated_at ?? 0) };
		}
	}
}
