/**
 * Each transaction of a provider with its first answer. A row is written before any money moves, and the answer is
 * written before it is sent, so a repeated request always gets the same answer. Whether money moved is recorded in the
 * ledger alone, by the transaction's claim.
 */
import { createHash, randomUUID } from 'node:crypto';
import type pg from 'pg';
import type {
	Answered,
	Outcome,
	TransactionRequest,
	WalletStatus,
} from '#server/money/casino/providers/wallet-request.ts';
import { Turns } from '#server/platform/pacing/turns.ts';
import type { AnyMinor } from '#values/money.ts';

/** An outcome, and its movement in the ledger. */
export interface Decided {
	outcome: Outcome;
	walletId?: number;
	round?: string;
	/** Minor units debited from and credited to the player. */
	paid?: AnyMinor;
	received?: AnyMinor;
}

/** A detail of the request is not that of its bet. Such a refusal settles nothing about the bet. */
const MISMATCHES: ReadonlySet<WalletStatus> = new Set([
	'TRANSACTION_NOT_FOUND',
	'INVALID_TOKEN',
	'WRONG_CURRENCY',
	'INVALID_GAME',
]);

export class ProviderTransactions {
	readonly #db: pg.Pool;
	readonly #turns = new Turns();

	constructor(db: pg.Pool) {
		this.#db = db;
	}

	/**
	 * Decides a request once. Requests about one transaction, by its own id or by reference, take turns.
	 * @param decide may be called again after a fault, and then finds its earlier effects
	 */
	async once(provider: string, request: TransactionRequest, decide: () => Promise<Decided>): Promise<Answered> {
		const refTxId = 'refTxId' in request ? request.refTxId : null;
		const names = [request.txId, ...(refTxId === null ? [] : [refTxId])].map((name) => `${provider} ${name}`);
		return await this.#turns.takeAll(names, () => this.#decided(provider, request, decide));
	}

	async #decided(provider: string, request: TransactionRequest, decide: () => Promise<Decided>): Promise<Answered> {
		const { call, txId } = request;
		const hash = createHash('sha256').update(JSON.stringify(request)).digest('hex');
		await this.#db.query(
			`insert into provider_transaction (provider, tx_id, call, request_hash, at, own_id) values ($1, $2, $3, $4, $5, $6)
			on conflict do nothing`,
			[provider, txId, call, hash, Date.now(), randomUUID()],
		);
		const earlier = await this.#stored(provider, txId);
		if (earlier?.hash !== hash) return { outcome: { status: 'DUPLICATE_TRANSACTION' }, isRepeated: false };
		if (earlier.outcome) return { outcome: earlier.outcome, isRepeated: true };
		const { outcome: decided, walletId = null, round = null, paid = 0, received = 0 } = await decide();
		const outcome = decided.status === 'OK' ? withId(decided, earlier.ownId) : decided;
		if (outcome.status === 'UNKNOWN') return { outcome, isRepeated: false };
		if ('isOnly' in request && MISMATCHES.has(outcome.status)) {
			await this.#forget(provider, txId, hash);
			return { outcome, isRepeated: false };
		}
		// A deposed process may answer late. The first answer stays; only an answer about money that moved can be true.
		const { rowCount } = await this.#db.query(
			`update provider_transaction set outcome = $3, wallet_id = $4, round = $5, paid = $6, received = $7,
				prize = case when $8 then prize else 0 end
			where provider = $1 and tx_id = $2 and (outcome is null or $8 and outcome::jsonb->>'status' <> 'OK')`,
			[provider, txId, JSON.stringify(outcome), walletId, round, paid, received, outcome.status === 'OK'],
		);
		const first = rowCount === 0 ? (await this.#stored(provider, txId))?.outcome : null;
		return first ? { outcome: first, isRepeated: true } : { outcome, isRepeated: false };
	}

	/**
	 * A transaction of several that happen together or not at all was taken back: repeated, it is refused as they were, and
	 * the books expect no money of it.
	 */
	async takenBack(provider: string, txId: string, refusal: Outcome): Promise<void> {
		await this.#turns.take(`${provider} ${txId}`, async () => {
			await this.#db.query(
				`update provider_transaction set outcome = $3, paid = 0, received = 0, prize = 0
				where provider = $1 and tx_id = $2 and outcome::jsonb->>'status' = 'OK'`,
				[provider, txId, JSON.stringify(refusal)],
			);
		});
	}

	/** The bet's only id for this is left to a request that names the bet rightly. */
	async #forget(provider: string, txId: string, hash: string): Promise<void> {
		await this.#db.query(
			'delete from provider_transaction where provider = $1 and tx_id = $2 and request_hash = $3 and outcome is null',
			[provider, txId, hash],
		);
	}

	/** @returns null for an unknown transaction; an outcome of null for an unanswered one */
	async #stored(
		provider: string,
		txId: string,
	): Promise<{ hash: string; outcome: Outcome | null; ownId: string | null } | null> {
		const { rows } = await this.#db.query<{ hash: string; outcome: string | null; ownId: string | null }>(
			`select request_hash as hash, outcome, own_id as "ownId" from provider_transaction
			where provider = $1 and tx_id = $2`,
			[provider, txId],
		);
		const [row] = rows;
		return row ? { ...row, outcome: row.outcome === null ? null : (JSON.parse(row.outcome) as Outcome) } : null;
	}
}

const withId = (outcome: Outcome, ownId: string | null): Outcome =>
	ownId === null ? outcome : { ...outcome, transactionId: ownId };
