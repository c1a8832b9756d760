/**
 * The casino's result in each pool, as the ledger has it. The largest loss that the house risks in one round follows
 * from it.
 */
import type pg from 'pg';
import type { Committed } from '#server/exchange/committed.ts';
import { limitIn } from '#values/currencies.ts';
import { LEAST_ROUND_LOSS_MINOR, ROUND_LOSS_SHARE } from '#values/house-limits.ts';
import { currencyOf, type Pool } from '#values/pools.ts';

export class Bankroll {
	readonly #balances = new Map<Pool, number>();

	/** Opened before the first bet is taken; then updated by committed batches. */
	static async open(db: Pick<pg.Pool, 'query'>): Promise<Bankroll> {
		const bankroll = new Bankroll();
		const { rows } = await db.query<{ pool: Pool; balance: number }>(
			`select pool, balance from house_account where kind = 'casino'`,
		);
		for (const { pool, balance } of rows) bankroll.#balances.set(pool, balance);
		return bankroll;
	}

	onCommitted({ postings }: Pick<Committed, 'postings'>): void {
		for (const { debit, credit, pool, amount } of postings) {
			if (credit === 'casino') this.#add(pool, amount);
			if (debit === 'casino') this.#add(pool, -amount);
		}
	}

	/** The largest loss that the house risks in a round, in minor units. */
	mostLoss(pool: Pool): number {
		const least = limitIn(currencyOf(pool), LEAST_ROUND_LOSS_MINOR);
		return Math.max(least, Math.floor((this.#balances.get(pool) ?? 0) * ROUND_LOSS_SHARE));
	}

	#add(pool: Pool, amount: number): void {
		this.#balances.set(pool, (this.#balances.get(pool) ?? 0) + amount);
	}
}
