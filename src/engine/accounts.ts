/**
 * The engine: the exchange as a deterministic state machine. `engine.ts` declares what it answers, `create-engine.ts`
 * puts it together, and each command has a file of its own.
 *
 * This file holds the accounts. Money only moves from one account to another of the same pool, so every pool always
 * sums to zero; the mint, where play money comes from, goes below zero for that.
 */
import type { AccountKind, Effects, Posting, PostingKind } from '#engine/effect.ts';
import { assertRule, type Kernel } from '#engine/kernel.ts';
import { NONE } from '#engine/rows.ts';
import { Hashed, type Hasher, type StateDigest } from '#engine/state-hash.ts';
import { isPlayerAccount, type PlayerAccount, WalletTable } from '#engine/wallets.ts';
import type { MarketId, WalletId } from '#values/ids.ts';
import type { AnyMinor } from '#values/money.ts';
import { isOfCoins, type Pool, poolCode } from '#values/pools.ts';

class HouseAccount extends Hashed {
	readonly kind: AccountKind;
	readonly pool: Pool;
	/** The market of a pot; 0 for other accounts. */
	readonly owner: number;
	balance = 0;

	constructor(kind: AccountKind, pool: Pool, owner: number) {
		super();
		this.kind = kind;
		this.pool = pool;
		this.owner = owner;
	}

	/** An account that was never used and one that is back at zero are the same state. */
	describe(hasher: Hasher): boolean {
		hasher.start(2);
		hasher.addText(this.kind);
		hasher.add(poolCode(this.pool));
		hasher.add(this.owner);
		hasher.add(this.balance);
		return this.balance !== 0;
	}
}

type HouseAccountKind = Exclude<AccountKind, PlayerAccount>;

/**
 * Accounts that may go below zero. Those that money enters by or is spent from always do: the mint, the bank, what a
 * payment provider owes, and costs. The casino can lose, and roundings can cost a minor unit before they earn one.
 */
const MAY_BE_NEGATIVE: ReadonlySet<AccountKind> = new Set<HouseAccountKind>([
	'mint',
	'rounding',
	'gateway',
	'bank',
	'payment_cost',
	'casino',
	'bonus_cost',
	'referral_cost',
	'tax_cost',
	'loss',
]);

export interface Move {
	kind: PostingKind;
	ref: number;
	step: number;
	pool: Pool;
	debit: AccountKind;
	/** A wallet id, a market id for `pot`, or 0 for the house. */
	debitOwner: number;
	credit: AccountKind;
	creditOwner: number;
	/** Minor units, above zero. */
	amount: AnyMinor;
	/** The market that the move concerns; 0 when none. */
	marketId: MarketId;
	/**
	 * Cash may go below zero: after a removal a player can owe more than they have, and a correction can take money
	 * that is already spent.
	 */
	mayOverdraw?: boolean;
}

/** A change of the money held for a position. */
export interface HeldMoney {
	walletId: WalletId;
	pool: Pool;
	/** Minor units into the exposure account, below zero out of it. */
	change: AnyMinor;
	/** The wallet's cash after it. */
	cashAfter: AnyMinor;
	marketId: MarketId;
}

export class Accounts {
	readonly wallets: WalletTable;
	readonly house = new Map<string, HouseAccount>();
	readonly #digest: StateDigest;
	/** The posting of every reservation, and of every release: one object each, refilled. */
	readonly #reserved = movedBetween('BET_RESERVED', 'cash', 'exposure');
	readonly #released = movedBetween('BET_RELEASED', 'exposure', 'cash');

	constructor(digest: StateDigest, kernel: Kernel) {
		this.#digest = digest;
		this.wallets = new WalletTable(kernel);
	}

	houseAccount(kind: AccountKind, pool: Pool, owner: number): HouseAccount {
		const key = `${kind}.${pool}.${owner}`;
		let account = this.house.get(key);
		if (!account) {
			account = new HouseAccount(kind, pool, owner);
			this.house.set(key, account);
		}
		return account;
	}

	/** Zero for an account that was never used. */
	houseBalance(kind: string, pool: Pool, owner: number): number {
		return this.house.get(`${kind}.${pool}.${owner}`)?.balance ?? 0;
	}

	/** The pot of a settled market: it is empty, and as good as never used. */
	forgetPot(pool: Pool, marketId: MarketId): void {
		this.house.delete(`pot.${pool}.${marketId}`);
	}

	/**
	 * Moves money and emits the posting. Throws when an account would go below zero: that is a broken invariant, not a
	 * refusal.
	 */
	move(move: Move, effects: Effects): void {
		if (!Number.isSafeInteger(move.amount) || move.amount <= 0)
			throw new Error(`a posting of ${move.amount} minor units`);
		assertRule(isOfCoins(move.pool, move.amount), 'a posting is of whole coins of its currency');
		const from = this.#add(move.debit, move.pool, move.debitOwner, -move.amount, move.mayOverdraw ?? false);
		const to = this.#add(move.credit, move.pool, move.creditOwner, move.amount, true);
		const { wallets } = this;
		const wallet = to === NONE ? from : to;
		if (wallet !== NONE) wallets.setVersion(wallet, wallets.version(wallet) + 1);
		const { mayOverdraw: _, ...posting } = move;
		effects.posted({
			...posting,
			walletId: wallet === NONE ? 0 : wallets.id(wallet),
			cashAfter: wallet === NONE ? 0 : wallets.cash(wallet),
		});
	}

	/**
	 * Emits that money was held for bets in a market, or released when the change is below zero. The most frequent
	 * move.
	 */
	reserved({ walletId, pool, change, cashAfter, marketId }: HeldMoney, ref: number, effects: Effects): void {
		assertRule(Number.isSafeInteger(change) && change !== 0, 'money is held and released in whole minor units');
		assertRule(isOfCoins(pool, change), 'money is held and released in whole coins of its currency');
		const posting = change > 0 ? this.#reserved : this.#released;
		posting.ref = ref;
		posting.pool = pool;
		posting.debitOwner = walletId;
		posting.creditOwner = walletId;
		posting.amount = change > 0 ? change : -change;
		posting.walletId = walletId;
		posting.cashAfter = cashAfter;
		posting.marketId = marketId;
		effects.posted(posting);
	}

	/** Throws for an account that never goes below zero. */
	assertMayBeNegative(kind: AccountKind): void {
		if (!MAY_BE_NEGATIVE.has(kind)) throw new Error(`${kind} would go below zero`);
	}

	/** Adds to an account; returns the wallet's row, or NONE for a house account. */
	#add(kind: AccountKind, pool: Pool, owner: number, amount: AnyMinor, mayOverdraw: boolean): number {
		if (isPlayerAccount(kind)) {
			const wallet = this.wallets.find(owner);
			if (wallet === NONE || this.wallets.pool(wallet) !== pool) throw new Error(`no wallet ${owner} in ${pool}`);
			const balance = this.wallets.deposit(wallet, kind, amount);
			if (balance < 0 && !(kind === 'cash' && mayOverdraw)) throw new Error(`${kind} of wallet ${owner} below zero`);
			return wallet;
		}
		const account = this.houseAccount(kind, pool, owner);
		account.balance += amount;
		if (account.balance < 0) this.assertMayBeNegative(kind);
		this.#digest.touch(account);
		return NONE;
	}
}

const movedBetween = (kind: PostingKind, debit: AccountKind, credit: AccountKind): Posting => ({
	kind,
	ref: 0,
	step: 0,
	pool: 'PLAY',
	debit,
	debitOwner: 0,
	credit,
	creditOwner: 0,
	amount: 0,
	walletId: 0,
	cashAfter: 0,
	marketId: 0,
});
