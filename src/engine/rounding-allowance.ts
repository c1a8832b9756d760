/**
 * What roundings may still cost in a settlement under way, in coins of each pool: one for each wallet that was settled, whose
 * net is rounded to whole coins, less what the rounding account lent. No currency covers another's.
 */
import { SparseMap } from '#engine/sparse-map.ts';
import type { AnyMinor } from '#values/money.ts';
import { POOLS, type Pool, poolCode, stepOf } from '#values/pools.ts';

/** Coins of a pool. Those without one may be used by any: the rows of earlier releases have one count for all pools. */
export interface RoundingLeft {
	pool: Pool | null;
	coins: number;
}

/** Of most markets, which are not being settled. */
const NOTHING: readonly never[] = [];

const coinsOf = (pool: Pool, amount: AnyMinor): number => Math.ceil(amount / stepOf(pool));

export class RoundingAllowance {
	/** Coins by pool code. */
	readonly #ofPool = new SparseMap<number>();
	/** Coins that any pool may use. */
	#ofAny = 0;

	/** Whether a wallet can be settled that the pot lacks this for. */
	covers(pool: Pool, lacking: AnyMinor): boolean {
		return coinsOf(pool, lacking) <= this.#coins(pool) + this.#ofAny + 1;
	}

	/** A wallet is settled. @param lent what the rounding account lent for it; covered */
	settle(pool: Pool, lent: AnyMinor): void {
		const coins = this.#coins(pool) + 1 - coinsOf(pool, lent);
		this.#ofAny += Math.min(0, coins);
		this.#ofPool.set(poolCode(pool), Math.max(0, coins));
	}

	/** Whether roundings explain what pots are left with. */
	explains(rests: readonly (readonly [Pool, AnyMinor])[]): boolean {
		const beyond = rests.map(([pool, rest]) => Math.max(0, coinsOf(pool, rest) - this.#coins(pool)));
		return beyond.reduce((sum, coins) => sum + coins, 0) <= this.#ofAny;
	}

	clear(): void {
		for (const { code } of this.#counts()) this.#ofPool.delete(code);
		this.#ofAny = 0;
	}

	/** Of all pools. The digest has this sum, which earlier releases counted: a standby of this one follows them. */
	get coins(): number {
		return this.#counts().reduce((sum, { coins }) => sum + coins, this.#ofAny);
	}

	/** As the market's row keeps it. */
	get left(): readonly RoundingLeft[] {
		if (this.coins === 0) return NOTHING;
		const counts = this.#counts().map(({ code, coins }) => ({ pool: POOLS[code] as Pool, coins }));
		return this.#ofAny > 0 ? [{ pool: null, coins: this.#ofAny }, ...counts] : counts;
	}
	set left(left: readonly RoundingLeft[]) {
		this.clear();
		for (const { pool, coins } of left) {
			if (pool === null) this.#ofAny = coins;
			else this.#ofPool.set(poolCode(pool), coins);
		}
	}

	#coins(pool: Pool): number {
		return this.#ofPool.get(poolCode(pool)) ?? 0;
	}

	#counts(): readonly { code: number; coins: number }[] {
		if (this.#ofPool.size === 0) return NOTHING;
		return [...this.#ofPool].filter(([, coins]) => coins > 0).map(([code, coins]) => ({ code, coins }));
	}
}
