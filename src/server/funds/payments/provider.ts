/** What the server asks of a payment provider. Amounts are paise. Each call may fail or time out, and may be repeated. */
import type { AnyPaise } from '#values/money.ts';

/** How a provider says that an order stands. */
export interface ProviderWord {
	/** Our order reference. */
	reference: string;
	providerId: string;
	status: 'PENDING' | 'SUCCESS' | 'FAILED' | 'EXPIRED' | 'DISPUTED' | 'DISPUTE_WON' | 'DISPUTE_LOST';
	/** What was paid; of an order that is not paid, what was ordered. */
	amount: AnyPaise;
	currency: string;
	/** The bank's reference of a payment. */
	utr: string | null;
}

export interface PayoutWord {
	reference: string;
	/** FAILED says that the provider definitely refused: nothing was paid and nothing will be. */
	status: 'PROCESSING' | 'PAID' | 'FAILED';
	utr: string | null;
}

export interface NewOrder {
	reference: string;
	amount: AnyPaise;
	expiresAtMs: number;
}

export interface NewPayout {
	reference: string;
	amount: AnyPaise;
	/** Where to, as the player gave it. */
	details: PayoutTarget;
}
export type PayoutTarget =
	| { method: 'UPI'; upiId: string }
	| { method: 'BANK'; accountNumber: string; ifsc: string; holder: string };

export interface PaymentProvider {
	readonly name: string;
	/** The same reference again is the same order. */
	createOrder(order: NewOrder): Promise<{ providerId: string }>;
	/** Null for a reference that the provider does not know. */
	lookUp(reference: string): Promise<ProviderWord | null>;
	/** The same reference again is the same payout. */
	payOut(payout: NewPayout): Promise<PayoutWord>;
	/** Null when the provider has never heard of it. */
	lookUpPayout(reference: string): Promise<PayoutWord | null>;
	/** Reads the body of a webhook whose signature was right. @throws Error when it cannot be read */
	readWebhook(body: Buffer): { eventId: string; word: ProviderWord };
}
