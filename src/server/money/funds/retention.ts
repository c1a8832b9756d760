/**
 * Retention of personal data in funds: receipts, identity documents and bank details are erased after the configured
 * time, unused pictures after a day, applied webhooks after a month. Data sealed with an older key is sealed again with
 * the current one, so that the older key can be removed.
 */
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Documents } from '#server/money/funds/identity/documents.ts';
import type { Images } from '#server/money/funds/receipts/images.ts';
import type { PayoutDetails } from '#server/money/funds/withdrawals/payout-details.ts';
import { DAY_MS } from '#values/time.ts';

const EVERY_MS = 3_600_000;
const WEBHOOKS_MS = 30 * DAY_MS;

interface RetentionOptions {
	db: pg.Pool;
	log: Logger;
	clock: () => number;
	documents: Documents;
	images: Images;
	payoutDetails: PayoutDetails;
	/** How long the law requires the evidence of a payment's decision to be kept. */
	retentionDays: number;
}

export class Retention {
	readonly #options: RetentionOptions;
	#timer: NodeJS.Timeout | null = null;
	#running: Promise<void> = Promise.resolve();

	constructor(options: RetentionOptions) {
		this.#options = options;
	}

	start(): void {
		const again = () => {
			this.#running = this.run().catch((error: unknown) => {
				this.#options.log.warn({ err: error }, 'personal data could not be erased; it is tried again in an hour');
			});
		};
		again();
		this.#timer = setInterval(again, EVERY_MS).unref();
	}

	async stop(): Promise<void> {
		if (this.#timer) clearInterval(this.#timer);
		await this.#running;
	}

	async run(): Promise<void> {
		const { db, clock, documents, images, payoutDetails, retentionDays } = this.#options;
		const beforeMs = clock() - retentionDays * DAY_MS;
		await documents.prune(beforeMs);
		await images.prune(beforeMs);
		await payoutDetails.prune(beforeMs);
		await db.query(`delete from payment_webhook where state = 'DONE' and received_at < $1`, [clock() - WEBHOOKS_MS]);
		await documents.sealAnew();
		await payoutDetails.sealAnew();
		await images.sealAnew();
	}
}
