/** The interface to a payment provider. Amounts are paise. Each call may fail or time out, and may be repeated. */
import * as v from 'valibot';
import type { WorkflowData } from '#server/exchange/order/workflow-data.ts';
import type { AnyPaise } from '#values/money.ts';
import type { Pool } from '#values/pools.ts';

/** What a provider names as it likes. */
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
	 * The dispute that a DISPUTED, DISPUTE_WON or DISPUTE_LOST is about; `amount` above is then what was paid. Without it,
	 * `amount` is what is disputed, and words that contradict each other are findings.
	 */
	dispute: v.optional(
		v.object({
			/** The provider's own; another cycle about the same payment has another one. */
			name: printable(1, 100),
			/** The disputed part of what was paid. */
			amount: Paise,
			/** Rises with each word on this dispute; its time will do. */
			sequence: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
			/** Until when the bank takes evidence. */
			deadlineMs: v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(0))),
		}),
	),
});
export type ProviderWord = v.InferOutput<typeof ProviderWord>;

/** The word as a finding keeps it. */
export function wordData({ dispute, ...word }: ProviderWord): WorkflowData {
	if (!dispute) return word;
	const { deadlineMs = null, ...named } = dispute;
	return { ...word, dispute: { ...named, deadlineMs } };
}

/** A webhook, which a provider sends once or many times. */
export const ProviderEvent = v.object({
	eventId: printable(1, 100),
	word: ProviderWord,
});

export interface PayoutWord {
	reference: string;
	/** FAILED means that the provider definitely refused: nothing was paid and nothing will be. */
	status: 'PROCESSING' | 'PAID' | 'FAILED';
	utr: string | null;
}

export interface NewOrder {
	reference: string;
	amount: AnyPaise;
	expiresAtMs: number;
	/** Of a demo player: paid as ordered, because no person looks at what goes wrong. */
	isDemo: boolean;
}

export interface NewPayout {
	reference: string;
	amount: AnyPaise;
	/** The target, as the player entered it; null of a demo player, whose details are not stored and whose coins go nowhere. */
	details: PayoutTarget | null;
}
export type PayoutTarget =
	| { method: 'UPI'; upiId: string }
	| { method: 'BANK'; accountNumber: string; ifsc: string; holder: string };

export interface PaymentProvider {
	readonly name: string;
	/** The pools whose money it moves: a simulator's never REAL, and a real provider's REAL alone. */
	readonly pools: readonly Pool[];
	/** The same reference names the same order. */
	createOrder(order: NewOrder): Promise<{ providerId: string }>;
	/** Null for a reference that the provider does not know. */
	lookUp(reference: string): Promise<ProviderWord | null>;
	/** The same reference names the same payout. */
	payOut(payout: NewPayout): Promise<PayoutWord>;
	/** Null for a payout that the provider does not know. */
	lookUpPayout(reference: string): Promise<PayoutWord | null>;
	/** Reads the body of a webhook with a valid signature. @throws Error for an unreadable body */
	readWebhook(body: Buffer): { eventId: string; word: ProviderWord };
}
