/**
 * The engine: the exchange as a deterministic state machine. `engine.ts` says what it can be asked, `create-engine.ts`
 * puts it together, and each command has a file of its own.
 *
 * This file holds the accounts. Money only ever moves from one account to another of the same pool, so every pool sums
 * to zero at any time; the mint, where play money comes from, goes below zero for that.
 */
import type { AccountKind, Effects, Posting, PostingKind } from '#engine/effect.ts';
import { Hashed, type Hasher, type StateDigest } from '#engine/state-hash.ts';
import { type Pool, poolCode } from '#values/pools.ts';

export class Wallet extends Hashed {
	readonly walletId: number;
	readonly pool: Pool;
	readonly commissionBp: number | null;
	/** Its place among the wallets. */
	readonly index: number;
	cash = 0;
	exposure = 0;
	hold = 0;
	bonus = 0;
	version = 0;

	constructor(walletId: number, pool: Pool, commissionBp: number | null, index: number) {
		super();
		this.index = index;
		this.walletId = walletId;
		this.pool = pool;
		this.commissionBp = commissionBp;
	}

	describe(hasher: Hasher): boolean {
		hasher.start(1);
		hasher.add(this.walletId);
		hasher.add(poolCode(this.pool));
		hasher.add(this.commissionBp ?? -1);
		hasher.add(this.cash);
		hasher.add(this.exposure);
		hasher.add(this.hold);
		hasher.add(this.bonus);
		hasher.add(this.version);
		return true;
	}
}

export class HouseAccount extends Hashed {
	readonly kind: AccountKind;
	readonly pool: Pool;
	/** The market of a pot, otherwise 0. */
	readonly owner: number;
	balance = 0;

	constructor(kind: AccountKind, pool: Pool, owner: number) {
		super();
		this.kind = kind;
		this.pool = pool;
		this.owner = owner;
	}

	/** An account never used and one that came back to zero are the same state. */
	describe(hasher: Hasher): boolean {
		hasher.start(2);
		hasher.addText(this.kind);
		hasher.add(poolCode(this.pool));
		hasher.add(this.owner);
		hasher.add(this.balance);
		return this.balance !== 0;
	}
}

/** The mint goes below zero by design; roundings can cost the house a paisa before they earn one. */
const mayBeNegative = (kind: AccountKind): boolean => kind === 'mint' || kind === 'rounding';

export interface Move {
	kind: PostingKind;
	ref: number;
	step: number;
	pool: Pool;
	debit: AccountKind;
	/** Wallet id, market id for `pot`, 0 for the house. */
	debitOwner: number;
	credit: AccountKind;
	creditOwner: number;
	/** Paise, above zero. */
	amount: number;
	/** The market it is about, 0 when none. */
	marketId: number;
	/** Only a settlement may: a removed runner can leave a player owing more than he has. */
	mayOverdraw?: boolean;
}

export class Accounts {
	readonly wallets = new Map<number, Wallet>();
	/** In the order they were opened. */
	readonly walletList: Wallet[] = [];
	readonly house = new Map<string, HouseAccount>();
	readonly #digest: StateDigest;
	/** Told with each reservation; one for all. */
	readonly #reservation: Posting = {
		kind: 'BET_RESERVED',
		ref: 0,
		step: 0,
		pool: 'PLAY',
		debit: 'cash',
		debitOwner: 0,
		credit: 'exposure',
		creditOwner: 0,
		amount: 0,
		walletId: 0,
		cashAfter: 0,
		marketId: 0,
	};

	constructor(digest: StateDigest) {
		this.#digest = digest;
	}

	addWallet(walletId: number, pool: Pool, commissionBp: number | null): Wallet {
		const wallet = new Wallet(walletId, pool, commissionBp, this.walletList.length);
		this.walletList.push(wallet);
		this.wallets.set(walletId, wallet);
		this.#digest.touch(wallet);
		return wallet;
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

	/** Moves money and tells it. Throws when an account would go below zero: that is a broken rule, not a refusal. */
	move(move: Move, effects: Effects): void {
		if (!Number.isSafeInteger(move.amount) || move.amount <= 0) throw new Error(`a posting of ${move.amount} paise`);
		const from = this.#add(move.debit, move.pool, move.debitOwner, -move.amount, move.mayOverdraw ?? false);
		const to = this.#add(move.credit, move.pool, move.creditOwner, move.amount, true);
		const wallet = to ?? from;
		if (wallet) wallet.version++;
		const { mayOverdraw: _, ...posting } = move;
		effects.posted({ ...posting, walletId: wallet?.walletId ?? 0, cashAfter: wallet?.cash ?? 0 });
	}

	/** Holds money of a wallet for its bets in a market, or with a change below zero lets it go; the commonest move. */
	reserve(wallet: Wallet, change: number, ref: number, marketId: number, effects: Effects): void {
		const more = change > 0;
		wallet.cash -= change;
		wallet.exposure += change;
		wallet.version++;
		if ((more && wallet.cash < 0) || wallet.exposure < 0)
			throw new Error(`an account of wallet ${wallet.walletId} below zero`);
		this.#digest.touch(wallet);
		const posting = this.#reservation;
		posting.kind = more ? 'BET_RESERVED' : 'BET_RELEASED';
		posting.ref = ref;
		posting.pool = wallet.pool;
		posting.debit = more ? 'cash' : 'exposure';
		posting.debitOwner = wallet.walletId;
		posting.credit = more ? 'exposure' : 'cash';
		posting.creditOwner = wallet.walletId;
		posting.amount = more ? change : -change;
		posting.walletId = wallet.walletId;
		posting.cashAfter = wallet.cash;
		posting.marketId = marketId;
		effects.posted(posting);
	}

	#add(kind: AccountKind, pool: Pool, owner: number, amount: number, mayOverdraw: boolean): Wallet | null {
		if (kind === 'cash' || kind === 'exposure' || kind === 'hold' || kind === 'bonus') {
			const wallet = this.wallets.get(owner);
			if (!wallet || wallet.pool !== pool) throw new Error(`no wallet ${owner} in ${pool}`);
			wallet[kind] += amount;
			if (wallet[kind] < 0 && !(kind === 'cash' && mayOverdraw))
				throw new Error(`${kind} of wallet ${owner} below zero`);
			this.#digest.touch(wallet);
			return wallet;
		}
		const account = this.houseAccount(kind, pool, owner);
		account.balance += amount;
		if (account.balance < 0 && !mayBeNegative(kind)) throw new Error(`${kind} ${owner} of ${pool} below zero`);
		this.#digest.touch(account);
		return null;
	}
}
