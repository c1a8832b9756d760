/**
 * The payment studio: a small server that speaks Hyperswitch's API from its public description, so that real money is
 * run for real on one machine. Payers, processors and banks act when a test or the minor units of an amount say so.
 */
import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import { ANSWER_FAULTS, type Faults, QueuedFaults, WEBHOOK_FAULTS } from '#studio/payments/faults.ts';
import {
	type Dispute,
	type DisputeState,
	type Payment,
	type PaymentState,
	type Payout,
	type PayoutState,
	type PlantedFault,
	type Refund,
	type RefundState,
	SwitchBooks,
	SwitchError,
} from '#studio/payments/switch-books.ts';
import { WebhookSender, type WebhookTarget } from '#studio/payments/webhook-sender.ts';

const LARGEST_BODY = 64 * 1024;
/** As published, in shorter time. */
const RETRY_MS = [500, 1_000, 2_000, 4_000, 8_000, 16_000];

interface PaymentStudioOptions {
	apiKey: string;
	/** Null until the merchant's address is known. */
	target: WebhookTarget | null;
	/** After this time, payers and processors act by themselves, as the minor units of the amount say; null: never. */
	actsAfterMs: number | null;
	clock?: () => number;
	planted?: PlantedFault | null;
	retryMs?: readonly number[];
}

const PAYMENT_EVENTS: Readonly<Record<PaymentState, string>> = {
	requires_customer_action: 'action_required',
	succeeded: 'payment_succeeded',
	partially_captured: 'payment_captured',
	failed: 'payment_failed',
	cancelled: 'payment_cancelled',
	cancelled_post_capture: 'payment_cancelled_post_capture',
	processing: 'payment_processing',
	conflicted: 'payment_processing',
	expired: 'payment_expired',
};
const PAYOUT_EVENTS: Readonly<Record<PayoutState, string>> = {
	initiated: 'payout_initiated',
	pending: 'payout_processing',
	success: 'payout_success',
	failed: 'payout_failed',
	cancelled: 'payout_cancelled',
	expired: 'payout_expired',
	reversed: 'payout_reversed',
};
const REFUND_EVENTS: Readonly<Record<RefundState, string | null>> = {
	pending: null,
	succeeded: 'refund_succeeded',
	failed: 'refund_failed',
};

const RUPEE = 100;

export class PaymentStudio {
	readonly books: SwitchBooks;
	faults: Faults = new QueuedFaults();
	target: WebhookTarget | null;
	readonly #options: PaymentStudioOptions;
	readonly #sender: WebhookSender;
	readonly #http: FastifyInstance;
	readonly #timers = new Set<NodeJS.Timeout>();

	constructor(options: PaymentStudioOptions) {
		const { clock = Date.now, planted = null, target, retryMs = RETRY_MS } = options;
		this.#options = options;
		this.target = target;
		this.books = new SwitchBooks({ clock, planted });
		this.#sender = new WebhookSender({ target: () => this.target, faults: () => this.faults, clock, retryMs });
		this.#http = this.#server();
	}

	/** @returns its address */
	async listen(port = 0): Promise<string> {
		return await this.#http.listen({ port, host: '127.0.0.1' });
	}

	async stop(): Promise<void> {
		for (const timer of this.#timers) clearTimeout(timer);
		await this.#sender.stop();
		await this.#http.close();
	}

	/** Resolves when the merchant took every webhook, or it was given up. */
	async webhooksSent(): Promise<void> {
		await this.#sender.flushed();
	}

	/** The payer, or the processor, does something about a payment. @param received minor units */
	move(payment: Payment, status: PaymentState, received?: number): void {
		this.books.change(payment, status, received ?? payment.amount_received);
		this.#sender.publish(PAYMENT_EVENTS[status], 'payment_details', payment);
	}

	/** The payer pays, unless it is too late. */
	pay(payment: Payment, received = payment.amount): void {
		if (this.books.isPayable(payment))
			this.move(payment, received === payment.amount ? 'succeeded' : 'partially_captured', received);
	}

	movePayout(payout: Payout, status: PayoutState): void {
		this.books.changePayout(payout, status);
		this.#sender.publish(PAYOUT_EVENTS[status], 'payout_details', payout);
	}

	moveRefund(refund: Refund, status: RefundState): void {
		refund.status = status;
		const event = REFUND_EVENTS[status];
		if (event) this.#sender.publish(event, 'refund_details', refund);
	}

	openDispute(payment: Payment, amount: number): Dispute {
		const dispute = this.books.openDispute(payment, amount);
		this.#sender.publish('dispute_opened', 'dispute_details', dispute);
		return dispute;
	}

	moveDispute(dispute: Dispute, status: DisputeState): void {
		this.books.changeDispute(dispute, status);
		this.#sender.publish(status, 'dispute_details', dispute);
	}

	#later(act: () => void, times = 1): void {
		const { actsAfterMs } = this.#options;
		if (actsAfterMs === null) return;
		const timer = setTimeout(() => {
			this.#timers.delete(timer);
			act();
		}, actsAfterMs * times);
		this.#timers.add(timer.unref());
	}

	/** The minor units of an amount decide, as those of the simulator do: docs/FUNDS.md. */
	#payLater(payment: Payment): void {
		const { amount } = payment;
		switch (amount % RUPEE) {
			case 1:
				return this.#later(() => this.move(payment, 'failed'));
			case 2:
				return;
			case 4:
				return this.#later(() => this.pay(payment, amount - RUPEE));
			case 9:
				return this.#later(() => this.move(payment, 'conflicted', amount));
			case 7:
			case 8:
			case 10:
				return this.#dispute(payment);
			default:
				return this.#later(() => this.pay(payment));
		}
	}

	#dispute(payment: Payment): void {
		const [way, part] = [payment.amount % RUPEE, payment.amount % RUPEE === 10 ? 10 : 1];
		this.#later(() => this.pay(payment));
		this.#later(() => {
			const dispute = this.openDispute(payment, Math.floor(payment.amount / part));
			this.#later(() => this.moveDispute(dispute, way === 7 ? 'dispute_won' : 'dispute_lost'));
		}, 2);
	}

	#payOutLater(payout: Payout): void {
		switch (payout.amount % RUPEE) {
			case 1:
				return this.#later(() => this.movePayout(payout, 'failed'));
			case 2:
				return this.#later(() => this.movePayout(payout, 'pending'));
			case 4:
				this.#later(() => this.movePayout(payout, 'success'));
				return this.#later(() => this.movePayout(payout, 'reversed'), 2);
			default:
				return this.#later(() => this.movePayout(payout, 'success'));
		}
	}

	#server(): FastifyInstance {
		const server = Fastify({ logger: false, bodyLimit: LARGEST_BODY, forceCloseConnections: true });
		server.setErrorHandler((error, _, reply) => {
			if (error instanceof SwitchError) return refuse(reply, error);
			return refuse(reply, new SwitchError(400, 'IR_06', 'invalid_request', 'The request could not be read'));
		});
		server.setNotFoundHandler((_, reply) =>
			refuse(reply, new SwitchError(404, 'IR_02', 'invalid_request', 'Unrecognized request URL')),
		);
		this.#control(server);
		void server.register((api, _, done) => {
			this.#api(api);
			done();
		});
		return server;
	}

	/** Faults on demand, for a studio in a process of its own. */
	#control(server: FastifyInstance): void {
		server.post<{ Body: { answers?: unknown[]; webhooks?: unknown[] } }>('/studio/faults', ({ body }) => {
			const queued = new QueuedFaults();
			queued.answers.push(...ANSWER_FAULTS.filter((fault) => body.answers?.includes(fault)));
			queued.webhooks.push(...WEBHOOK_FAULTS.filter((fault) => body.webhooks?.includes(fault)));
			this.faults = queued;
			return { answers: queued.answers.length, webhooks: queued.webhooks.length };
		});
	}

	#api(api: FastifyInstance): void {
		api.addHook('onRequest', async (request, reply) => {
			const isKnown = request.headers['api-key'] === this.#options.apiKey;
			if (!isKnown && this.books.planted !== 'keys are not looked at')
				throw new SwitchError(401, 'IR_01', 'invalid_request', 'API key not provided or invalid API key used');
			const fault = this.faults.answer(`${request.method} ${request.url}`);
			if (fault === null) return;
			if (fault === 'UNAVAILABLE') throw new SwitchError(500, 'HE_00', 'server_not_available', 'Something went wrong');
			if (fault === 'REQUEST_LOST') {
				request.raw.socket.destroy();
				reply.hijack();
				return;
			}
			Object.assign(request, { fault });
		});
		api.addHook('onSend', async (request, reply, payload) => {
			const { fault } = request as { fault?: string };
			if (fault === 'ANSWER_LOST') request.raw.socket.destroy();
			if (fault !== 'UNREADABLE') return payload;
			reply.code(502).type('text/html');
			return '<html>Bad gateway</html>';
		});
		type OfId = { Params: { id: string } };
		type WithBody = { Body: Record<string, unknown> };
		api.post<WithBody>('/payments', ({ body }) => {
			const payment = this.books.createPayment(body ?? {});
			this.#payLater(payment);
			return this.#shown(payment);
		});
		api.get<OfId>('/payments/:id', ({ params: { id } }) => this.#shown(this.books.payment(id)));
		api.post<OfId>('/payments/:id/cancel', ({ params: { id } }) => {
			const payment = this.books.cancelPayment(id);
			this.#sender.publish('payment_cancelled', 'payment_details', payment);
			return this.#shown(payment);
		});
		api.post<WithBody>('/refunds', ({ body }) => {
			const refund = this.books.createRefund(body ?? {});
			this.#later(() => this.moveRefund(refund, refund.amount % RUPEE === 1 ? 'failed' : 'succeeded'));
			return refund;
		});
		api.get<OfId>('/refunds/:id', ({ params: { id } }) => this.books.refund(id));
		api.post<WithBody>('/payouts/create', ({ body }) => {
			const payout = this.books.createPayout(body ?? {});
			this.#payOutLater(payout);
			return payout;
		});
		api.get<OfId>('/payouts/:id', ({ params: { id } }) => this.books.payout(id));
		api.post<WithBody>('/payouts/list', ({ body }) => {
			const data = this.books.payoutsOf(body['merchant_order_reference_id']);
			return { size: data.length, data };
		});
		api.get<OfId>('/disputes/:id', ({ params: { id } }) => this.books.dispute(id));
	}

	#shown(payment: Payment): object {
		const { planted } = this.books;
		return {
			...payment,
			...(planted === 'amounts come back as rupees' ? { amount: payment.amount / 100 } : {}),
			...(planted === 'a status is not published' ? { status: 'almost_there' } : {}),
		};
	}
}

const refuse = (reply: FastifyReply, { status, code, type, message }: SwitchError): FastifyReply =>
	reply.code(status).send({ error: { type, message, code } });
