/**
 * Identifiers of payments, payouts and refunds at Hyperswitch: thirty characters that we choose, so that a repeated
 * request makes nothing new and an answer that was lost is looked up. They end in our reference. The tag keeps apart
 * the installations that share a merchant account: without it, the first order of a new database would be the paid
 * order of another one.
 */

/** As published: `minLength` and `maxLength` of `payment_id`, `payout_id` and `refund_id`. */
const LENGTH = 30;
const REFERENCE = /BL[PW][0-9A-Z]{11,12}$/;
const DIGITS_OF_ATTEMPT = 2;

/** Letters and digits of a tag. */
export const ORDER_TAG = /^[a-z0-9]{2,6}$/;

export class HyperswitchIds {
	readonly #tag: string;

	constructor(tag: string) {
		this.#tag = tag;
	}

	ofPayment(reference: string): string {
		return this.#padded('pay', reference);
	}

	ofPayout(reference: string): string {
		return this.#padded('out', reference);
	}

	/** @param attempt from 1: after a refund that failed, the next one has another id */
	ofRefund(reference: string, attempt: number): string {
		return this.#padded('ref', `${String(attempt).padStart(DIGITS_OF_ATTEMPT, '0')}${reference}`);
	}

	/** Of a payout, for reports of the switch and its processors. */
	orderOfPayout(reference: string): string {
		return `${this.#tag}-${reference}`;
	}

	/** Our reference in a payment's or a payout's id; null for one of another installation. */
	referenceIn(id: string): string | null {
		const reference = REFERENCE.exec(id)?.[0];
		if (reference === undefined) return null;
		return id === this.ofPayment(reference) || id === this.ofPayout(reference) ? reference : null;
	}

	/** What a refund's id says; null for one of another installation. */
	refundIn(id: string): { reference: string; attempt: number } | null {
		const reference = REFERENCE.exec(id)?.[0];
		if (reference === undefined) return null;
		const attempt = Number(id.slice(-reference.length - DIGITS_OF_ATTEMPT, -reference.length));
		return id === this.ofRefund(reference, attempt) ? { reference, attempt } : null;
	}

	#padded(kind: string, tail: string): string {
		return `${kind}_${this.#tag}_`.padEnd(LENGTH - tail.length, '0') + tail;
	}
}
