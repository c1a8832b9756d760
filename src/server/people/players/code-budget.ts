/**
 * The number of one-time codes resent for an account per hour: from all addresses together and across restarts, because
 * each code costs a text message and can be guessed. A code stays valid after the budget is used up.
 */
import type pg from 'pg';
import { throttled } from '#server/people/players/rate-limit.ts';
import { HOUR_MS } from '#values/time.ts';

const MOST_CODES = 5;

export class CodeBudget {
	readonly #db: pg.Pool;
	readonly #clock: () => number;
	#sweptAtMs = Number.NEGATIVE_INFINITY;

	constructor(db: pg.Pool, clock: () => number) {
		this.#db = db;
		this.#clock = clock;
	}

	/**
	 * Counts a code.
	 * @param account brand, folded name and mobile, whether or not there is such a registration; a player; or a purpose with
	 *   brand, folded name and network
	 * @throws Refused THROTTLED, with the seconds until the oldest of them is forgotten
	 */
	async take(account: string): Promise<void> {
		const now = this.#clock();
		await this.#sweep(now);
		// The row is locked while it is counted, so that simultaneous requests are all counted.
		const { rowCount } = await this.#db.query(
			`insert into code_budget as known (account, sent_at) values ($1, array[$2::bigint])
			on conflict (account) do update
			set sent_at = array(select at from unnest(known.sent_at) at where at > $3 order by at) || $2::bigint
			where (select count(*) from unnest(known.sent_at) at where at > $3) < $4`,
			[account, now, now - HOUR_MS, MOST_CODES],
		);
		if (rowCount === 1) return;
		const { rows } = await this.#db.query<{ oldest: number }>(
			`select min(at)::float8 as oldest from code_budget, unnest(sent_at) at where account = $1 and at > $2`,
			[account, now - HOUR_MS],
		);
		throw throttled((rows[0]?.oldest ?? now) + HOUR_MS - now);
	}

	/** Deletes expired counts once an hour. */
	async #sweep(now: number): Promise<void> {
		if (now - this.#sweptAtMs < HOUR_MS) return;
		this.#sweptAtMs = now;
		await this.#db.query('delete from code_budget where sent_at[cardinality(sent_at)] < $1', [now - HOUR_MS]);
	}
}
