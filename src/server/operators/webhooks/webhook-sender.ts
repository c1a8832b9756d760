/**
 * The worker of webhooks, in the process that holds the lease: spreads events and posts deliveries, several at once to
 * each endpoint. An endpoint that gives no answer, or one of a fault of its own, is asked with growing pauses and with
 * one delivery at a time until it takes one; a delivery that it refuses waits by itself.
 */
import type pg from 'pg';
import type { Logger } from 'pino';
import { isoTime } from '#server/exchange/views/wire-views.ts';
import { MOST_CONNECTIONS, postWebhook } from '#server/operators/webhooks/post-webhook.ts';
import { spreadEvents } from '#server/operators/webhooks/spread-events.ts';
import type { Attempted, TakenDelivery, WebhookDeliveries } from '#server/operators/webhooks/webhook-deliveries.ts';
import type { WebhookEndpoint, WebhookEndpoints } from '#server/operators/webhooks/webhook-endpoints.ts';
import { isLogged } from '#server/platform/pacing/back-off.ts';
import { HOUR_MS } from '#values/time.ts';

const LOOK_EVERY_MS = 500;
/** An endpoint that a replaced process added last is found by then. */
const LOAD_EVERY_MS = 30_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 15 * 60_000;
/** A clock that jumps ahead gives nothing up before this number of failures in a row. */
const LEAST_FAILURES = 20;

interface WebhookSenderOptions {
	db: pg.Pool;
	log: Logger;
	clock: () => number;
	endpoints: WebhookEndpoints;
	deliveries: WebhookDeliveries;
	/** Only HTTPS to public addresses. */
	isGuarded: boolean;
}

export class WebhookSender {
	readonly #options: WebhookSenderOptions;
	/** Endpoints that are being sent to. */
	readonly #busy = new Map<string, Promise<void>>();
	#timer: NodeJS.Timeout | undefined;
	#looking: Promise<void> = Promise.resolve();
	#loadedAtMs = Number.NEGATIVE_INFINITY;
	#deletedAtMs = Number.NEGATIVE_INFINITY;
	#faults = 0;
	#isStopped = false;

	constructor(options: WebhookSenderOptions) {
		this.#options = options;
	}

	start(): void {
		this.#looking = this.#look().finally(() => {
			if (!this.#isStopped) this.#timer = setTimeout(() => this.start(), LOOK_EVERY_MS).unref();
		});
	}

	/** Waits for attempts that are under way. */
	async stop(): Promise<void> {
		this.#isStopped = true;
		clearTimeout(this.#timer);
		await this.#looking;
		await Promise.all(this.#busy.values());
	}

	async #look(): Promise<void> {
		try {
			await this.#tidy();
			const { db, endpoints } = this.#options;
			if (endpoints.all().length === 0) return;
			while (!this.#isStopped && (await spreadEvents(db)));
			for (const endpoint of endpoints.all()) this.#send(endpoint);
			this.#faults = 0;
		} catch (error) {
			this.#wait(error);
		}
	}

	/** The database is away, or a row cannot be read: what is durable is sent later. */
	#wait(error: unknown): void {
		if (isLogged(++this.#faults)) this.#options.log.warn({ err: error }, 'webhooks wait');
	}

	async #tidy(): Promise<void> {
		const { endpoints, deliveries } = this.#options;
		const now = performance.now();
		if (now - this.#loadedAtMs >= LOAD_EVERY_MS) {
			await endpoints.load();
			if (this.#loadedAtMs < 0) await endpoints.sealAnew();
			this.#loadedAtMs = now;
		}
		if (now - this.#deletedAtMs >= HOUR_MS) {
			await deliveries.deleteOld();
			this.#deletedAtMs = now;
		}
	}

	#send(endpoint: WebhookEndpoint): void {
		const { endpointId } = endpoint;
		if (this.#busy.has(endpointId)) return;
		const sent = this.#sendAll(endpoint)
			.catch((error: unknown) => this.#wait(error))
			.finally(() => this.#busy.delete(endpointId));
		this.#busy.set(endpointId, sent);
	}

	/** Until nothing is due, or the endpoint fails. */
	async #sendAll({ endpointId, brand }: WebhookEndpoint): Promise<void> {
		const { endpoints, deliveries, clock } = this.#options;
		while (!this.#isStopped) {
			const endpoint = endpoints.ofBrand(brand).find((one) => one.endpointId === endpointId);
			if (!endpoint || endpoint.isPaused || !isDue(endpoint, clock())) return;
			const taken = await deliveries.take(endpoint, endpoint.failures > 0 ? 1 : MOST_CONNECTIONS);
			if (taken.length === 0) return;
			const attempts = await Promise.all(taken.map((delivery) => this.#attempt(endpoint, delivery)));
			await deliveries.note(endpoint, attempts);
			const isAway = attempts.every(isOutage);
			if (isAway) return await this.#failed(endpoint, attempts);
			if (endpoint.failures > 0) await endpoints.note(endpoint, { failures: 0, failingSinceMs: null, nextAtMs: 0 });
		}
	}

	async #attempt(endpoint: WebhookEndpoint, delivery: TakenDelivery): Promise<Attempted> {
		const { clock, endpoints, isGuarded } = this.#options;
		const { kind: type, atMs, sequence, data, eventId: id } = delivery;
		const body = JSON.stringify({ type, timestamp: isoTime(atMs), brand: endpoint.brand, sequence, data });
		const webhook = { id, body, timestamp: Math.floor(clock() / 1000), secrets: endpoints.secretsOf(endpoint) };
		try {
			const status = await postWebhook(endpoint.url, webhook, isGuarded);
			const isTaken = status >= 200 && status < 300;
			return { delivery, status, reason: isTaken ? null : `it answered ${status}` };
		} catch (error) {
			return { delivery, status: null, reason: (error as Error).message };
		}
	}

	async #failed(endpoint: WebhookEndpoint, [attempt]: readonly Attempted[]): Promise<void> {
		const { endpoints, deliveries, clock, log } = this.#options;
		const failures = endpoint.failures + 1;
		const failingSinceMs = endpoint.failingSinceMs ?? clock();
		const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** Math.min(endpoint.failures, 20), LONGEST_PAUSE_MS);
		await endpoints.note(endpoint, { failures, failingSinceMs, nextAtMs: clock() + pauseMs });
		const { endpointId, brand } = endpoint;
		if (isLogged(failures))
			log.warn({ endpointId, brand, failures, reason: attempt?.reason }, 'an endpoint takes no webhooks');
		if (failures < LEAST_FAILURES || !deliveries.isAwayFor(failingSinceMs)) return;
		const given = await deliveries.giveUpOld(endpoint);
		if (given > 0) log.error({ endpointId, brand, count: given }, 'webhooks were given up');
	}
}

/** One that is due later than the longest pause failed before the clock was set back. */
const isDue = ({ nextAtMs }: WebhookEndpoint, nowMs: number): boolean =>
	nextAtMs <= nowMs || nextAtMs > nowMs + LONGEST_PAUSE_MS;

/** No answer, too many requests, or a fault of the endpoint: the next delivery would fare no better. */
const isOutage = ({ status, reason }: Attempted): boolean =>
	reason !== null && (status === null || status === 429 || status >= 500);
