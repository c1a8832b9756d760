/** What a payment's workflow knows. */
import type { Workflow } from '#server/exchange/order/workflow.ts';
import type { AnyPaise } from '#values/money.ts';

export interface PaymentData {
	/** Paise of the order. */
	amount: AnyPaise;
	provider: string;
	expiresAtMs: number;
	payee: { name: string; upiId: string };
	/** How often the provider was asked to make the order. */
	attempts: number;
	providerId?: string;
	/** Paise as paid, with the bank's reference. */
	paid?: AnyPaise;
	paidAtMs?: number;
	utr?: string;
	/** Paise that disputes took, of ended cycles. */
	lost?: AnyPaise;
	/** Of a dispute from before disputes had workflows of their own: what it holds. */
	held?: AnyPaise | null;
}

export const paymentData = (workflow: Workflow): PaymentData => workflow.data as unknown as PaymentData;

/** What was lost of a payment; one that was lost before disputes had cycles was lost as a whole. */
export function lostOf(payment: Workflow): AnyPaise {
	const { lost, paid = 0 } = paymentData(payment);
	return lost ?? (payment.state === 'LOST' ? paid : 0);
}

/** SQL: paise of a payment's or a deposit's row that the player was credited, less what disputes took. */
export const CREDITED = `(coalesce(data ->> 'paid', data ->> 'amount')::bigint
	- case state when 'LOST' then coalesce(data ->> 'lost', data ->> 'paid')::bigint else coalesce((data ->> 'lost')::bigint, 0) end)`;
