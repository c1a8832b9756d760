/** The interface to a payment provider. Amounts are paise. Each call may fail or time out, and may be repeated. */
import * as v from 'valibot';
import type { WorkflowData } from '#server/exchange/order/workflow-data.ts';
import type { AnyPaise } from '#values/money.ts';
import type { Pool } from '#values/pools.ts';

/** An identifier in the provider's own format. */
const printable = (least: number, most: number) =>
	v.pipe(v.string(), v.minLength(least), v.maxLength(most), v.regex(/^[\x20-\x7e]*$/));

const Paise = v.pipe(
	v.number(),
	v.safeInteger(),
	v.minValue(1),
	v.maxValue(100_000_000_000_00),
	v.transform((paise): AnyPaise => paise),
);

/** The provider's word on an order. */
export const ProviderWord = v.object({
	/** Our order reference. */
	reference: v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/)),
	providerId: printable(0, 100),
	status: v.picklist(['PENDING', 'SUCCESS', 'FAILED', 'EXPIRED', 'DISPUTED', 'DISPUTE_WON', 'DISPUTE_LOST']),
	/** The paid amount; the ordered one while the order is not paid. */
	amount: Paise,
	currency: printable(0, 10),
	/** The bank's reference of a payment. */
	utr: v.nullable(v.pipe(v.string(), v.regex(/^[A-Z0-9]{1,40}$/))),
	/**
	 * The dispute of a DISPUTED, DISPUTE_WON or DISPUTE_LOST; `amount` above is then the paid amount. Without it,
	 * `amount` is the disputed amount, and contradicting words become findings.
	 */
	dispute: v.optional(
		v.object({
			/** The provider's own; a further cycle about the same payment has a new one. */
			name: printable(1, 100),
			/** The disputed part of the payment. */
			amount: Paise,
			/** Rises with each word on this dispute; a timestamp is sufficient. */
			sequence: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
			/** The bank's deadline for evidence. */
			deadlineMs: v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(0))),
		}),
	),
});
export type ProviderWord = v.InferOutput<typeof ProviderWord>;

/** The word, as stored in a finding. */
export function wordData({ dispute, ...word }: ProviderWord): WorkflowData {
	if (!dispute) return word;
	const { deadlineMs = null, ...named } = dispute;
	return { ...word, dispute: { ...named, deadlineMs } };
}

/** A webhook; the provider may send it any number of times. */
export const ProviderEvent = v.object({
	eventId: printable(1, 100),
	word: ProviderWord,
});

export interface PayoutWord {
	reference: string;
	/** FAILED means a definite refusal: nothing was paid and nothing will be. */
	status: 'PROCESSING' | 'PAID' | 'FAILED';
	utr: string | null;
}

export interface NewOrder {
	reference: string;
	amount: AnyPaise;
	expiresAtMs: number;
	/** Of a demo player: always paid as ordered, because no operator looks at failures. */
	isDemo: boolean;
}

export interface NewPayout {
	reference: string;
	amount: AnyPaise;
	/**
	 * The target, as the player entered it; null for a demo player, whose details are not stored and whose coins go
	 * nowhere.
	 */
	details: PayoutTarget | null;
}
export type PayoutTarget =
	| { method: 'UPI'; upiId: string }
	| { method: 'BANK'; accountNumber: string; ifsc: string; holder: string };

export interface PaymentProvider {
	readonly name: string;
	/** The pools whose money it moves: never REAL for a simulator, only REAL for a real provider. */
	readonly pools: readonly Pool[];
	/** A repeated reference returns the same order. */
	createOrder(order: NewOrder): Promise<{ providerId: string }>;
	/** Null for an unknown reference. */
	lookUp(reference: string): Promise<ProviderWord | null>;
	/** A repeated reference returns the same payout. */
	payOut(payout: NewPayout): Promise<PayoutWord>;
	/** Null for an unknown payout. */
	lookUpPayout(reference: string): Promise<PayoutWord | null>;
	/** Reads the body of a webhook with a valid signature. @throws Error for an unreadable body */
	readWebhook(body: Buffer): { eventId: string; word: ProviderWord };
}
