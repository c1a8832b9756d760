/**
 * The accepted requests in the database. The table has five partitions, by the day of the stamp, and the partition
 * that tomorrow will use is emptied today. A request is kept for three whole days after its own, and deleting a day is
 * one truncation.
 */
import type pg from 'pg';
import type { BatchRows, RequestRow } from '#server/exchange/order/batch-rows.ts';
import type { WalletId } from '#values/ids.ts';
import { DAY_MS } from '#values/time.ts';

const SLOTS = 5;
/** A repetition within this time is recognized with certainty. */
export const REQUESTS_KEPT_MS = (SLOTS - 2) * DAY_MS;

/** The partition of a stamp. */
export const slotOf = (atMs: number): number => Math.floor(atMs / DAY_MS) % SLOTS;

export const requestPartition = (slot: number): string => `request_key_${slot}`;

/** The slot of all requests of a batch, as of nearly every one; null where they are of two days. */
export function slotOfAll({ requests, atMs }: Pick<BatchRows, 'requests' | 'atMs'>): number | null {
	const slot = slotOf(atMs);
	return requests.every(({ answer }) => slotOf(answer.atMs) === slot) ? slot : null;
}

const COLUMNS = 'wallet_id as "walletId", client_request_id as "clientRequestId", body_hash as "bodyHash", answer';

export class RequestTable {
	readonly #db: pg.Pool;

	constructor(db: pg.Pool) {
		this.#db = db;
	}

	/** At most `limit` request ids of a wallet, in no order. */
	async idsOfWallet(walletId: WalletId, most: number): Promise<string[]> {
		const { rows } = await this.#db.query<[string]>({
			name: 'request-ids-of-wallet',
			text: 'select client_request_id from request_key where wallet_id = $1 limit $2',
			values: [walletId, most],
			rowMode: 'array',
		});
		return rows.map(([id]) => id);
	}

	async find(walletId: WalletId, clientRequestId: string): Promise<RequestRow | null> {
		const { rows } = await this.#db.query<RequestRow>({
			name: 'request-by-id',
			text: `select ${COLUMNS} from request_key where wallet_id = $1 and client_request_id = $2`,
			values: [walletId, clientRequestId],
		});
		return rows[0] ?? null;
	}

	/** Empties the partition that the day after `nowMs` will use. @returns whether it held anything */
	async prune(nowMs: number): Promise<boolean> {
		const part = requestPartition(slotOf(nowMs + DAY_MS));
		const { rows } = await this.#db.query<{ used: boolean; recent: boolean }>(
			`select exists (select 1 from ${part}) as used, exists (select 1 from ${part} where at > $1) as recent`,
			[nowMs - REQUESTS_KEPT_MS],
		);
		if (rows[0]?.recent) throw new Error(`${part} holds requests that are not old; it is not emptied`);
		if (!rows[0]?.used) return false;
		// Look-ups queue behind a pending truncation, so it waits only briefly; the next hour tries again.
		await this.#db.query(`begin; set local lock_timeout = '2s'; truncate ${part}; commit`);
		return true;
	}
}
