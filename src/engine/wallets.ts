/**
 * The players' accounts, a row of numbers each: 64 bytes, one line of the processor's cache. Row numbers are good for
 * ever; ids are for the outside.
 */
import { IdIndex } from '#engine/id-index.ts';
import { RowDigest, widened } from '#engine/rows.ts';
import { SparseMap } from '#engine/sparse-map.ts';
import type { Hasher } from '#engine/state-hash.ts';
import { POOLS, type Pool, poolCode } from '#values/pools.ts';

const FIRST_CAPACITY = 256;
const WIDE = 8;
const ID = 0;
/** Counted in four bytes, of which a row has twice as many. */
const POOL = 2;
const COMMISSION = 2;
const VERSION = 3;
/** Where a row keeps each of a player's accounts. */
const ACCOUNTS = { cash: 4, exposure: 5, hold: 6, bonus: 7 } as const;
export type PlayerAccount = keyof typeof ACCOUNTS;
const NO_RATE = -1;

/** A player's own limits in paise, 0 for none: of one bet's stake and profit, and of all his exposure together. */
export interface PlayerLimits {
	maxStake: number;
	maxProfit: number;
	maxExposure: number;
}

export const isPlayerAccount = (kind: string): kind is PlayerAccount => kind in ACCOUNTS;

export class WalletTable {
	#wide = new Float64Array(FIRST_CAPACITY * WIDE);
	/** The same memory, read as four bytes. */
	#words = new Int32Array(this.#wide.buffer);
	/** Rows are 0 … count − 1, in the order the wallets were opened. */
	count = 0;
	readonly #index = new IdIndex();
	readonly #limits = new SparseMap<PlayerLimits>();
	readonly #digest: RowDigest;

	constructor(keepDigest: boolean) {
		this.#digest = new RowDigest(keepDigest);
		this.#digest.resize(FIRST_CAPACITY);
	}

	/** Row of a wallet, or NONE. */
	find(walletId: number): number {
		return this.#index.find(walletId);
	}

	/** A wallet that is not there yet, with nothing in it. */
	add(walletId: number, pool: Pool, commissionBp: number | null): number {
		const row = this.count++;
		if (this.count * WIDE > this.#wide.length) {
			this.#wide = widened(this.#wide, this.#wide.length * 2);
			this.#words = new Int32Array(this.#wide.buffer);
			this.#digest.resize(this.#wide.length / WIDE);
		}
		this.#wide[row * WIDE + ID] = walletId;
		this.#words[row * WIDE * 2 + POOL] = poolCode(pool);
		this.#wide[row * WIDE + COMMISSION] = commissionBp ?? NO_RATE;
		this.#index.set(walletId, row);
		this.#digest.touch(row);
		return row;
	}

	id(row: number): number {
		return this.#wide[row * WIDE + ID] as number;
	}
	pool(row: number): Pool {
		return POOLS[this.poolCode(row)] as Pool;
	}
	poolCode(row: number): number {
		return this.#words[row * WIDE * 2 + POOL] as number;
	}
	/** The player's own rate in basis points; null where the market's counts. */
	commissionBp(row: number): number | null {
		const rate = this.#wide[row * WIDE + COMMISSION] as number;
		return rate === NO_RATE ? null : rate;
	}
	/** Null for most: only the market's count. */
	limits(row: number): PlayerLimits | null {
		return this.#limits.get(row) ?? null;
	}
	setLimits(row: number, limits: PlayerLimits | null): void {
		if (limits) this.#limits.set(row, limits);
		else this.#limits.delete(row);
		this.#digest.touch(row);
	}
	/** Rises with every posting. */
	version(row: number): number {
		return this.#wide[row * WIDE + VERSION] as number;
	}
	setVersion(row: number, version: number): void {
		this.#wide[row * WIDE + VERSION] = version;
		this.#digest.touch(row);
	}
	cash(row: number): number {
		return this.#wide[row * WIDE + ACCOUNTS.cash] as number;
	}
	exposure(row: number): number {
		return this.#wide[row * WIDE + ACCOUNTS.exposure] as number;
	}
	balance(row: number, account: PlayerAccount): number {
		return this.#wide[row * WIDE + ACCOUNTS[account]] as number;
	}

	/** Adds to an account, or with an amount below zero takes from it; returns what is then there. */
	deposit(row: number, account: PlayerAccount, amount: number): number {
		const at = row * WIDE + ACCOUNTS[account];
		const balance = (this.#wide[at] as number) + amount;
		this.#wide[at] = balance;
		this.#digest.touch(row);
		return balance;
	}

	/** Moves cash into exposure, or with an amount below zero out of it; counts as one posting. False when one would be below zero. */
	reserve(row: number, amount: number): boolean {
		const wide = this.#wide;
		const at = row * WIDE;
		const cash = (wide[at + ACCOUNTS.cash] as number) - amount;
		const exposure = (wide[at + ACCOUNTS.exposure] as number) + amount;
		// Cash that a removed runner left below zero may still grow.
		if ((amount > 0 && cash < 0) || exposure < 0) return false;
		wide[at + ACCOUNTS.cash] = cash;
		wide[at + ACCOUNTS.exposure] = exposure;
		wide[at + VERSION] = (wide[at + VERSION] as number) + 1;
		this.#digest.touch(row);
		return true;
	}

	lanes(hasher: Hasher) {
		return this.#digest.lanes(hasher, (row) => {
			hasher.start(1);
			hasher.add(this.id(row));
			hasher.add(this.poolCode(row));
			hasher.add(this.#wide[row * WIDE + COMMISSION] as number);
			for (const account of Object.values(ACCOUNTS)) hasher.add(this.#wide[row * WIDE + account] as number);
			hasher.add(this.version(row));
			const limits = this.#limits.get(row);
			if (limits) for (const limit of [limits.maxStake, limits.maxProfit, limits.maxExposure]) hasher.add(limit);
			return true;
		});
	}
}
