import type { PAYMENT_STATUSES } from '#contract/calls/payment.ts';
import { type Caller, type HandlersOf, type Parts, playerOf } from '#server/calls/handler.ts';
import { paymentInfo } from '#server/calls/payment-info.ts';
import { requestKey } from '#server/calls/request-key.ts';
import type { Workflow } from '#server/exchange/order/workflow.ts';
import { isoTime } from '#server/exchange/views/wire-views.ts';
import { referenceOf } from '#server/money/funds/payments/order-reference.ts';
import { orderOf } from '#server/money/funds/payments/payment-data.ts';
import type { Depositor } from '#server/money/funds/payments/payments.ts';
import { qrCode, upiLink } from '#server/money/funds/payments/upi-link.ts';
import { Refused } from '#values/error-catalogue.ts';
import { majorFromMinor } from '#values/money.ts';
import { currencyOf, isDemoPool, isRealPool } from '#values/pools.ts';

type Status = (typeof PAYMENT_STATUSES)[number];

const WAITING: ReadonlySet<string> = new Set(['CREATED', 'PENDING']);

export const depositorOf = (caller: Caller): Depositor => {
	const { playerId } = playerOf(caller);
	return { playerId, setting: caller.visitor.brand.setting };
};

function orderView(workflow: Workflow<'PAYMENT'>, title: string) {
	const { payee, amount, expiresAtMs, link: ofProvider } = orderOf(workflow);
	const reference = referenceOf('BLP', workflow.id);
	const isKnown = !isRealPool(workflow.pool) || ofProvider !== undefined;
	const link =
		ofProvider ??
		upiLink({ payee, amount, currency: currencyOf(workflow.pool), reference, note: `Deposit at ${title}` });
	// The payee may be real: a demo player is shown nothing that a payment app could pay. Real money is paid by the
	// provider's link alone, because it would not hear of another payment.
	const isPayable = WAITING.has(workflow.state) && !isDemoPool(workflow.pool) && isKnown && link !== '';
	return {
		orderId: String(workflow.id),
		upiLink: isPayable ? link : '',
		qr: isPayable ? qrCode(link) : '',
		payee,
		amount: majorFromMinor(amount),
		expiresAt: isoTime(expiresAtMs),
		status: workflow.state as Status,
	};
}

/** @throws Refused NOT_FOUND for an invalid number */
export function workflowId(id: string): number {
	const number = Number(id);
	if (!/^\d{1,15}$/.test(id)) throw new Refused('NOT_FOUND');
	return number;
}

export const paymentHandlers = (parts: Parts): HandlersOf<'getPaymentInfo' | 'generatePayment' | 'checkPayment'> => ({
	getPaymentInfo: (_, caller) => paymentInfo(parts, caller),
	generatePayment: async (input, caller) => {
		const depositor = depositorOf(caller);
		parts.funds.terms.admit(depositor.playerId);
		parts.funds.realMoney.admit(depositor.playerId, caller.visitor.country ?? null);
		const key = requestKey('Payment/Generate', depositor.playerId, input);
		const { domainTitle } = depositor.setting;
		return orderView(await parts.funds.payments.generate(depositor, input.amount, key), domainTitle);
	},
	checkPayment: async ({ orderId }, caller) => {
		const workflow = await parts.funds.payments.check(playerOf(caller).playerId, workflowId(orderId));
		const { amount, utr, expiresAtMs } = orderOf(workflow);
		return {
			orderId,
			status: workflow.state as Status,
			amount: majorFromMinor(amount),
			...(utr === undefined ? {} : { utr }),
			expiresAt: isoTime(expiresAtMs),
		};
	},
});
