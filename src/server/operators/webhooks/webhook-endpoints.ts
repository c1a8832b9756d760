/** The endpoints of brands, in memory for each batch and in the database, with their secrets encrypted. */
import { randomBytes, randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { WebhookKind } from '#contract/webhook-events.ts';
import type { DataKeys, Sealed } from '#server/platform/keys/data-keys.ts';
import { inTransaction } from '#server/platform/postgres/transaction.ts';
import { Refused } from '#values/error-catalogue.ts';
import { DAY_MS } from '#values/time.ts';

/** Of one brand. */
const MOST_ENDPOINTS = 5;
/** How long a receiver may take to change over to a new secret. */
const OVERLAP_MS = DAY_MS;
const SECRET_BYTES = 32;
/** Prefix of the Standard Webhooks. */
const SECRET_PREFIX = 'whsec_';

export interface WebhookEndpoint {
	endpointId: string;
	/** Host. */
	brand: string;
	url: string;
	kinds: readonly WebhookKind[];
	isPaused: boolean;
	createdAtMs: number;
	/** Failed attempts in a row. */
	failures: number;
	failingSinceMs: number | null;
	/** It is not asked before. */
	nextAtMs: number;
}

interface KeptEndpoint extends WebhookEndpoint {
	secret: Sealed;
	earlier: (Sealed & { untilMs: number }) | null;
}

interface EndpointRow extends WebhookEndpoint {
	keyId: string;
	secret: Buffer;
	earlierKeyId: string | null;
	earlierSecret: Buffer | null;
	earlierUntilMs: number | null;
}

const aboutSecret = (endpointId: string): string => `webhook ${endpointId}`;

interface EndpointsOptions {
	db: pg.Pool;
	keys: DataKeys;
	clock: () => number;
}

export class WebhookEndpoints {
	readonly #options: EndpointsOptions;
	#endpoints = new Map<string, KeptEndpoint>();
	#subscribed = new Set<WebhookKind>();
	/** The last reading that began, and the last one that is in memory. */
	#begun = 0;
	#held = 0;

	constructor(options: EndpointsOptions) {
		this.#options = options;
	}

	/** Reads all endpoints. A process that was replaced may have added one last. */
	async load(): Promise<void> {
		this.#begun += 1;
		const reading = this.#begun;
		const { rows } = await this.#options.db.query<EndpointRow>(
			`select endpoint_id as "endpointId", brand, url, kinds, is_paused as "isPaused", created_at as "createdAtMs",
			   failures, failing_since as "failingSinceMs", next_at as "nextAtMs", key_id as "keyId", secret,
			   earlier_key_id as "earlierKeyId", earlier_secret as "earlierSecret", earlier_until as "earlierUntilMs"
			 from webhook_endpoint order by created_at, endpoint_id`,
		);
		// A reading that began earlier may lack what another act has changed.
		if (reading < this.#held) return;
		this.#held = reading;
		this.#endpoints = new Map(rows.map((row) => [row.endpointId, kept(row)]));
		this.#subscribed = new Set(rows.flatMap(({ kinds }) => kinds));
	}

	/** Whether an endpoint, paused or not, subscribed to the kind. */
	isSubscribed = (kind: WebhookKind): boolean => this.#subscribed.has(kind);

	all(): WebhookEndpoint[] {
		return [...this.#endpoints.values()];
	}

	ofBrand(brand: string): WebhookEndpoint[] {
		return this.all().filter((endpoint) => endpoint.brand === brand);
	}

	/** @throws Refused NOT_FOUND for an endpoint of another brand, too */
	named(brand: string, endpointId: string): WebhookEndpoint {
		const endpoint = this.#endpoints.get(endpointId);
		if (endpoint?.brand !== brand) throw new Refused('NOT_FOUND');
		return endpoint;
	}

	/** The secrets that sign now, the newest first. */
	secretsOf({ endpointId }: WebhookEndpoint): Buffer[] {
		const { keys, clock } = this.#options;
		const { secret, earlier } = this.#endpoints.get(endpointId) ?? {};
		const signing = [secret, earlier && earlier.untilMs > clock() ? earlier : null];
		return signing.flatMap((sealed) => (sealed ? [keys.open(sealed, aboutSecret(endpointId))] : []));
	}

	/** What happens from the answer on is sent to it. @throws Refused TOO_MANY_ENDPOINTS */
	async add({ brand, url, kinds }: Pick<WebhookEndpoint, 'brand' | 'url' | 'kinds'>): Promise<string> {
		this.checkCount(brand);
		const { db, keys, clock } = this.#options;
		const endpointId = randomUUID();
		const { keyId, bytes } = keys.seal(randomBytes(SECRET_BYTES), aboutSecret(endpointId));
		await inTransaction(db, async (client) => {
			// Of two that are added at once, the second one sees the first.
			await client.query('select from brand where host = $1 for update', [brand]);
			// While there was no endpoint, the journal was not read.
			await client.query(
				`update webhook_cursor set journal_seq = (select coalesce(max(seq), 0) from journal)
				 where not exists (select from webhook_endpoint)`,
			);
			const { rowCount } = await client.query(
				`insert into webhook_endpoint (endpoint_id, brand, url, kinds, created_at, key_id, secret)
				 select $1, $2, $3, $4, $5, $6, $7
				 where (select count(*) from webhook_endpoint where brand = $2) < ${MOST_ENDPOINTS}`,
				[endpointId, brand, url, [...new Set(kinds)], clock(), keyId, bytes],
			);
			if (rowCount !== 1) throw new Refused('TOO_MANY_ENDPOINTS');
		});
		await this.load();
		return endpointId;
	}

	/** @throws Refused TOO_MANY_ENDPOINTS */
	checkCount(brand: string): void {
		if (this.ofBrand(brand).length >= MOST_ENDPOINTS) throw new Refused('TOO_MANY_ENDPOINTS');
	}

	/**
	 * @returns the new secret as receivers configure it, and until when the one before signs
	 * @throws Refused NOT_FOUND for one that was removed at the same time
	 */
	async rotate({ endpointId }: WebhookEndpoint): Promise<{ secret: string; earlierUntilMs: number }> {
		const { db, keys, clock } = this.#options;
		const secret = randomBytes(SECRET_BYTES);
		const { keyId, bytes } = keys.seal(secret, aboutSecret(endpointId));
		const earlierUntilMs = clock() + OVERLAP_MS;
		const { rowCount } = await db.query(
			`update webhook_endpoint set earlier_key_id = key_id, earlier_secret = secret, earlier_until = $4,
			   key_id = $2, secret = $3 where endpoint_id = $1`,
			[endpointId, keyId, bytes, earlierUntilMs],
		);
		await this.load();
		if (rowCount !== 1) throw new Refused('NOT_FOUND');
		return { secret: `${SECRET_PREFIX}${secret.toString('base64')}`, earlierUntilMs };
	}

	/** @throws Refused NOT_FOUND for one that was removed at the same time */
	async setPaused({ endpointId }: WebhookEndpoint, isPaused: boolean): Promise<void> {
		const { rowCount } = await this.#options.db.query(
			'update webhook_endpoint set is_paused = $2, next_at = 0 where endpoint_id = $1',
			[endpointId, isPaused],
		);
		await this.load();
		if (rowCount !== 1) throw new Refused('NOT_FOUND');
	}

	async remove({ endpointId }: WebhookEndpoint): Promise<void> {
		await this.#options.db.query('delete from webhook_endpoint where endpoint_id = $1', [endpointId]);
		await this.load();
	}

	/** Notes how attempts went; a restart goes on from there. */
	async note(
		{ endpointId }: WebhookEndpoint,
		now: Pick<WebhookEndpoint, 'failures' | 'failingSinceMs' | 'nextAtMs'>,
	): Promise<void> {
		await this.#options.db.query(
			'update webhook_endpoint set failures = $2, failing_since = $3, next_at = $4 where endpoint_id = $1',
			[endpointId, now.failures, now.failingSinceMs, now.nextAtMs],
		);
		const endpoint = this.#endpoints.get(endpointId);
		if (endpoint) Object.assign(endpoint, now);
	}

	/** Seals secrets of an older data key with the current one, so that the older key can be removed. */
	async sealAnew(): Promise<void> {
		const { db, keys } = this.#options;
		for (const { endpointId, secret, earlier } of this.#endpoints.values()) {
			const about = aboutSecret(endpointId);
			const anew = keys.sealedAnew(secret, about);
			const earlierAnew = earlier && keys.sealedAnew(earlier, about);
			if (anew)
				await db.query('update webhook_endpoint set key_id = $2, secret = $3 where endpoint_id = $1 and secret = $4', [
					endpointId,
					anew.keyId,
					anew.bytes,
					secret.bytes,
				]);
			if (earlierAnew)
				await db.query(
					`update webhook_endpoint set earlier_key_id = $2, earlier_secret = $3
					 where endpoint_id = $1 and earlier_secret = $4`,
					[endpointId, earlierAnew.keyId, earlierAnew.bytes, earlier.bytes],
				);
		}
		await this.load();
	}
}

function kept({ keyId, secret, earlierKeyId, earlierSecret, earlierUntilMs, ...endpoint }: EndpointRow): KeptEndpoint {
	const hasEarlier = earlierKeyId !== null && earlierSecret !== null && earlierUntilMs !== null;
	return {
		...endpoint,
		secret: { keyId, bytes: secret },
		earlier: hasEarlier ? { keyId: earlierKeyId, bytes: earlierSecret, untilMs: earlierUntilMs } : null,
	};
}
