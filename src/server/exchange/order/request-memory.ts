/**
 * The accepted requests: a repetition gets the first answer, and the same id with another body is refused. The table
 * holds all of them. The memory holds the newest answers, and of each recently active player a short hash of every id
 * that the table has, so that a new request needs no look-up: an id whose hash is missing is new. A player's first
 * request has the hashes loaded, one player after another and beside the bets: after a takeover thousands of players bet at
 * once, and the ids of each of them may be thousands. Until then a player's requests are looked up, one row each, and so are
 * a repetition of an old request, an id that shares its hash with another, and every request of a player with more ids than
 * the memory keeps.
 */
import { hash } from 'node:crypto';
import type { Receipt, RequestKey } from '#server/exchange/exchange.ts';
import { REQUESTS_KEPT_MS, type RequestTable } from '#server/exchange/ledger/request-table.ts';
import { KeptReceipts } from '#server/exchange/order/kept-receipts.ts';
import { RecentEntries } from '#server/exchange/order/recent-entries.ts';
import { retryFaults } from '#server/platform/postgres/database-fault.ts';
import { Counts } from '#values/counts.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { WalletId } from '#values/ids.ts';

/** `idsOfOne` is a player's share of `ids`. */
export const REQUEST_MEMORY = { answers: 200_000, ids: 2_000_000, idsOfOne: 10_000 };
const TRIMMED_TO = 0.98;

interface Remembered {
	bodyHash: string;
	answer: Promise<Receipt>;
	/** The request is in the table; until then it must not be forgotten. */
	durable: boolean;
}

/** Of a durable answer among the kept receipts. */
type Slot = number;

interface WalletRequests {
	/** Hashes of request ids. */
	ids: Set<number>;
	/** Every request that the table has of this wallet is in `ids`. */
	complete: boolean;
	/** The wallet's ids were loaded; there may have been too many to keep. */
	loaded: boolean;
	/** The wallet's ids are loaded, or its turn comes. */
	isLoading: boolean;
	/** There were more ids than are kept: ids that are loaded later may lack some that came meanwhile. */
	hasOverflowed: boolean;
	lookUps: number;
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

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** FNV-1a in 32 bits. An id that a client chooses to share its hash costs that client's player a look-up. */
function shortHash(id: string): number {
	let hashed = FNV_OFFSET;
	for (let index = 0; index < id.length; index++) hashed = Math.imul(hashed ^ id.charCodeAt(index), FNV_PRIME);
	return hashed;
}

const keyOf = (walletId: WalletId, clientRequestId: string): string => `${walletId} ${clientRequestId}`;

export class RequestMemory {
	/** The least recently active wallet first. */
	readonly #wallets = new Map<WalletId, WalletRequests>();
	/** The newest answers. */
	readonly #answers: RecentEntries<Remembered | Slot>;
	readonly #receipts = new KeptReceipts();
	/** Look-ups in progress. */
	readonly #lookUps = new Counts<string>();
	readonly #table: Pick<RequestTable, 'idsOfWallet' | 'find'>;
	readonly #limits: typeof REQUEST_MEMORY;
	/** Wallets whose ids are loaded in their turn. */
	readonly #toLoad: WalletId[] = [];
	#loading: Promise<void> | null = null;
	/** How many hashes all wallets have. */
	#ids = 0;
	#willTrim = false;

	constructor(table: Pick<RequestTable, 'idsOfWallet' | 'find'>, limits = REQUEST_MEMORY) {
		this.#table = table;
		this.#limits = limits;
		this.#answers = new RecentEntries(limits.answers);
	}

	/** False when only the table can tell whether the request is new. */
	isSure({ walletId, clientRequestId }: RequestKey): boolean {
		const wallet = this.#wallets.get(walletId);
		if (wallet?.complete && !wallet.ids.has(shortHash(clientRequestId))) return true;
		return this.#answers.has(keyOf(walletId, clientRequestId));
	}

	/**
	 * Loads from the table. `find` is certain in the same run of microtasks: nothing is forgotten in between, because
	 * trimming runs in a turn of the event loop of its own.
	 */
	async lookUp(request: RequestKey): Promise<void> {
		const { walletId, clientRequestId } = request;
		const key = keyOf(walletId, clientRequestId);
		const wallet = this.#wallet(walletId);
		this.#lookUps.add(key);
		wallet.lookUps++;
		try {
			if (!wallet.loaded && !wallet.isLoading) this.#loadInTurn(walletId, wallet);
			const row = await retryFaults(() => this.#table.find(walletId, clientRequestId));
			if (!row || this.#answers.has(key)) return;
			this.#keep(key, this.#durable(row.bodyHash, row.answer));
		} finally {
			wallet.lookUps--;
			this.#lookUps.remove(key);
		}
	}

	/** Resolves when the ids of all players who made a request are loaded. */
	async loaded(): Promise<void> {
		await this.#loading;
	}

	#loadInTurn(walletId: WalletId, wallet: WalletRequests): void {
		wallet.isLoading = true;
		this.#toLoad.push(walletId);
		this.#loading ??= this.#loadAll();
	}

	async #loadAll(): Promise<void> {
		for (const walletId of this.#toLoad) await this.#load(walletId, this.#wallets.get(walletId) as WalletRequests);
		this.#toLoad.length = 0;
		this.#loading = null;
	}

	/** Where it fails, the wallet's next request has it loaded again. */
	async #load(walletId: WalletId, wallet: WalletRequests): Promise<void> {
		try {
			const ids = await this.#table.idsOfWallet(walletId, this.#limits.idsOfOne);
			wallet.loaded = true;
			wallet.complete = ids.length < this.#limits.idsOfOne && !wallet.hasOverflowed;
			if (wallet.complete) for (const id of ids) this.#keepId(wallet, id);
		} catch {
			// A request that is looked up meets the same fault, and its player hears of it.
		}
		wallet.isLoading = false;
	}

	/** The answer of an earlier acceptance of this request, in flight or done. @throws Refused REQUEST_ID_REUSED */
	find(key: RequestKey): Promise<Receipt> | null {
		const known = this.#answers.get(keyOf(key.walletId, key.clientRequestId));
		if (known === undefined) return null;
		const isKept = typeof known === 'number';
		const bodyHash = isKept ? this.#receipts.bodyHash(known) : known.bodyHash;
		if (bodyHash !== bodyHashOf(key.body)) throw new Refused('REQUEST_ID_REUSED');
		return isKept ? Promise.resolve(this.#receipts.receipt(known)) : known.answer;
	}

	/**
	 * Remembers an accepted request. `answer` resolves when it is durable; a request that never becomes durable is
	 * forgotten.
	 */
	remember(walletId: WalletId, clientRequestId: string, bodyHash: string, answer: Promise<Receipt>): void {
		const wallet = this.#wallet(walletId);
		const key = keyOf(walletId, clientRequestId);
		const remembered = { bodyHash, answer, durable: false };
		wallet.inFlight++;
		this.#keepId(wallet, clientRequestId);
		this.#keep(key, remembered);
		void this.#follow(wallet, key, remembered);
	}

	async #follow(wallet: WalletRequests, key: string, remembered: Remembered): Promise<void> {
		try {
			const receipt = await remembered.answer;
			// Until now it was not forgotten.
			this.#answers.replace(key, this.#durable(remembered.bodyHash, receipt));
		} catch {
			this.#answers.delete(key);
		} finally {
			wallet.inFlight--;
		}
	}

	/** The wallet's requests; the wallet becomes the most recently active one. */
	#wallet(walletId: WalletId): WalletRequests {
		let wallet = this.#wallets.get(walletId);
		if (wallet) this.#wallets.delete(walletId);
		else
			wallet = {
				ids: new Set(),
				complete: false,
				loaded: false,
				isLoading: false,
				hasOverflowed: false,
				lookUps: 0,
				inFlight: 0,
			};
		this.#wallets.set(walletId, wallet);
		return wallet;
	}

	/** What is kept of an answer that the table has. */
	#durable(bodyHash: string, answer: Receipt): Remembered | Slot {
		const slot = this.#receipts.keep(bodyHash, answer);
		return slot ?? { bodyHash, answer: Promise.resolve(answer), durable: true };
	}

	/** Of a request that is not there. */
	#keep(key: string, remembered: Remembered | Slot): void {
		this.#answers.add(key, remembered);
		if (this.#answers.isFull) this.#trimLater();
	}

	#keepId(wallet: WalletRequests, clientRequestId: string): void {
		const before = wallet.ids.size;
		wallet.ids.add(shortHash(clientRequestId));
		this.#ids += wallet.ids.size - before;
		if (wallet.ids.size > this.#limits.idsOfOne) {
			this.#ids -= wallet.ids.size;
			wallet.ids.clear();
			wallet.complete = false;
			wallet.hasOverflowed = true;
		}
		if (this.#ids > this.#limits.ids) this.#trimLater();
	}

	#trimLater(): void {
		if (!this.#willTrim) setImmediate(() => this.#trim());
		this.#willTrim = true;
	}

	/** Of ids it drops a few more than it must, so that it runs seldom. */
	#trim(): void {
		this.#willTrim = false;
		this.#answers.trim((key, known) => this.#forget(key, known));
		for (const [walletId, wallet] of this.#wallets) {
			if (this.#ids <= this.#limits.ids * TRIMMED_TO) break;
			this.#forgetWallet(walletId, wallet);
		}
	}

	/** @returns false for an answer that stays: the table does not have it yet, or a look-up relies on it */
	#forget(key: string, known: Remembered | Slot): boolean {
		if (this.#lookUps.of(key) > 0 || (typeof known !== 'number' && !known.durable)) return false;
		if (typeof known === 'number') this.#receipts.free(known);
		return true;
	}

	/** A wallet whose ids are loaded while one of its requests is written could miss that request. */
	#forgetWallet(walletId: WalletId, wallet: WalletRequests): void {
		if (wallet.isLoading || wallet.inFlight > 0 || wallet.lookUps > 0) return;
		this.#wallets.delete(walletId);
		this.#ids -= wallet.ids.size;
	}
}
