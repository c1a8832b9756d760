/**
 * Bodies whose signature does not name the call. A body belongs to the first call that used it, so a copied bet cannot
 * be replayed as its own rollback.
 */
import { createHash } from 'node:crypto';
import type pg from 'pg';
import { GIVEN_UP_MS } from '#server/money/casino/providers/round-terms.ts';
import { DAY_MS, HOUR_MS } from '#values/time.ts';

/** After this time every round of the body has ended. */
const KEPT_MS = GIVEN_UP_MS + DAY_MS;

export class SignedBodies {
	readonly #db: pg.Pool;
	#sweptAtMs = 0;

	constructor(db: pg.Pool) {
		this.#db = db;
	}

	/** Whether this call is the first to use the body, or has used it before. */
	async belongTo(provider: string, call: string, signedBody: string): Promise<boolean> {
		const now = Date.now();
		await this.#sweep(now);
		const digest = createHash('sha256').update(signedBody).digest('hex');
		const { rows } = await this.#db.query<{ call: string }>(
			`with taken as (
				insert into provider_body (provider, digest, call, at) values ($1, $2, $3, $4)
				on conflict do nothing returning call
			)
			select call from taken union all select call from provider_body where provider = $1 and digest = $2`,
			[provider, digest, call, now],
		);
		// Neither statement sees a row that a concurrent request has just written.
		if (rows.length === 0) return await this.belongTo(provider, call, signedBody);
		return rows[0]?.call === call;
	}

	/** No other code deletes them. */
	async #sweep(now: number): Promise<void> {
		if (now - this.#sweptAtMs < HOUR_MS) return;
		this.#sweptAtMs = now;
		await this.#db.query('delete from provider_body where at < $1', [now - KEPT_MS]);
	}
}
