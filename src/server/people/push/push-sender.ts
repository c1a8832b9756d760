/**
 * Sends notifications. What waits is in memory: a notification that is late is worth little, and what it tells is in the
 * player's records. A push service that is busy or away is asked again with growing pauses; a browser that is gone is
 * forgotten.
 */
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Logger } from 'pino';
import type { Subscription, Subscriptions } from '#server/people/push/subscriptions.ts';
import { encryptedFor, type VapidKey, vapidHeader } from '#server/people/push/web-push.ts';
import { isSafeUrl, lookupPublic } from '#server/platform/outside/public-address.ts';
import type { PlayerId } from '#values/ids.ts';

const ANSWER_WITHIN_MS = 10_000;
/** After each failure; then the notification is given up. */
const PAUSES_MS = [1_000, 5_000, 30_000, 120_000, 600_000];
/** How long a push service keeps a notification for a browser that is off. */
const KEPT_SECONDS = 4 * 3600;
const MOST_AT_ONCE = 8;
/** Notifications that wait; the newest are left out above it. */
const MOST_WAITING = 20_000;

/** What the service worker shows. */
interface Notice {
	title: string;
	body: string;
	/** A path of the site. */
	url: string;
	/** A later notice of the same name takes its place. */
	tag: string;
}

interface Sending {
	subscription: Subscription;
	notice: Notice;
	/** Such as https://example.org, for the push service's operator. */
	contact: string;
	failures: number;
}

interface PushSenderOptions {
	subscriptions: Subscriptions;
	key: VapidKey;
	/** Only HTTPS to public addresses. */
	isGuarded: boolean;
	/** Whether a log-in has not ended. */
	isOpen: (loginId: string) => boolean;
	/** Whether the player gets notifications at present; what is due meanwhile is left out. */
	mayNotify: (playerId: PlayerId) => boolean;
	log: Pick<Logger, 'debug' | 'error'>;
	clock: () => number;
	/** Shorter in tests. */
	pausesMs?: readonly number[];
}

export class PushSender {
	readonly #options: PushSenderOptions;
	readonly #pausesMs: readonly number[];
	readonly #waiting: Sending[] = [];
	readonly #timers = new Set<NodeJS.Timeout>();
	readonly #underWay = new Set<Promise<void>>();
	#isStopped = false;

	constructor(options: PushSenderOptions) {
		this.#options = options;
		this.#pausesMs = options.pausesMs ?? PAUSES_MS;
	}

	send(subscription: Subscription, notice: Notice, contact: string): void {
		this.#add({ subscription, notice, contact, failures: 0 });
	}

	/** Waits for those under way; what waits is given up. */
	async stop(): Promise<void> {
		this.#isStopped = true;
		for (const timer of this.#timers) clearTimeout(timer);
		this.#waiting.length = 0;
		await Promise.all(this.#underWay);
	}

	#add(sending: Sending): void {
		if (this.#isStopped || this.#waiting.length + this.#timers.size >= MOST_WAITING) return;
		this.#waiting.push(sending);
		this.#next();
	}

	#next(): void {
		while (this.#underWay.size < MOST_AT_ONCE) {
			const sending = this.#waiting.shift();
			if (!sending) return;
			const sent = this.#post(sending)
				.catch((error: unknown) => this.#options.log.error({ err: error }, 'a notification failed'))
				.finally(() => {
					this.#underWay.delete(sent);
					this.#next();
				});
			this.#underWay.add(sent);
		}
	}

	async #post(sending: Sending): Promise<void> {
		const { subscriptions, isOpen, mayNotify, log } = this.#options;
		const { endpointHash, playerId, loginId } = sending.subscription;
		// The browser may have been subscribed for another player since, or have logged out.
		const isStill = subscriptions
			.of(playerId)
			.some((one) => one.endpointHash === endpointHash && one.loginId === loginId);
		if (!isStill) return;
		if (!isOpen(loginId)) return await subscriptions.remove(endpointHash);
		if (!mayNotify(playerId)) return;
		const { status, retryAfterMs } = await this.#answer(sending).catch(() => ({ status: 0, retryAfterMs: 0 }));
		if (status >= 200 && status < 300) return;
		// RFC 8030, 7.3: the subscription is gone. Of 401 and 403 it was made for another key of the server.
		if ([401, 403, 404, 410].includes(status)) return await subscriptions.remove(endpointHash);
		const isAway = status === 0 || status === 429 || status >= 500;
		const pauseMs = this.#pausesMs[sending.failures];
		if (!isAway || pauseMs === undefined) return log.debug({ status }, 'a notification was given up');
		this.#later({ ...sending, failures: sending.failures + 1 }, Math.max(pauseMs, retryAfterMs));
	}

	#later(sending: Sending, pauseMs: number): void {
		if (this.#isStopped) return;
		const timer = setTimeout(() => {
			this.#timers.delete(timer);
			this.#add(sending);
		}, pauseMs).unref();
		this.#timers.add(timer);
	}

	/** @throws Error without an answer in time, and for an address that is refused */
	#answer({ subscription, notice, contact }: Sending): Promise<{ status: number; retryAfterMs: number }> {
		const { isGuarded, key, clock } = this.#options;
		const { endpoint } = subscription;
		if (isGuarded && !isSafeUrl(endpoint)) throw new Error('the address is not safe');
		const body = encryptedFor(subscription, JSON.stringify(notice));
		const { promise, resolve, reject } = Promise.withResolvers<{ status: number; retryAfterMs: number }>();
		const asked = (new URL(endpoint).protocol === 'https:' ? httpsRequest : httpRequest)(endpoint, {
			method: 'POST',
			headers: {
				TTL: String(KEPT_SECONDS),
				Urgency: 'normal',
				'Content-Encoding': 'aes128gcm',
				'Content-Type': 'application/octet-stream',
				'Content-Length': String(body.length),
				Authorization: vapidHeader(key, endpoint, contact, clock()),
			},
			signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
			...(isGuarded ? { lookup: lookupPublic } : {}),
		});
		asked.on('error', reject);
		asked.on('response', (answer) => {
			answer.on('error', () => undefined);
			answer.resume();
			const seconds = Number(answer.headers['retry-after']);
			const longest = (PAUSES_MS.at(-1) ?? 0) / 1000;
			const retryAfterMs = Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0), longest) * 1000 : 0;
			resolve({ status: answer.statusCode ?? 0, retryAfterMs });
		});
		asked.end(body);
		return promise;
	}
}
