/**
 * The players' accounts, a row each, see src/kernel/wallets.ts. Row numbers are valid for ever; ids are for the
 * outside.
 */
import { BLOCK_WIDE, BLOCK_WORDS, type Kernel } from '#engine/kernel.ts';
import { WALLET_LIMITS_ROW, WALLET_ROW, WALLETS } from '#engine/kernel-layout.ts';
import { NONE, ROW_KIND } from '#engine/rows.ts';
import type { Hasher } from '#engine/state-hash.ts';
import type { WalletId } from '#values/ids.ts';
import type { AnyMinor } from '#values/money.ts';
import { POOLS, type Pool, poolCode } from '#values/pools.ts';

const WIDE = BLOCK_WIDE;
const WORDS = BLOCK_WORDS;
const { id: ID, pool: POOL, flags: FLAGS, commissionBp: COMMISSION, limits: LIMITS, version: VERSION } = WALLET_ROW;
const {
	maxStake: MAX_STAKE,
	maxProfit: MAX_PROFIT,
	maxExposure: MAX_EXPOSURE,
	setAside: SET_ASIDE,
} = WALLET_LIMITS_ROW;
const { DIRTY: DIRTY_FLAG, QUOTES: QUOTES_FLAG, LAPSES_RESTING, LAPSES_TAKING, SHORT } = WALLETS;
/** The field of a row for each of a player's accounts. */
const { cash, exposure, hold, bonus } = WALLET_ROW;
const ACCOUNTS = { cash, exposure, hold, bonus } as const;
export type PlayerAccount = keyof typeof ACCOUNTS;
const NO_RATE = -1;

/** A player's own limits in minor units, 0 for none: of one bet's stake and profit, and of the player's whole exposure. */
export interface PlayerLimits {
	maxStake: AnyMinor;
	maxProfit: AnyMinor;
	maxExposure: AnyMinor;
}

/** What a player chose for a bet that would be matched with one of their own: it is refused, or one of the two lapses. */
export const SELF_MATCH_CHOICES = ['REFUSE', 'LAPSE_RESTING', 'LAPSE_TAKING'] as const;
export type SelfMatchChoice = (typeof SELF_MATCH_CHOICES)[number];
const CHOICE_FLAGS: Record<SelfMatchChoice, number> = {
	REFUSE: 0,
	LAPSE_RESTING: LAPSES_RESTING,
	LAPSE_TAKING: LAPSES_TAKING,
};

export const isPlayerAccount = (kind: string): kind is PlayerAccount => kind in ACCOUNTS;

export class WalletTable {
	readonly #kernel: Kernel;
	/** All rows, in the order the wallets were opened. */
	readonly rows: number[] = [];

	constructor(kernel: Kernel) {
		this.#kernel = kernel;
	}

	/** Row of a wallet, or NONE. */
	find(walletId: WalletId): number {
		return this.#kernel.call.findId(ROW_KIND.WALLET, walletId);
	}

	/** Adds an empty wallet; the id must be new. */
	add(walletId: WalletId, pool: Pool, commissionBp: number | null): number {
		if (poolCode(pool) < 0) throw new Error(`no such pool: ${pool}`);
		const row = this.#kernel.call.addWallet(walletId, poolCode(pool), commissionBp ?? NO_RATE);
		this.rows.push(row);
		this.#kernel.call.setId(ROW_KIND.WALLET, walletId, row);
		return row;
	}

	id(row: number): WalletId {
		return this.#kernel.wide[row * WIDE + ID] as number;
	}
	pool(row: number): Pool {
		return POOLS[this.poolCode(row)] as Pool;
	}
	poolCode(row: number): number {
		return this.#kernel.words[row * WORDS + POOL] as number;
	}
	/** The player's own rate in basis points; null where the market's applies. */
	commissionBp(row: number): number | null {
		const rate = this.#kernel.words[row * WORDS + COMMISSION] as number;
		return rate === NO_RATE ? null : rate;
	}
	/** A market maker's wallet: its bets are quotes, see src/kernel/holds.ts. */
	isQuoting(row: number): boolean {
		return ((this.#kernel.words[row * WORDS + FLAGS] as number) & QUOTES_FLAG) !== 0;
	}
	/** Makes the wallet quote from now on; none of its bets may be unmatched. */
	setQuoting(row: number): void {
		this.#kernel.call.setQuoting(row);
	}
	selfMatch(row: number): SelfMatchChoice {
		const flags = this.#kernel.words[row * WORDS + FLAGS] as number;
		if ((flags & LAPSES_RESTING) !== 0) return 'LAPSE_RESTING';
		return (flags & LAPSES_TAKING) === 0 ? 'REFUSE' : 'LAPSE_TAKING';
	}
	setSelfMatch(row: number, choice: SelfMatchChoice): void {
		this.#kernel.call.setSelfMatch(row, CHOICE_FLAGS[choice]);
	}
	/** Whether the kernel has to ask what its positions lack; no part of the digest, see short-positions.ts. */
	setShort(row: number, isShort: boolean): void {
		const { words } = this.#kernel;
		const flags = words[row * WORDS + FLAGS] as number;
		words[row * WORDS + FLAGS] = isShort ? flags | SHORT : flags & ~SHORT;
	}
	/** Null for most wallets: only the market's limits apply. */
	limits(row: number): PlayerLimits | null {
		const { wide } = this.#kernel;
		const at = this.#limitsAt(row);
		if (at === NONE) return null;
		const maxStake = wide[at + MAX_STAKE] as number;
		const maxProfit = wide[at + MAX_PROFIT] as number;
		const maxExposure = wide[at + MAX_EXPOSURE] as number;
		return maxStake + maxProfit + maxExposure === 0 ? null : { maxStake, maxProfit, maxExposure };
	}
	setLimits(row: number, { maxStake, maxProfit, maxExposure }: PlayerLimits): void {
		this.#kernel.call.setLimits(row, maxStake, maxProfit, maxExposure);
	}
	/** Minor units set aside for all quotes of a wallet. */
	setAside(row: number): AnyMinor {
		const at = this.#limitsAt(row);
		return at === NONE ? 0 : (this.#kernel.wide[at + SET_ASIDE] as number);
	}
	#limitsAt(row: number): number {
		return (this.#kernel.words[row * WORDS + LIMITS] as number) * WIDE;
	}
	/** Rises with every posting. */
	version(row: number): number {
		return this.#kernel.wide[row * WIDE + VERSION] as number;
	}
	setVersion(row: number, version: number): void {
		this.#kernel.wide[row * WIDE + VERSION] = version;
		this.touch(row);
	}
	cash(row: number): AnyMinor {
		return this.#kernel.wide[row * WIDE + ACCOUNTS.cash] as number;
	}
	exposure(row: number): AnyMinor {
		return this.#kernel.wide[row * WIDE + ACCOUNTS.exposure] as number;
	}
	balance(row: number, account: PlayerAccount): AnyMinor {
		return this.#kernel.wide[row * WIDE + ACCOUNTS[account]] as number;
	}

	/** Adds an amount to an account, which may be below zero; returns the new balance. */
	deposit(row: number, account: PlayerAccount, amount: AnyMinor): AnyMinor {
		const at = row * WIDE + ACCOUNTS[account];
		const balance = (this.#kernel.wide[at] as number) + amount;
		this.#kernel.wide[at] = balance;
		this.touch(row);
		return balance;
	}

	touch(row: number): void {
		this.#kernel.call.markWalletDirty(row);
	}

	/** Mixes the wallet into the digest, which clears the dirty flag. */
	describe(row: number, hasher: Hasher): boolean {
		const flags = this.#kernel.words[row * WORDS + FLAGS] as number;
		this.#kernel.words[row * WORDS + FLAGS] = flags & ~DIRTY_FLAG;
		hasher.start(1);
		hasher.add(this.id(row));
		hasher.add(this.poolCode(row));
		hasher.add(this.#kernel.words[row * WORDS + COMMISSION] as number);
		for (const account of Object.values(ACCOUNTS)) hasher.add(this.#kernel.wide[row * WIDE + account] as number);
		hasher.add(this.version(row));
		const limits = this.limits(row);
		if (limits) for (const limit of [limits.maxStake, limits.maxProfit, limits.maxExposure]) hasher.add(limit);
		if (this.isQuoting(row)) hasher.addText('quotes');
		if (this.selfMatch(row) !== 'REFUSE') hasher.addText(this.selfMatch(row));
		return true;
	}
}
