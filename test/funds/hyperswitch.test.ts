/** Real money over Hyperswitch's API, as the payment studio speaks it: orders, payouts, refunds, disputes, webhooks. */
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { HyperswitchIds } from '#server/money/funds/payments/hyperswitch/ids.ts';
import { referenceOf } from '#server/money/funds/payments/order-reference.ts';
import type { AnswerFault, WebhookFault } from '#studio/payments/faults.ts';
import type { Payment } from '#studio/payments/switch-books.ts';
import { expectSound } from '../support/audit.ts';
import { RealMoneySite } from './real-money-site.ts';

let site: RealMoneySite;
beforeAll(async () => {
	site = await RealMoneySite.open();
});
afterAll(async () => {
	await expectSound(site.server.database.db);
	await site.close();
});

/** A player with money. */
async function paidPlayer(rupees = 500) {
	const player = await site.player();
	const { id } = await site.order(player, rupees);
	site.studio.pay(site.payment(id));
	await site.becomes('PAYMENT', id, 'SUCCESS');
	return { player, id };
}

/** The next requests of a kind fail so, one after the other; the polling of other orders goes on. */
const fail = (kind: string, ...answers: AnswerFault[]) => {
	const faults = [...answers];
	const answer = (request: string) => (request.startsWith(kind) ? (faults.shift() ?? null) : null);
	site.studio.faults = { answer, webhook: () => null };
};
const failWebhooks = (fault: WebhookFault) => {
	site.studio.faults = { answer: () => null, webhook: () => fault };
};
beforeEach(() => fail('none'));

it('shows the provider’s link, asks for minor units, and credits what its webhook says was paid', async () => {
	const player = await site.player();
	const { id, link } = await site.order(player, 500.5);
	const payment = site.payment(id);
	expect([payment.amount, payment.currency, link]).toEqual([
		50_050,
		'INR',
		(payment.next_action as { sdk_uri: string }).sdk_uri,
	]);
	site.studio.pay(payment);
	await site.becomes('PAYMENT', id, 'SUCCESS');
	await expect.poll(() => site.cash(player)).toBe(500.5);
});

it('makes one order however often the answer to its making is lost', async () => {
	const before = site.studio.books.payments.size;
	fail('POST /payments', 'ANSWER_LOST', 'UNREADABLE', 'REQUEST_LOST', 'UNAVAILABLE');
	const player = await site.player();
	const { id } = await site.order(player);
	await site.becomes('PAYMENT', id, 'PENDING');
	expect(site.studio.books.payments.size).toBe(before + 1);
	const { data } = await site.find('PAYMENT', id);
	expect(data).toMatchObject({ link: expect.stringContaining(site.payment(id).payment_id) });
});

it('refuses an order that another installation made under the same tag', async () => {
	const player = await site.player();
	fail('POST /payments', ...Array.from({ length: 1_000 }, () => 'REQUEST_LOST' as const));
	const { id } = await site.order(player);
	const payment_id = new HyperswitchIds('test').ofPayment(referenceOf('BLP', id));
	const other = { payment_id, amount: 500_00, currency: 'INR', metadata: { expires_at_ms: '1' } };
	// It is paid, and would be credited at once.
	site.studio.pay(site.studio.books.createPayment(other));
	fail('none');
	await site.server.running.funds.payments.advance(id);
	// Its webhook says that it is paid, too.
	await site.studio.webhooksSent();
	await expect.poll(() => site.findings()).toContain(`unknown-order:${referenceOf('BLP', id)}`);
	expect([(await site.find('PAYMENT', id)).state, site.cash(player)]).toEqual(['CREATED', 0]);
});

it.each<[string, Parameters<typeof site.studio.move>[1], number | undefined, string]>([
	['failed', 'failed', undefined, 'FAILED'],
	['cancelled', 'cancelled', undefined, 'FAILED'],
	['expired', 'expired', undefined, 'EXPIRED'],
	['paid in part', 'partially_captured', 400_00, 'REVIEW'],
	['under way', 'processing', undefined, 'PENDING'],
])('takes a payment that is %s for %s', async (_, status, received, state) => {
	const player = await site.player();
	const { id } = await site.order(player);
	site.studio.move(site.payment(id), status, received);
	await site.studio.webhooksSent();
	await site.becomes('PAYMENT', id, state);
	expect(site.cash(player)).toBe(0);
});

it('credits no payment whose amount the processor contradicts, and tells operators', async () => {
	const player = await site.player();
	const { id } = await site.order(player);
	site.studio.move(site.payment(id), 'conflicted', 500_00);
	await expect.poll(() => site.findings()).toContainEqual(expect.stringMatching(/^odd-payment:/));
	expect(site.cash(player)).toBe(0);
});

it('credits a payment once, though its webhook comes twice, late, and under another event and reference', async () => {
	const player = await site.player();
	const { id } = await site.order(player);
	const payment = site.payment(id);
	failWebhooks('DOUBLED');
	site.studio.pay(payment);
	await site.becomes('PAYMENT', id, 'SUCCESS');
	payment.network_transaction_id = '499999999999';
	site.studio.move(payment, 'succeeded');
	site.studio.move(payment, 'processing');
	await site.studio.webhooksSent();
	await site.server.running.funds.payments.ask(id);
	expect([site.cash(player), (await site.find('PAYMENT', id)).state]).toEqual([500, 'SUCCESS']);
});

it('finds a payment whose webhooks were all lost or forged', async () => {
	const player = await site.player();
	const { id } = await site.order(player);
	failWebhooks('FORGED');
	site.studio.pay(site.payment(id));
	await site.becomes('PAYMENT', id, 'SUCCESS');
	await expect.poll(() => site.cash(player)).toBe(500);
});

const signed = (body: string, key = 'the key that signs webhooks of the studio') => ({
	'X-Webhook-Signature-512': createHmac('sha512', key).update(body).digest('hex'),
});
const send = (body: string, headers: Record<string, string>) =>
	site.server.post('api/Payment/Webhook/Hyperswitch', body, headers);

it('takes webhooks by the HMAC-SHA512 of their raw body alone, with any of its keys', async () => {
	const { id } = await paidPlayer();
	const body = JSON.stringify({
		event_id: 'evt_1',
		event_type: 'payment_succeeded',
		content: { type: 'payment_details', object: site.payment(id) },
	});
	const spaced = `${body} `;
	expect((await send(body, signed(spaced))).status).toBe(403);
	expect((await send(body, {})).status).toBe(403);
	expect((await send(body, signed(body, 'another key'))).status).toBe(403);
	expect((await send(body, signed(body))).status).toBe(200);
	expect((await send(spaced, signed(spaced, 'an older key, which is still taken for a while'))).status).toBe(200);
	const unpublished = body.replace('payment_succeeded', 'payment_dreamt_of').replace('evt_1', 'evt_2');
	expect((await send(unpublished, signed(unpublished))).status).toBe(400);
	const mandate = JSON.stringify({
		event_id: 'evt_3',
		event_type: 'mandate_active',
		content: { type: 'mandate_details', object: {} },
	});
	expect((await send(mandate, signed(mandate))).status).toBe(200);
});

it('lets the simulator say nothing of real money, and the real provider nothing of play money', async () => {
	const { payments, providers } = site.server.running.funds;
	const player = await site.player();
	const { id } = await site.order(player);
	const reference = new HyperswitchIds('test').referenceIn(site.payment(id).payment_id) ?? '';
	const word = {
		reference,
		providerId: 'p',
		amount: 500_00,
		currency: 'INR',
		utr: '412345678901',
		status: 'SUCCESS',
	} as const;
	await payments.hear(word, providers.play);
	expect([(await site.find('PAYMENT', id)).state, site.cash(player)]).toEqual(['PENDING', 0]);
	expect(await site.findings()).toContain(`unknown-order:${reference}`);
});

it('pays out once: a lost answer is looked up, and never sent again', async () => {
	const { player } = await paidPlayer();
	const before = site.studio.books.payouts.size;
	fail('POST /payouts/create', 'ANSWER_LOST');
	const id = await site.withdrawal(player);
	await site.becomes('WITHDRAWAL', id, 'PROCESSING');
	await expect.poll(() => site.studio.books.payouts.size).toBe(before + 1);
	expect(site.payout(id)).toMatchObject({
		amount: 200_00,
		payout_method_data: { passthrough: { psp_token: 'asha@bank', token_type: 'upi_collect' } },
	});
	site.studio.movePayout(site.payout(id), 'success');
	await site.becomes('WITHDRAWAL', id, 'PAID');
	expect([site.cash(player), site.studio.books.payouts.size]).toEqual([300, before + 1]);
});

it('never sends a payout whose request was lost: it waits for a person', async () => {
	const { player } = await paidPlayer();
	const before = site.studio.books.payouts.size;
	fail('POST /payouts/create', 'REQUEST_LOST');
	const id = await site.withdrawal(player);
	await site.becomes('WITHDRAWAL', id, 'PROCESSING');
	for (let looks = 0; looks < 5; looks++) await site.server.running.funds.withdrawals.advance(id);
	await site.restart();
	await site.server.running.funds.withdrawals.advance(id);
	expect([site.studio.books.payouts.size, (await site.find('WITHDRAWAL', id)).state]).toEqual([before, 'PROCESSING']);
});

it('finds a payout by its order at a switch that numbers payouts anew', async () => {
	const { player } = await paidPlayer();
	fail('POST /payouts/create', 'ANSWER_LOST');
	const id = await site.withdrawal(player);
	await expect.poll(() => site.payout(id).status).toBe('initiated');
	const payout = site.payout(id);
	site.studio.books.payouts.delete(payout.payout_id);
	site.studio.books.payouts.set('another', { ...payout, payout_id: 'another', status: 'success' });
	await site.becomes('WITHDRAWAL', id, 'PAID');
});

it('gives a payout back only when it definitely failed', async () => {
	const { player } = await paidPlayer();
	const id = await site.withdrawal(player);
	await site.becomes('WITHDRAWAL', id, 'PROCESSING');
	await expect.poll(() => site.payout(id).status).toBe('initiated');
	site.studio.movePayout(site.payout(id), 'pending');
	await site.studio.webhooksSent();
	expect((await site.find('WITHDRAWAL', id)).state).toBe('PROCESSING');
	site.studio.movePayout(site.payout(id), 'failed');
	await site.becomes('WITHDRAWAL', id, 'FAILED');
	await expect.poll(() => site.cash(player)).toBe(500);
	// A verdict against the first one moves nothing.
	site.studio.movePayout(site.payout(id), 'success');
	await expect.poll(() => site.findings()).toContain(`payout-contradicted:${id}`);
	expect(site.cash(player)).toBe(500);
});

it('tells operators of a payout that came back', async () => {
	const { player } = await paidPlayer();
	const id = await site.withdrawal(player);
	await expect.poll(() => site.studio.books.payouts.has(site.payout(id).payout_id)).toBe(true);
	site.studio.movePayout(site.payout(id), 'reversed');
	await site.becomes('WITHDRAWAL', id, 'PAID');
	await expect.poll(() => site.findings()).toContain(`payout-reversed:${id}`);
});

/** A payment of another amount, in review. */
async function inReview(): Promise<{ id: number; payment: Payment }> {
	const { id } = await site.order(await site.player());
	const payment = site.payment(id);
	site.studio.pay(payment, 400_00);
	await site.becomes('PAYMENT', id, 'REVIEW');
	return { id, payment };
}

it('returns a payment by the provider once two operators decide so, and again when it was refused', async () => {
	const { id } = await inReview();
	await site.decide('PAYMENT', id, 'refund', 'asha');
	expect(await site.decide('PAYMENT', id, 'refund', 'bala')).toBe('REFUNDED');
	await expect.poll(() => site.studio.books.refunds.size).toBe(1);
	site.studio.moveRefund(site.refund(id), 'failed');
	await site.becomes('PAYMENT', id, 'REVIEW');
	await site.decide('PAYMENT', id, 'refund', 'asha');
	fail('POST /refunds', 'ANSWER_LOST', 'REQUEST_LOST', 'UNAVAILABLE');
	await site.decide('PAYMENT', id, 'refund', 'bala');
	await expect.poll(() => site.studio.books.refunds.size).toBe(2);
	expect(site.refund(id, 2).amount).toBe(400_00);
	site.studio.moveRefund(site.refund(id, 2), 'succeeded');
	await expect.poll(async () => (await site.find('PAYMENT', id)).isOpen).toBe(false);
	// The first attempt was refused, and says otherwise now: the payer may have the money twice.
	site.studio.moveRefund(site.refund(id, 1), 'succeeded');
	await expect.poll(() => site.findings()).toContain(`refund-contradicted:${id}:1:RETURNED`);
	expect(site.studio.books.refunds.size).toBe(2);
});

it('sends nothing for a payment that was taken back, though a look at it gets its turn after it was refunded', async () => {
	const { id, payment } = await inReview();
	site.studio.moveDispute(site.studio.openDispute(payment, 400_00), 'dispute_lost');
	const chargebacks = async () => Object.values((await site.find('PAYMENT', id)).data.chargebacks ?? {});
	await expect.poll(chargebacks).toEqual([expect.objectContaining({ state: 'LOST' })]);
	await site.decide('PAYMENT', id, 'refund', 'asha');
	expect(await site.decide('PAYMENT', id, 'refund', 'bala')).toBe('REFUNDED');
	await site.server.running.funds.payments.advance(id);
	const sent = [...site.studio.books.refunds.values()].filter((refund) => refund.payment_id === payment.payment_id);
	expect(sent).toEqual([]);
	expect(await site.find('PAYMENT', id)).toMatchObject({ state: 'REFUNDED', isOpen: false });
});

it('holds what is disputed, though the dispute is heard of before the payment, and follows its end', async () => {
	const player = await site.player();
	const { id } = await site.order(player);
	const payment = site.payment(id);
	failWebhooks('LOST');
	site.studio.pay(payment);
	fail('none');
	const dispute = site.studio.openDispute(payment, 200_00);
	await site.becomes('PAYMENT', id, 'DISPUTED');
	await expect.poll(() => site.cash(player)).toBe(300);
	// Its end is found without a webhook.
	site.studio.books.changeDispute(dispute, 'dispute_won');
	await site.becomes('PAYMENT', id, 'WON');
	await expect.poll(() => site.cash(player)).toBe(500);
});

it('asks a person how a dispute ended that expired', async () => {
	const { player, id } = await paidPlayer();
	const dispute = site.studio.openDispute(site.payment(id), 500_00);
	await site.becomes('PAYMENT', id, 'DISPUTED');
	site.studio.moveDispute(dispute, 'dispute_expired');
	await expect.poll(() => site.findings()).toContain(`dispute-unclear:${id}:${dispute.dispute_id}`);
	expect([site.cash(player), (await site.find('PAYMENT', id)).state]).toEqual([0, 'DISPUTED']);
});

it('tells operators when a payment that was credited is taken back', async () => {
	const { id } = await paidPlayer();
	site.studio.move(site.payment(id), 'cancelled_post_capture');
	await expect.poll(() => site.findings()).toContain(`payment-reversed:${id}`);
});
