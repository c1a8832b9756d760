/** Players' payout targets: stored encrypted, shown masked, and marked as new for a day. */
import { randomUUID } from 'node:crypto';
import type { PayoutTarget } from '#server/money/funds/payments/provider.ts';
import { FACTS } from '#server/people/persons/facts.ts';
import type { EncryptedStoreOptions } from '#server/platform/keys/data-keys.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { PlayerId } from '#values/ids.ts';
import { DAY_MS } from '#values/time.ts';

/** A withdrawal to newer details is reviewed: a stolen login would use new ones. */
export const COOLING_MS = DAY_MS;
const MOST_SAVED = 10;

export interface SavedDetails {
	detailsId: string;
	playerId: PlayerId;
	method: 'UPI' | 'BANK';
	masked: string;
	atMs: number;
	/**
	 * Another player has saved the same details, and this one has not proved them by an arrived payout, or both have.
	 */
	isShared: boolean;
	/** Keyed fingerprint; equal for equal details. */
	fingerprint: string;
}

const COLUMNS = `details_id as "detailsId", player_id as "playerId", method, masked, at as "atMs", fingerprint,
	exists (select 1 from payout_details as other
	  where other.fingerprint = payout_details.fingerprint and other.player_id <> payout_details.player_id
	    and (not ${FACTS.payout.proven('payout_details')} or ${FACTS.payout.proven('other')})) as "isShared"`;

export class PayoutDetails {
	readonly #options: EncryptedStoreOptions;

	constructor(options: EncryptedStoreOptions) {
		this.#options = options;
	}

	async of(playerId: PlayerId): Promise<SavedDetails[]> {
		const { rows } = await this.#options.db.query<SavedDetails>({
			name: 'payout-details-of',
			text: `select ${COLUMNS} from payout_details where player_id = $1 order by at desc`,
			values: [playerId],
		});
		return rows;
	}

	/** @throws Refused NOT_FOUND */
	async find(playerId: PlayerId, detailsId: string): Promise<SavedDetails> {
		const saved = (await this.of(playerId)).find((details) => details.detailsId === detailsId);
		if (!saved) throw new Refused('NOT_FOUND');
		return saved;
	}

	/** Details that are already stored keep their time. @throws Refused THROTTLED */
	async save(playerId: PlayerId, target: PayoutTarget): Promise<SavedDetails> {
		const fingerprint = this.#options.keys.fingerprint(textOf(target));
		const saved = await this.of(playerId);
		const known = saved.find((details) => details.fingerprint === fingerprint);
		if (known) return known;
		if (saved.length >= MOST_SAVED) throw new Refused('THROTTLED');
		const detailsId = randomUUID();
		const { keyId, bytes } = this.#options.keys.seal(Buffer.from(JSON.stringify(target)), `payout ${detailsId}`);
		await this.#options.db.query(
			`insert into payout_details (details_id, player_id, method, masked, fingerprint, key_id, bytes, at)
			 values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict do nothing`,
			[detailsId, playerId, target.method, maskOf(target), fingerprint, keyId, bytes, this.#options.clock()],
		);
		return await this.save(playerId, target);
	}

	/** In the clear, only for the provider. */
	async reveal(detailsId: string): Promise<PayoutTarget> {
		const { rows } = await this.#options.db.query<{ keyId: string; bytes: Buffer }>(
			'select key_id as "keyId", bytes from payout_details where details_id = $1',
			[detailsId],
		);
		const [sealed] = rows;
		if (!sealed) throw new Refused('NOT_FOUND');
		return JSON.parse(this.#options.keys.open(sealed, `payout ${detailsId}`).toString('utf8')) as PayoutTarget;
	}

	/** Deletes details saved before a moment and not used for a withdrawal since. */
	async prune(beforeMs: number): Promise<void> {
		await this.#options.db.query(
			`delete from payout_details where at < $1 and not exists (
			   select 1 from workflow where kind = 'WITHDRAWAL' and wallet_id = player_id and data ->> 'detailsId' = details_id
			     and (is_open or workflow.at >= $1)
			 )`,
			[beforeMs],
		);
	}

	/** Seals data of an older key with the current one; fingerprints depend on the key, too. */
	async sealAnew(): Promise<void> {
		const { db, keys } = this.#options;
		const { rows } = await db.query<{ detailsId: string; keyId: string; bytes: Buffer }>(
			'select details_id as "detailsId", key_id as "keyId", bytes from payout_details where key_id <> $1',
			[keys.presentId],
		);
		for (const { detailsId, ...sealed } of rows) {
			const about = `payout ${detailsId}`;
			const text = keys.open(sealed, about);
			const { keyId, bytes } = keys.seal(text, about);
			const fingerprint = keys.fingerprint(textOf(JSON.parse(text.toString('utf8')) as PayoutTarget));
			await db.query(
				`with before as (select player_id, fingerprint from payout_details where details_id = $1),
				 refuted as (
				   update refuted_fact set value = $4 from before
				   where refuted_fact.player_id = before.player_id and kind = 'payout' and value = fingerprint
				 )
				 update payout_details set key_id = $2, bytes = $3, fingerprint = $4 where details_id = $1`,
				[detailsId, keyId, bytes, fingerprint],
			);
		}
	}
}

const textOf = (target: PayoutTarget): string =>
	target.method === 'UPI' ? `upi ${target.upiId}` : `bank ${target.ifsc} ${target.accountNumber}`;

export function maskOf(target: PayoutTarget): string {
	if (target.method === 'BANK') return `••••${target.accountNumber.slice(-4)}`;
	const [name = '', bank = ''] = target.upiId.split('@');
	return `${name.slice(0, 1)}••••@${bank}`;
}
