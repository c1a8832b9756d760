/**
 * Bodies whose signature does not say which call it is for. A body belongs to the first call that took it, so that a bet
 * which was copied on its way is no rollback of itself.
 */
import { createHash } from 'node:crypto';
import type pg from 'pg';
import { GIVEN_UP_MS } from '#server/money/casino/providers/round-terms.ts';
import { DAY_MS, HOUR_MS } from '#values/time.ts';

/** By then every round of the body has ended. */
const KEPT_MS = GIVEN_UP_MS + DAY_MS;

export class SignedBodies {
	readonly #db: pg.Pool;
	#sweptAtMs = 0;

	constructor(db: pg.Pool) {
		this.#db = db;
	}

	/** Whether the call is the first that took the body, or took it before. */
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
		// Neither sees a row that another request has just written.
		if (rows.length === 0) return await this.belongTo(provider, call, signedBody);
		return rows[0]?.call === call;
	}

	/** Nothing else forgets them. */
	async #sweep(now: number): Promise<void> {
		if (now - this.#sweptAtMs < HOUR_MS) return;
		this.#sweptAtMs = now;
		await this.#db.query('delete from provider_body where at < $1', [now - KEPT_MS]);
	}
}
