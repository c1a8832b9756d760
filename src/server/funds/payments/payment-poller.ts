/** Asks the provider about every order that is not decided, ever more seldom, and lets time pass for them. */
import type { Logger } from 'pino';
import type { Committed } from '#server/exchange/committed.ts';
import type { Workflow } from '#server/exchange/workflow.ts';
import { type Payments, paymentData } from '#server/funds/payments/payments.ts';

const FIRST_MS = 3_000;
const LONGEST_MS = 10 * 60_000;
const TICK_MS = 500;
const MOST_AT_ONCE = 50;
/** A payment that failed or expired may still come in so long. */
export const ASKED_FOR_MS = 3 * 86_400_000;

interface Asked {
	dueAtMs: number;
	waitMs: number;
	expiresAtMs: number;
}

export interface PaymentPollerOptions {
	payments: Pick<Payments, 'ask' | 'passTime'>;
	clock: () => number;
	log: Logger;
	firstMs?: number;
}

export class PaymentPoller {
	readonly #options: PaymentPollerOptions;
	readonly #orders = new Map<number, Asked>();
	readonly #working = new Set<Promise<void>>();
	#timer: NodeJS.Timeout | null = null;

	/** @param open the orders that a restart found */
	constructor(options: PaymentPollerOptions, open: readonly Workflow[]) {
		this.#options = options;
		for (const workflow of open) this.#follow(workflow);
	}

	onCommitted({ workflows }: Pick<Committed, 'workflows'>): void {
		for (const workflow of workflows) if (workflow.kind === 'PAYMENT') this.#follow(workflow);
	}

	start(): void {
		this.#timer = setInterval(() => this.#tick(), TICK_MS).unref();
	}

	async stop(): Promise<void> {
		if (this.#timer) clearInterval(this.#timer);
		await Promise.all(this.#working);
	}

	#follow(workflow: Workflow): void {
		const { clock, firstMs = FIRST_MS } = this.#options;
		// An order in review waits for people.
		if (!workflow.isOpen || workflow.state === 'REVIEW') {
			this.#orders.delete(workflow.id);
			return;
		}
		const { expiresAtMs } = paymentData(workflow);
		this.#orders.set(workflow.id, { dueAtMs: clock() + firstMs, waitMs: firstMs, expiresAtMs });
	}

	#tick(): void {
		const now = this.#options.clock();
		let count = this.#working.size;
		for (const [id, order] of this.#orders) {
			if (count >= MOST_AT_ONCE) return;
			// When the clock was set back, what is due looks far away.
			if (order.dueAtMs > now && order.dueAtMs - now <= order.waitMs) continue;
			order.waitMs = Math.min(order.waitMs * 2, LONGEST_MS);
			const untilExpiryMs = order.expiresAtMs - now;
			// Shortly after it has expired, the order is looked at whatever its turn.
			order.dueAtMs = now + (untilExpiryMs > 0 ? Math.min(order.waitMs, untilExpiryMs + 1) : order.waitMs);
			count++;
			const work = this.#look(id).finally(() => this.#working.delete(work));
			this.#working.add(work);
		}
	}

	async #look(id: number): Promise<void> {
		const { payments, log } = this.#options;
		try {
			await payments.ask(id);
		} catch (error) {
			log.debug({ err: error, orderId: id }, 'an order is asked about again later');
		}
		await payments.passTime(id, ASKED_FOR_MS).catch((error: unknown) => {
			log.debug({ err: error, orderId: id }, 'an order is looked at again later');
		});
	}
}
