/**
 * Payments on a provider's word alone: promotions, corrections, and wins of bets without a stake. There is a cap for
 * one payment, for a player's payments of a day, and for the provider's payments of a day in one pool. Operators are
 * alerted when a cap is reached. Caps are configured in the home currency, and scaled for others as limits are.
 *
 * A prize is counted in the row of its transaction before the money moves, so a crash in between counts too much and
 * never too little.
 */
import type pg from 'pg';
import type { PrizeCaps } from '#server/money/casino/providers/provider.ts';
import type { FundsLedger } from '#server/money/funds/funds-ledger.ts';
import { Turns } from '#server/platform/pacing/turns.ts';
import { limitIn } from '#values/currencies.ts';
import type { AnyMinor } from '#values/money.ts';
import { currencyOf, HOME_POOLS, type Pool } from '#values/pools.ts';
import { DAY_MS } from '#values/time.ts';

interface ProviderPrizesOptions {
	db: pg.Pool;
	/** Where operators find open findings. */
	ledger: Pick<FundsLedger, 'report'>;
	/** By provider. */
	caps: ReadonlyMap<string, PrizeCaps>;
}

/** A transaction that would move money on the provider's word, and the player. */
interface Prize {
	provider: string;
	txId: string;
	walletId: number;
	pool: Pool;
	/** Minor units, in either direction. */
	amount: AnyMinor;
}

type Reached = 'prize' | 'player-day' | 'provider-day' | 'round';

export class ProviderPrizes {
	readonly #options: ProviderPrizesOptions;
	readonly #turns = new Turns();

	constructor(options: ProviderPrizesOptions) {
		this.#options = options;
	}

	/** Counts a prize. @returns false if a cap is reached: nothing is counted, and operators are alerted */
	async take(prize: Prize): Promise<boolean> {
		if (prize.amount === 0) return true;
		const reached = await this.#turns.take(prize.provider, () => this.#count(prize));
		if (reached) await this.alarm(prize, reached);
		return reached === null;
	}

	/** Alerts operators, once a day for each cap and each player or provider. */
	async alarm({ provider, txId, walletId, pool, amount }: Prize, reached: Reached): Promise<void> {
		const day = new Date().toISOString().slice(0, 10);
		const house = HOME_POOLS.includes(pool) ? '' : `:${pool}`;
		const whom = reached === 'provider-day' ? house : `:${walletId}`;
		const data = { provider, day, cap: reached, transaction: txId, amount };
		await this.#options.ledger.report(`game-cap:${provider}:${reached}:${day}${whom}`, { walletId, pool }, data);
	}

	async #count({ provider, txId, walletId, pool, amount }: Prize): Promise<Reached | null> {
		const { db, caps } = this.#options;
		const day = Math.floor(Date.now() / DAY_MS);
		const { rows } = await db.query<{ isCounted: boolean; ofProvider: number; ofPlayer: number }>(
			`select coalesce(bool_or(tx_id = $2), false) as "isCounted",
				coalesce(sum(prize) filter (where pool = $5), 0)::float8 as "ofProvider",
				coalesce(sum(prize) filter (where wallet_id = $3), 0)::float8 as "ofPlayer"
			from provider_transaction left join wallet using (wallet_id)
			where provider = $1 and (prize_day = $4 or prize_day is not null and tx_id = $2)`,
			[provider, txId, walletId, day, pool],
		);
		const { isCounted, ofProvider, ofPlayer } = rows[0] as (typeof rows)[number];
		// An earlier attempt has counted it, and may have moved the money.
		if (isCounted) return null;
		const { prize, playerDay, providerDay } = caps.get(provider) as PrizeCaps;
		const currency = currencyOf(pool);
		if (amount > limitIn(currency, prize)) return 'prize';
		if (ofPlayer + amount > limitIn(currency, playerDay)) return 'player-day';
		if (ofProvider + amount > limitIn(currency, providerDay)) return 'provider-day';
		await db.query(
			'update provider_transaction set prize = $3, prize_day = $4, wallet_id = $5 where provider = $1 and tx_id = $2',
			[provider, txId, amount, day, walletId],
		);
		return null;
	}
}
