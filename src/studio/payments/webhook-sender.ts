/** The payment studio's webhooks: signed, sent until they are taken, and with faults on demand. */
import { createHmac, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Faults } from '#studio/payments/faults.ts';

export interface WebhookTarget {
	/** The merchant's address for webhooks. */
	url: string;
	/** `payment_response_hash_key` */
	key: string;
}

interface SenderOptions {
	target: () => WebhookTarget | null;
	faults: () => Faults;
	clock: () => number;
	/** Pauses before a webhook that was not taken is sent again; the last one is not followed by another. */
	retryMs: readonly number[];
}

export class WebhookSender {
	readonly #options: SenderOptions;
	readonly #sending = new Set<Promise<void>>();
	/** Webhooks that overtake nothing and are overtaken by the next one. */
	readonly #late: string[] = [];
	readonly #stopping = new AbortController();

	constructor(options: SenderOptions) {
		this.#options = options;
	}

	/** Sends an event about an object, as its content has it now. */
	publish(event: string, type: string, object: object): void {
		const body = JSON.stringify({
			merchant_id: 'merchant_studio',
			event_id: `evt_${randomUUID().replaceAll('-', '')}`,
			event_type: event,
			content: { type, object },
			timestamp: new Date(this.#options.clock()).toISOString(),
		});
		const fault = this.#options.faults().webhook();
		if (fault === 'LATE') {
			this.#late.push(body);
			return;
		}
		if (fault !== 'LOST') this.#start(body, fault === 'FORGED');
		if (fault === 'DOUBLED') this.#start(body, false);
		for (const late of this.#late.splice(0)) this.#start(late, false);
	}

	/** Sends what is late, and resolves when every webhook was taken or given up. */
	async flushed(): Promise<void> {
		for (const late of this.#late.splice(0)) this.#start(late, false);
		while (this.#sending.size > 0) await Promise.all(this.#sending);
	}

	async stop(): Promise<void> {
		this.#stopping.abort();
		await Promise.all(this.#sending);
	}

	#start(body: string, isForged: boolean): void {
		const done = this.#send(body, isForged).finally(() => this.#sending.delete(done));
		this.#sending.add(done);
	}

	async #send(body: string, isForged: boolean): Promise<void> {
		for (const pauseMs of [0, ...this.#options.retryMs]) {
			const target = this.#options.target();
			if (!target || this.#stopping.signal.aborted) return;
			if (pauseMs > 0) await delay(pauseMs, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
			const key = isForged ? 'another key' : target.key;
			const signature = createHmac('sha512', key).update(body).digest('hex');
			const taken = await fetch(target.url, {
				method: 'POST',
				headers: { 'Content-Type': 'application/json', 'X-Webhook-Signature-512': signature },
				body,
				signal: AbortSignal.timeout(10_000),
			}).then(
				async (response) => {
					await response.body?.cancel();
					return response.ok;
				},
				() => false,
			);
			if (taken || isForged) return;
		}
	}
}
