/**
 * The payment provider of real money: Hyperswitch, an open payment switch with one documented API before many payment
 * processors. Its keys come from the environment alone.
 */
import { createHmac } from 'node:crypto';
import * as v from 'valibot';
import { HyperswitchClient, HyperswitchError } from '#server/money/funds/payments/hyperswitch/client.ts';
import { HyperswitchIds } from '#server/money/funds/payments/hyperswitch/ids.ts';
import {
	Dispute,
	disputeWord,
	newsIn,
	Payment,
	Payout,
	PayoutList,
	paymentWord,
	payoutWord,
	Refund,
	refundWord,
} from '#server/money/funds/payments/hyperswitch/words.ts';
import type {
	DisputeWord,
	NewOrder,
	NewPayout,
	NewRefund,
	PaymentProvider,
	PayoutTarget,
	PayoutWord,
	ProviderNews,
	ProviderWord,
	RefundWord,
} from '#server/money/funds/payments/provider.ts';
import { isSameSecret } from '#server/platform/keys/same-secret.ts';

export interface HyperswitchConfig {
	/** Without a trailing slash. */
	url: string;
	apiKey: string;
	/** `payment_response_hash_key`; several while it is changed. */
	webhookKeys: readonly string[];
	/** Of this installation, among those that share the merchant account. */
	orderTag: string;
	/** The business profile; empty for the merchant's default one. */
	profileId: string;
}

interface ProviderOptions extends HyperswitchConfig {
	clock: () => number;
}

const INR = 'INR';
/** The sole form of UPI in which the payer enters nothing: a link for phones, which is a QR code elsewhere. */
const UPI_INTENT = {
	payment_method: 'upi',
	payment_method_type: 'upi_intent',
	payment_method_data: { upi: { upi_intent: {} } },
};
const Cancelled = v.object({ status: v.string() });

export class HyperswitchProvider implements PaymentProvider<'REAL'> {
	readonly name = 'HYPERSWITCH';
	readonly pools = ['REAL'] as const;
	readonly paysOnce = true;
	readonly refunds = true;
	readonly #options: ProviderOptions;
	readonly #client: HyperswitchClient;
	readonly #ids: HyperswitchIds;

	constructor(options: ProviderOptions) {
		this.#options = options;
		this.#client = new HyperswitchClient(options);
		this.#ids = new HyperswitchIds(options.orderTag);
	}

	async createOrder(order: NewOrder): Promise<{ providerId: string; link: string }> {
		const { reference, amount, expiresAtMs } = order;
		const id = this.#ids.ofPayment(reference);
		const body = {
			payment_id: id,
			amount,
			currency: INR,
			confirm: true,
			capture_method: 'automatic',
			...UPI_INTENT,
			merchant_order_reference_id: reference,
			session_expiry: Math.max(1, Math.ceil((expiresAtMs - this.#options.clock()) / 1000)),
			metadata: { order: reference, expires_at_ms: String(expiresAtMs) },
			...this.#profile(),
		};
		const payment = await this.#client.ask('POST', '/payments', Payment, body).catch((error: unknown) => {
			// An earlier answer was lost.
			if (error instanceof HyperswitchError && error.means === 'EXISTS') return this.#payment(reference);
			throw error;
		});
		// Under the same tag another installation may have made it, and its payer may have paid.
		if (payment.amount !== amount || payment.metadata?.['expires_at_ms'] !== String(expiresAtMs))
			throw new Error(`Hyperswitch has another order under ${id}: HYPERSWITCH_ORDER_TAG is used twice.`);
		return { providerId: payment.payment_id, link: linkIn(payment) };
	}

	async lookUp(reference: string): Promise<ProviderWord | null> {
		return await this.#payment(reference).then((payment) => paymentWord(payment, this.#ids), unlessAbsent);
	}

	async disputesOf(reference: string): Promise<DisputeWord[]> {
		const { disputes } = await this.#payment(reference);
		const found = await Promise.all(
			(disputes ?? []).map(({ dispute_id: id }) =>
				this.#client.ask('GET', `/disputes/${encodeURIComponent(id)}`, Dispute),
			),
		);
		return found.map((dispute) => disputeWord(dispute, this.#ids, this.#options.clock()));
	}

	async cancelOrder(reference: string): Promise<void> {
		const path = `/payments/${this.#ids.ofPayment(reference)}/cancel`;
		await this.#client.ask('POST', path, Cancelled, { cancellation_reason: 'abandoned' });
	}

	/** A refusal of the request is a verdict; an error that leaves open how far it came is none. */
	async payOut({ reference, amount, details }: NewPayout): Promise<PayoutWord> {
		if (details === null) throw new Error('A payout of real money names its target.');
		const body = {
			payout_id: this.#ids.ofPayout(reference),
			merchant_order_reference_id: this.#ids.orderOfPayout(reference),
			amount,
			currency: INR,
			...methodOf(details),
			confirm: true,
			auto_fulfill: true,
			entity_type: 'Individual',
			recurring: false,
			customer: { id: this.#ids.orderOfPayout(reference) },
			...this.#profile(),
		};
		try {
			return payoutWord(await this.#client.ask('POST', '/payouts/create', Payout, body), this.#ids);
		} catch (error) {
			if (!(error instanceof HyperswitchError && error.means === 'REFUSED')) throw error;
			return { reference, status: 'FAILED', utr: null, amount };
		}
	}

	async lookUpPayout(reference: string): Promise<PayoutWord | null> {
		const path = `/payouts/${this.#ids.ofPayout(reference)}?force_sync=true`;
		const payout = await this.#client.ask('GET', path, Payout).catch(unlessAbsent);
		return payout ? payoutWord(payout, this.#ids) : await this.#payoutByOrder(reference);
	}

	/**
	 * A switch that numbers payouts itself knows ours by the order's reference. Two under one reference are no verdict.
	 */
	async #payoutByOrder(reference: string): Promise<PayoutWord | null> {
		const order = this.#ids.orderOfPayout(reference);
		const asked = { merchant_order_reference_id: order, currency: INR, entity_type: 'Individual', limit: 10 };
		const { data } = await this.#client.ask('POST', '/payouts/list', PayoutList, asked);
		const [payout, second] = data.filter(({ merchant_order_reference_id: of }) => of === order);
		if (second) throw new Error(`Hyperswitch has several payouts of ${order}.`);
		return payout ? payoutWord(payout, this.#ids) : null;
	}

	async refund({ reference, attempt, amount, reason }: NewRefund): Promise<RefundWord> {
		const id = this.#ids.ofRefund(reference, attempt);
		const body = {
			refund_id: id,
			payment_id: this.#ids.ofPayment(reference),
			amount,
			reason,
			refund_type: 'instant',
		};
		const refund = await this.#client.ask('POST', '/refunds', Refund, body).catch(async (error: unknown) => {
			if (!(error instanceof HyperswitchError)) throw error;
			if (error.means === 'EXISTS') return await this.#client.ask('GET', `/refunds/${id}`, Refund);
			if (error.means === 'REFUSED') return null;
			throw error;
		});
		return refund ? refundWord(refund, this.#ids) : { reference, attempt, status: 'FAILED', amount };
	}

	/** `X-Webhook-Signature-512`: HMAC-SHA512 over the raw body, in hexadecimal digits. */
	isGenuine(body: Buffer, headers: Readonly<Record<string, unknown>>): boolean {
		const given = String(headers['x-webhook-signature-512'] ?? '');
		return this.#options.webhookKeys.some((key) =>
			isSameSecret(given, createHmac('sha512', key).update(body).digest('hex')),
		);
	}

	readWebhook(body: Buffer): { eventId: string; news: ProviderNews } {
		return newsIn(body, this.#ids);
	}

	async #payment(reference: string): Promise<Payment> {
		return await this.#client.ask('GET', `/payments/${this.#ids.ofPayment(reference)}?force_sync=true`, Payment);
	}

	#profile(): { profile_id?: string } {
		const { profileId } = this.#options;
		return profileId === '' ? {} : { profile_id: profileId };
	}
}

/** The link that a payment app opens. @throws Error for an order that the payer could not pay */
function linkIn({ next_action: action, status }: Payment): string {
	const link = action?.type === 'invoke_upi_intent_sdk' ? action['sdk_uri'] : action?.['redirect_to_url'];
	if (typeof link === 'string' && /^(?:upi|https):\/\/\S{1,2000}$/.test(link)) return link;
	// It was paid, or it failed, before its answer came.
	if (status !== 'requires_customer_action') return '';
	throw new Error('Hyperswitch names no link to pay the order by.');
}

/**
 * The published description has no bank account of India: a UPI id is the token that the processor pays to, and a bank
 * account has its IFSC as the number of the bank. docs/RUNBOOK.md says how to find out whether a processor takes them.
 */
function methodOf(details: PayoutTarget): object {
	if (details.method === 'UPI') {
		return { payout_method_data: { passthrough: { psp_token: details.upiId, token_type: 'upi_collect' } } };
	}
	const { accountNumber, ifsc, holder } = details;
	const bank = { bank_account_number: accountNumber, bank_routing_number: ifsc, bank_country_code: 'IN' };
	return { payout_type: 'bank', payout_method_data: { bank }, billing: { address: { first_name: holder } } };
}

/** Null for an object that Hyperswitch does not know. */
function unlessAbsent(error: unknown): null {
	if (error instanceof HyperswitchError && error.means === 'ABSENT') return null;
	throw error;
}
