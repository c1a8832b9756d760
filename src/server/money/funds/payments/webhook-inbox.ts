/**
 * The provider's webhooks. A webhook with a valid signature is stored raw before it is applied, once for each event,
 * and is retried for a day if it fails. One without a valid signature is counted and dropped, so a flood of them takes
 * no disk.
 */
import { hash } from 'node:crypto';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { PaymentProvider, ProviderNews } from '#server/money/funds/payments/provider.ts';
import { recentlyUsed } from '#server/platform/memory/recently-used.ts';
import { hasTooManyValues } from '#server/platform/outside/value-count.ts';
import { BackOff, isLogged } from '#server/platform/pacing/back-off.ts';
import { isDatabaseFault } from '#server/platform/postgres/database-fault.ts';
import { Refused } from '#values/error-catalogue.ts';
import { DAY_MS } from '#values/time.ts';

const TRIED_FOR_MS = DAY_MS;
/** A clock that jumps ahead does not end the retries before this number of attempts. */
const LEAST_TRIES = 20;
const RETRY_TICK_MS = 1_000;
const RETRY_LIMITS = { firstMs: 1_000, longestMs: 15 * 60_000 };
const MOST_A_STEP = 100;
/** Recent bodies: a repetition is neither parsed nor looked up. */
const MOST_REMEMBERED = 10_000;
/** One shared refusal, because a flood of forged webhooks would cost a stack trace each. */
export const FORGED = new Refused('FORBIDDEN');

interface WebhookInboxOptions {
	db: pg.Pool;
	log: Logger;
	clock: () => number;
	provider: Pick<PaymentProvider, 'name' | 'isGenuine' | 'readWebhook'>;
	hear: (news: ProviderNews) => Promise<void>;
	/** Reports a webhook that could not be applied within a day. */
	giveUp: (eventId: string, news: ProviderNews) => Promise<void>;
}

interface Judged {
	eventId: string;
	news: ProviderNews;
	/** Before this attempt. */
	tries: number;
	receivedAt: number;
}

export class WebhookInbox {
	readonly #options: WebhookInboxOptions;
	/** Digests of stored bodies. */
	readonly #recent = recentlyUsed<string, true>(MOST_REMEMBERED);
	readonly #working = new Set<Promise<void>>();
	#forged = 0;
	#timer: NodeJS.Timeout | null = null;

	constructor(options: WebhookInboxOptions) {
		this.#options = options;
	}

	/**
	 * Resolves when the webhook is stored.
	 * @throws Refused FORBIDDEN for a wrong signature, VALIDATION_FAILED, BODY_TOO_LARGE, STARTING while the database is away
	 */
	async receive(body: Buffer, headers: Readonly<Record<string, unknown>>): Promise<void> {
		const { provider, clock, db } = this.#options;
		if (!provider.isGenuine(body, headers)) {
			this.#countForged();
			throw FORGED;
		}
		const digest = hash('sha256', body, 'base64url');
		if (this.#recent.has(digest)) return;
		const { eventId, news } = readOrRefuse(provider, body);
		const stored = db.query({
			name: 'store-webhook',
			text: `insert into payment_webhook (provider, event_id, received_at, body, state, tries, next_at)
			 values ($1, $2, $3, $4, 'NEW', 0, $3) on conflict do nothing`,
			values: [provider.name, eventId, clock(), body],
		});
		// The provider sends it again, and an event that was stored after all is not stored twice.
		const { rowCount } = await stored.catch((error: unknown) => {
			throw isDatabaseFault(error) ? new Refused('STARTING') : error;
		});
		this.#recent.set(digest, true);
		if (rowCount === 1) this.#work(this.#judge({ eventId, news, tries: 0, receivedAt: clock() }));
	}

	start(): void {
		this.#timer = setInterval(() => this.#work(this.#retry()), RETRY_TICK_MS).unref();
	}

	async stop(): Promise<void> {
		if (this.#timer) clearInterval(this.#timer);
		await Promise.all(this.#working);
	}

	#work(work: Promise<void>): void {
		const done = work
			.catch((error: unknown) => this.#options.log.warn({ err: error }, 'a webhook waits'))
			.finally(() => this.#working.delete(done));
		this.#working.add(done);
	}

	/**
	 * Failed webhooks, and those that a crash left. A webhook due later than the longest pause was stored before the
	 * clock was set back.
	 */
	async #retry(): Promise<void> {
		const { db, provider, clock } = this.#options;
		const { rows } = await db.query<{ eventId: string; body: Buffer; tries: number; receivedAt: number }>({
			name: 'due-webhooks',
			text: `update payment_webhook set next_at = $2 where (provider, event_id) in (
			   select provider, event_id from payment_webhook
			   where provider = $1 and state = 'NEW' and (next_at <= $3 or next_at > $2) order by next_at limit ${MOST_A_STEP}
			 ) returning event_id as "eventId", body, tries, received_at as "receivedAt"`,
			values: [provider.name, clock() + RETRY_LIMITS.longestMs, clock() - RETRY_LIMITS.firstMs],
		});
		for (const { body, ...stored } of rows) await this.#judge({ ...stored, news: provider.readWebhook(body).news });
	}

	async #judge({ eventId, news, tries, receivedAt }: Judged): Promise<void> {
		const { db, provider, hear, giveUp, clock, log } = this.#options;
		try {
			await hear(news);
			await db.query({
				name: 'webhook-done',
				text: `update payment_webhook set state = 'DONE' where provider = $1 and event_id = $2`,
				values: [provider.name, eventId],
			});
		} catch (error) {
			if (isLogged(tries + 1)) log.warn({ err: error, eventId, tries }, 'a webhook could not be applied yet');
			const back = new BackOff({ ...RETRY_LIMITS, firstMs: RETRY_LIMITS.firstMs * 2 ** Math.min(tries, 10) });
			const isTooLate = receivedAt < clock() - TRIED_FOR_MS && tries >= LEAST_TRIES;
			if (isTooLate) await giveUp(eventId, news);
			await db.query(
				`update payment_webhook set tries = tries + 1, next_at = $3, state = $4 where provider = $1 and event_id = $2`,
				[provider.name, eventId, Math.round(clock() + back.failed()), isTooLate ? 'DEAD' : 'NEW'],
			);
		}
	}

	#countForged(): void {
		this.#forged++;
		if (isLogged(this.#forged)) this.#options.log.warn({ count: this.#forged }, 'webhooks with wrong signatures');
	}
}

function readOrRefuse(
	provider: WebhookInboxOptions['provider'],
	body: Buffer,
): { eventId: string; news: ProviderNews } {
	if (hasTooManyValues(body.toString('utf8'))) throw new Refused('BODY_TOO_LARGE');
	try {
		return provider.readWebhook(body);
	} catch {
		throw new Refused('VALIDATION_FAILED');
	}
}
