/**
 * The accepted requests: a repetition gets the first answer, and the same id with another body is refused. The table
 * holds all of them. The memory holds those of recently active players, so that a new request needs no look-up: a
 * player's first request loads the player's rows, and from then on an id that is not in memory is new. A player with
 * more requests than fit keeps the newest in memory, and each new request of that player is looked up.
 */
import { hash } from 'node:crypto';
import { Counts } from '#server/exchange/counts.ts';
import { retryFaults } from '#server/exchange/database-fault.ts';
import type { Receipt, RequestKey } from '#server/exchange/exchange.ts';
import { REQUESTS_KEPT_MS, type RequestTable } from '#server/exchange/request-table.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { WalletId } from '#values/ids.ts';

export const REQUEST_MEMORY = { ofOne: 1_000, inAll: 200_000 };

interface Remembered {
	bodyHash: string;
	answer: Promise<Receipt>;
	/** The request is in the table; until then it must not be forgotten. */
	durable: boolean;
}

interface WalletRequests {
	/** Oldest first. */
	byId: Map<string, Remembered>;
	/** All rows that the table has of this wallet are in `byId`. */
	complete: boolean;
	/** The wallet's rows were loaded; there may have been too many to keep. */
	loaded: boolean;
	/** Set while the wallet's rows are loaded. */
	loading: Promise<void> | null;
	/** Look-ups in progress, by request id. */
	lookUps: Counts<string>;
	inFlight: number;
}

export const bodyHashOf = (body: string): string => hash('sha256', body, 'base64url');

/** A UUID of version 7 begins with the milliseconds since 1970 (RFC 9562). */
const UUID_V7 = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/** True when the id's own time is older than anything the table keeps. */
export function isTooOld(clientRequestId: string, nowMs: number): boolean {
	const [, high, low] = UUID_V7.exec(clientRequestId) ?? [];
	return high !== undefined && Number.parseInt(`${high}${low}`, 16) < nowMs - REQUESTS_KEPT_MS;
}

export class RequestMemory {
	/** The least recently active wallet first. */
	readonly #wallets = new Map<number, WalletRequests>();
	readonly #table: Pick<RequestTable, 'ofWallet' | 'find'>;
	readonly #limits: typeof REQUEST_MEMORY;
	/** Wallets with more requests than their share. */
	readonly #overfull = new Set<WalletRequests>();
	#size = 0;
	#willTrim = false;

	constructor(table: Pick<RequestTable, 'ofWallet' | 'find'>, limits = REQUEST_MEMORY) {
		this.#table = table;
		this.#limits = limits;
	}

	/** False when only the table can tell whether the request is new. */
	isSure({ walletId, clientRequestId }: RequestKey): boolean {
		const wallet = this.#wallets.get(walletId);
		return wallet !== undefined && (wallet.complete || wallet.byId.has(clientRequestId));
	}

	/**
	 * Loads from the table. `find` is certain in the same run of microtasks: nothing is forgotten in between, because
	 * trimming runs in a turn of the event loop of its own.
	 */
	async lookUp({ walletId, clientRequestId }: RequestKey): Promise<void> {
		const wallet = this.#wallet(walletId);
		wallet.lookUps.add(clientRequestId);
		try {
			if (!wallet.loaded) wallet.loading ??= this.#load(walletId, wallet);
			await wallet.loading;
			if (wallet.complete || wallet.byId.has(clientRequestId)) return;
			const row = await retryFaults(() => this.#table.find(walletId, clientRequestId));
			if (row) this.#keep(wallet, row);
		} finally {
			wallet.lookUps.remove(clientRequestId);
		}
	}

	async #load(walletId: WalletId, wallet: WalletRequests): Promise<void> {
		try {
			const rows = await retryFaults(() => this.#table.ofWallet(walletId, this.#limits.ofOne));
			wallet.loaded = true;
			wallet.complete = rows.length < this.#limits.ofOne;
			if (wallet.complete) for (const row of rows) this.#keep(wallet, row);
		} finally {
			wallet.loading = null;
		}
	}

	/** The answer of an earlier acceptance of this request, in flight or done. @throws Refused REQUEST_ID_REUSED */
	find(key: RequestKey): Promise<Receipt> | null {
		const known = this.#wallets.get(key.walletId)?.byId.get(key.clientRequestId);
		if (!known) return null;
		if (known.bodyHash !== bodyHashOf(key.body)) throw new Refused('REQUEST_ID_REUSED');
		return known.answer;
	}

	/**
	 * Remembers an accepted request. `answer` resolves when it is durable; a request that never becomes durable is
	 * forgotten.
	 */
	remember(walletId: WalletId, clientRequestId: string, bodyHash: string, answer: Promise<Receipt>): void {
		const wallet = this.#wallet(walletId);
		wallet.byId.set(clientRequestId, { bodyHash, answer, durable: false });
		wallet.inFlight++;
		this.#size++;
		void this.#follow(wallet, clientRequestId, answer);
	}

	async #follow(wallet: WalletRequests, clientRequestId: string, answer: Promise<Receipt>): Promise<void> {
		try {
			await answer;
			(wallet.byId.get(clientRequestId) as Remembered).durable = true;
			this.#trimLater(wallet);
		} catch {
			wallet.byId.delete(clientRequestId);
			this.#size--;
		} finally {
			wallet.inFlight--;
		}
	}

	/** How many requests are remembered. */
	get size(): number {
		return this.#size;
	}

	/** The wallet's requests; the wallet becomes the most recently active one. */
	#wallet(walletId: WalletId): WalletRequests {
		let wallet = this.#wallets.get(walletId);
		if (wallet) this.#wallets.delete(walletId);
		else
			wallet = { byId: new Map(), complete: false, loaded: false, loading: null, lookUps: new Counts(), inFlight: 0 };
		this.#wallets.set(walletId, wallet);
		return wallet;
	}

	#keep(wallet: WalletRequests, row: { clientRequestId: string; bodyHash: string; answer: Receipt }): void {
		if (wallet.byId.has(row.clientRequestId)) return;
		const { bodyHash, answer } = row;
		wallet.byId.set(row.clientRequestId, { bodyHash, answer: Promise.resolve(answer), durable: true });
		this.#size++;
		this.#trimLater(wallet);
	}

	/** Called when a wallet has one request more. */
	#trimLater(wallet: WalletRequests): void {
		if (wallet.byId.size > this.#limits.ofOne) this.#overfull.add(wallet);
		else if (this.#size <= this.#limits.inAll) return;
		if (!this.#willTrim) setImmediate(() => this.#trim());
		this.#willTrim = true;
	}

	#trim(): void {
		this.#willTrim = false;
		for (const wallet of this.#overfull) this.#forgetOldest(wallet);
		this.#overfull.clear();
		for (const [walletId, wallet] of this.#wallets) {
			if (this.#size <= this.#limits.inAll) break;
			this.#forgetWallet(walletId, wallet);
		}
	}

	/** Drops half a share at a time, so that trimming is rare. */
	#forgetOldest(wallet: WalletRequests): void {
		if (wallet.loading) return;
		for (const [id, { durable }] of wallet.byId) {
			if (wallet.byId.size <= this.#limits.ofOne / 2) break;
			if (!durable || wallet.lookUps.of(id) > 0) continue;
			wallet.byId.delete(id);
			wallet.complete = false;
			this.#size--;
		}
	}

	#forgetWallet(walletId: WalletId, wallet: WalletRequests): void {
		if (wallet.loading || wallet.inFlight > 0 || wallet.lookUps.size > 0) return;
		this.#wallets.delete(walletId);
		this.#size -= wallet.byId.size;
	}
}
