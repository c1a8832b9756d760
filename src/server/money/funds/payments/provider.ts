/** The interface to a payment provider. Amounts are minor units. Each call may fail or time out, and may be repeated. */
import * as v from 'valibot';
import type { WorkflowData } from '#server/exchange/order/workflow-data.ts';
import type { Currency } from '#values/currency-codes.ts';
import type { AnyMinor } from '#values/money.ts';
import { type GrantedPool, isRealPool, type Pool } from '#values/pools.ts';

/** An identifier in the provider's own format. */
const printable = (least: number, most: number) =>
	v.pipe(v.string(), v.minLength(least), v.maxLength(most), v.regex(/^[\x20-\x7e]*$/));

/** Of one payment, payout or refund. */
export const Minor = v.pipe(
	v.number(),
	v.safeInteger(),
	v.minValue(1),
	v.maxValue(100_000_000_000_00),
	v.transform((minor): AnyMinor => minor),
);

/** The provider's word on an order. */
export const ProviderWord = v.object({
	/** Our order reference. */
	reference: v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/)),
	providerId: printable(0, 100),
	/** REVERSED: the provider gave a payment back by itself, which it may have said to be a SUCCESS. */
	status: v.picklist([
		'PENDING',
		'SUCCESS',
		'FAILED',
		'EXPIRED',
		'REVERSED',
		'DISPUTED',
		'DISPUTE_WON',
		'DISPUTE_LOST',
	]),
	/** The paid amount; the ordered one while the order is not paid. */
	amount: Minor,
	currency: printable(0, 10),
	/**
	 * When the order that was paid ends, where the provider repeats it: with its reference it tells an order from that of
	 * another installation. 0: the provider was told of no end, so the order is not ours.
	 */
	orderEndsAtMs: v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(0))),
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
			amount: Minor,
			/** Rises with each word on this dispute; a timestamp is sufficient. */
			sequence: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
			/** The bank's deadline for evidence. */
			deadlineMs: v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(0))),
		}),
	),
});
export type ProviderWord = v.InferOutput<typeof ProviderWord>;

/** The word, as stored in a finding. */
export function wordData({ dispute, orderEndsAtMs, ...word }: ProviderWord): WorkflowData {
	const said = orderEndsAtMs === undefined ? word : { ...word, orderEndsAtMs };
	if (!dispute) return said;
	const { deadlineMs = null, ...named } = dispute;
	return { ...said, dispute: { ...named, deadlineMs } };
}

/** A webhook; the provider may send it any number of times. */
export const ProviderEvent = v.object({
	eventId: printable(1, 100),
	word: ProviderWord,
});

/** The provider's word on a dispute alone, where it says nothing of the payment. */
export interface DisputeWord {
	/** Our order reference. */
	reference: string;
	/** UNCLEAR: it ended, and only a person can find out how. */
	status: 'DISPUTED' | 'DISPUTE_WON' | 'DISPUTE_LOST' | 'UNCLEAR';
	dispute: NonNullable<ProviderWord['dispute']>;
}

export interface PayoutWord {
	reference: string;
	/**
	 * FAILED means a definite refusal: nothing was paid and nothing will be. REVERSED: it was paid, and the bank sent it
	 * back.
	 */
	status: 'PROCESSING' | 'PAID' | 'FAILED' | 'REVERSED';
	utr: string | null;
	/** As the provider has it. */
	amount: AnyMinor;
}

/** The provider's word on returning a payment to its payer. */
export interface RefundWord {
	/** Our order reference. */
	reference: string;
	attempt: number;
	/** FAILED means that this attempt returned nothing and will not. */
	status: 'PROCESSING' | 'RETURNED' | 'FAILED';
	amount: AnyMinor;
}

/** What a webhook is about. */
export type ProviderNews =
	| { about: 'PAYMENT'; word: ProviderWord }
	| { about: 'DISPUTE'; word: DisputeWord }
	| { about: 'PAYOUT'; word: PayoutWord }
	| { about: 'REFUND'; word: RefundWord }
	/** An event of the provider's that moves no money of ours. */
	| { about: 'NOTHING' };

export interface NewOrder {
	reference: string;
	amount: AnyMinor;
	currency: Currency;
	expiresAtMs: number;
	/** Of a demo player: always paid as ordered, because no operator looks at failures. */
	isDemo: boolean;
}

export interface NewPayout {
	reference: string;
	amount: AnyMinor;
	currency: Currency;
	/**
	 * The target, as the player entered it; null for a demo player, whose details are not stored and whose coins go
	 * nowhere.
	 */
	details: PayoutTarget | null;
}
export type PayoutTarget =
	| { method: 'UPI'; upiId: string }
	| { method: 'BANK'; accountNumber: string; ifsc: string; holder: string };

export interface NewRefund {
	/** Of the paid order. */
	reference: string;
	/** From 1; rises when an attempt failed and two operators decided again. */
	attempt: number;
	amount: AnyMinor;
	reason: string;
}

/** @template Moved the pools whose money it moves: never REAL for a simulator, only REAL for a real provider */
export interface PaymentProvider<Moved extends Pool = Pool> {
	readonly name: string;
	readonly pools: readonly Moved[];
	/** An order is paid at most once: another SUCCESS repeats the first, whatever reference it names. */
	readonly paysOnce: boolean;
	/** Whether it returns payments to their payers; otherwise operators do so outside. */
	readonly refunds: boolean;
	/**
	 * A repeated reference returns the same order. `link` is what the payer opens; without it, the brand's own UPI id is
	 * paid.
	 */
	createOrder(order: NewOrder): Promise<{ providerId: string; link?: string }>;
	/** Null for an unknown reference. */
	lookUp(reference: string): Promise<ProviderWord | null>;
	/** The disputes of a payment as they stand, where `lookUp` says nothing of them. */
	disputesOf(reference: string): Promise<DisputeWord[]>;
	/** Asks that an expired order be paid no more. It may be too late. */
	cancelOrder(reference: string): Promise<void>;
	/** A repeated reference pays once. @throws if it is not known whether the payout was taken */
	payOut(payout: NewPayout): Promise<PayoutWord>;
	/** Null for an unknown payout. */
	lookUpPayout(reference: string): Promise<PayoutWord | null>;
	/** A repeated attempt returns the payment once. @throws if it is not known whether it was taken */
	refund(refund: NewRefund): Promise<RefundWord>;
	/** Whether the provider sent the webhook. */
	isGenuine(body: Buffer, headers: Readonly<Record<string, unknown>>): boolean;
	/** Reads the body of a genuine webhook. @throws Error for an unreadable body */
	readWebhook(body: Buffer): { eventId: string; news: ProviderNews };
}

/** The providers of a server. The types keep a simulator from the place of real money. */
export interface PaymentProviders {
	play: PaymentProvider<GrantedPool>;
	/** Null: no real money comes in or goes out. Nor does it in pools that the provider does not name. */
	real: PaymentProvider<'REAL'> | null;
}

export const providerOf = ({ play, real }: PaymentProviders, pool: Pool): PaymentProvider | null => {
	const provider: PaymentProvider | null = isRealPool(pool) ? real : play;
	return provider?.pools.includes(pool) ? provider : null;
};
