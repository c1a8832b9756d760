/**
 * Identity documents of players. The number is sealed, the pictures are stored images, and a player has one document
 * under review at a time. Operators' decisions change the document and the player in one transaction.
 */
import { randomUUID } from 'node:crypto';
import type { FundsLedger } from '#server/money/funds/funds-ledger.ts';
import { type Client, renameDocument } from '#server/money/funds/protection/exclusions.ts';
import type { Protection } from '#server/money/funds/protection/protection.ts';
import type { Changer } from '#server/money/funds/protection/protection-records.ts';
import type { EncryptedStoreOptions } from '#server/platform/keys/data-keys.ts';
import type { Journal } from '#server/platform/postgres/journal.ts';
import { inTransaction } from '#server/platform/postgres/transaction.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { DocumentKind } from '#values/identity-documents.ts';
import type { PlayerId } from '#values/ids.ts';

const SHOWN_CHARACTERS = 4;
/** Per player; more are refused until the oldest are erased. */
const MOST_DOCUMENTS = 20;

export interface IdentityDocument {
	documentId: string;
	playerId: PlayerId;
	atMs: number;
	kind: DocumentKind;
	masked: string;
	imageRefs: string[];
	state: 'SUBMITTED' | 'ACCEPTED' | 'REJECTED';
	decidedAtMs: number | null;
	decidedBy: string | null;
	reason: string | null;
}

export type DocumentListener = (
	playerId: PlayerId,
	document: { id: string; state: IdentityDocument['state']; atMs: number },
) => void;

const COLUMNS = `document_id as "documentId", player_id as "playerId", at as "atMs", kind, masked,
	image_refs as "imageRefs", state, decided_at as "decidedAtMs", decided_by as "decidedBy", reason`;

/** The keyed fingerprint of this text identifies a document, regardless of how its number is written. */
export const documentText = (kindAndNumber: string): string =>
	`document ${kindAndNumber.toLowerCase().replace(/[^a-z0-9]/g, '')}`;

interface DocumentsOptions extends EncryptedStoreOptions {
	ledger: Pick<FundsLedger, 'turns'>;
	journal: Journal;
	protection: Pick<Protection, 'identify'>;
	/** A document was sent or decided: the player's screens are updated. */
	onDocument: DocumentListener;
	/** The player is verified from now on: withdrawals waiting for it continue. */
	onVerified: (playerId: PlayerId) => Promise<void>;
}

/** An operator's decision about a document. */
interface Decision {
	playerId: PlayerId;
	documentId: string;
	by: Changer;
}

export class Documents {
	readonly #options: DocumentsOptions;

	constructor(options: DocumentsOptions) {
		this.#options = options;
	}

	/** A player's documents, newest first. */
	async of(playerId: PlayerId): Promise<IdentityDocument[]> {
		return await this.#where('player_id = $1 order by at desc', [playerId]);
	}

	/** Documents under review, oldest first. @param brands hosts; null for all */
	async waiting(most: number, brands: readonly string[] | null): Promise<IdentityDocument[]> {
		return await this.#where(
			`state = 'SUBMITTED'
			   and ($2::text[] is null or exists (select 1 from player where player.player_id = identity_document.player_id
			     and brand = any ($2))) order by at limit $1`,
			[most, brands],
		);
	}

	/** @throws Refused NOT_FOUND */
	async find(playerId: PlayerId, documentId: string): Promise<IdentityDocument> {
		const [found] = await this.#where('player_id = $1 and document_id = $2', [playerId, documentId]);
		if (!found) throw new Refused('NOT_FOUND');
		return found;
	}

	async #where(condition: string, values: unknown[]): Promise<IdentityDocument[]> {
		const sql = `select ${COLUMNS} from identity_document where ${condition}`;
		return (await this.#options.db.query<IdentityDocument>(sql, values)).rows;
	}

	/** The number in the clear, for operators. */
	async numberOf(documentId: string): Promise<string> {
		const { rows } = await this.#options.db.query<{ keyId: string; bytes: Buffer }>(
			'select key_id as "keyId", number as bytes from identity_document where document_id = $1',
			[documentId],
		);
		const [sealed] = rows;
		if (!sealed) throw new Refused('NOT_FOUND');
		return this.#options.keys.open(sealed, aboutDocument(documentId)).toString('utf8');
	}

	/**
	 * Stores a document, and exempts its pictures from erasure after a day. A repeated request stores nothing more.
	 * @throws Refused NOT_FOUND for a picture that the player did not store, WRONG_STATE while another document is under
	 * review or if the request differs from the first, THROTTLED
	 */
	async submit(
		playerId: PlayerId,
		{ kind, number, imageRefs }: { kind: DocumentKind; number: string; imageRefs: readonly string[] },
		requestId: string,
	): Promise<void> {
		const { db, keys, clock, ledger } = this.#options;
		const documentId = randomUUID();
		const written = number.toUpperCase().replace(/[^A-Z0-9]/g, '');
		const { keyId, bytes } = keys.seal(Buffer.from(written), aboutDocument(documentId));
		const fingerprint = keys.fingerprint(documentText(`${kind} ${written}`));
		const refs = [...new Set(imageRefs)];
		await ledger.turns.take(turnOf(playerId), () =>
			inTransaction(db, async (client) => {
				const { rows: known } = await client.query<{ requestId: string; state: string; isSame: boolean }>(
					`select request_id as "requestId", state, fingerprint = $2 and image_refs = $3 as "isSame"
					 from identity_document where player_id = $1`,
					[playerId, fingerprint, refs],
				);
				const earlier = known.find((document) => document.requestId === requestId);
				if (earlier?.isSame) return;
				const waits = known.find(({ state }) => state === 'SUBMITTED');
				if (earlier || waits) throw new Refused('WRONG_STATE', { state: (earlier ?? waits)?.state });
				if (known.length >= MOST_DOCUMENTS) throw new Refused('THROTTLED');
				const { rowCount } = await client.query(
					'update stored_image set is_used = true where image_ref = any ($1) and player_id = $2',
					[refs, playerId],
				);
				if (rowCount !== refs.length) throw new Refused('NOT_FOUND');
				await client.query(
					`insert into identity_document (document_id, player_id, request_id, at, kind, masked, fingerprint, key_id, number,
					   image_refs, state) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'SUBMITTED')`,
					[documentId, playerId, requestId, clock(), kind, maskOf(written), fingerprint, keyId, bytes, refs],
				);
			}),
		);
		this.#emit(playerId, documentId, 'SUBMITTED');
	}

	/**
	 * Confirms identity and age of the player.
	 * @param age in years, as the document says
	 * @throws Refused NOT_FOUND, WRONG_STATE if it has been decided
	 */
	async accept({ playerId, documentId, by }: Decision, age: number): Promise<void> {
		const { keys, protection, ledger, onVerified } = this.#options;
		await ledger.turns.take(turnOf(playerId), async () => {
			await this.#check({ playerId, documentId });
			const { kind } = await this.find(playerId, documentId);
			const text = documentText(`${kind} ${await this.numberOf(documentId)}`);
			await protection.identify(playerId, { document: keys.fingerprints(text), age }, by, (client) =>
				this.#decide(client, { documentId, by }, 'ACCEPTED', null),
			);
		});
		this.#emit(playerId, documentId, 'ACCEPTED');
		await onVerified(playerId);
	}

	/** @param reason for the player. @throws Refused NOT_FOUND, WRONG_STATE if it has been decided */
	async reject({ playerId, documentId, by }: Decision, reason: string): Promise<void> {
		const { journal, ledger } = this.#options;
		await ledger.turns.take(turnOf(playerId), async () => {
			await this.#check({ playerId, documentId });
			await journal.change(async (client) => {
				await this.#decide(client, { documentId, by }, 'REJECTED', reason);
				const details = { documentId, reason };
				return { result: undefined, act: { ...by, act: 'DOCUMENT_REJECTED', subject: `player ${playerId}`, details } };
			});
		});
		this.#emit(playerId, documentId, 'REJECTED');
	}

	async #check({ playerId, documentId }: Omit<Decision, 'by'>): Promise<void> {
		const { state } = await this.find(playerId, documentId);
		if (state !== 'SUBMITTED') throw new Refused('WRONG_STATE', { state });
	}

	async #decide(
		client: Client,
		{ documentId, by }: Pick<Decision, 'documentId' | 'by'>,
		state: 'ACCEPTED' | 'REJECTED',
		reason: string | null,
	): Promise<void> {
		const { rowCount } = await client.query(
			`update identity_document set state = $2, decided_at = $3, decided_by = $4, reason = $5
			 where document_id = $1 and state = 'SUBMITTED'`,
			[documentId, state, this.#options.clock(), by.actor, reason],
		);
		if (rowCount !== 1) throw new Refused('WRONG_STATE');
	}

	#emit(playerId: PlayerId, id: string, state: IdentityDocument['state']): void {
		this.#options.onDocument(playerId, { id, state, atMs: this.#options.clock() });
	}

	/**
	 * Deletes documents that were decided before a moment; the player stays verified. Documents under review are kept.
	 */
	async prune(beforeMs: number): Promise<void> {
		await this.#options.db.query('delete from identity_document where decided_at < $1', [beforeMs]);
	}

	/**
	 * Seals data of an older key with the current one. Fingerprints depend on the key, too, including those that
	 * identify players and excluded persons.
	 */
	async sealAnew(): Promise<void> {
		const { db, keys } = this.#options;
		const { rows } = await db.query<{
			documentId: string;
			kind: string;
			fingerprint: string;
			keyId: string;
			bytes: Buffer;
		}>(
			`select document_id as "documentId", kind, fingerprint, key_id as "keyId", number as bytes from identity_document
			 where key_id <> $1`,
			[keys.presentId],
		);
		for (const { documentId, kind, fingerprint: before, ...sealed } of rows) {
			const number = keys.open(sealed, aboutDocument(documentId));
			const { keyId, bytes } = keys.seal(number, aboutDocument(documentId));
			const fingerprint = keys.fingerprint(documentText(`${kind} ${number.toString('utf8')}`));
			await inTransaction(db, async (client) => {
				await client.query(
					'update identity_document set key_id = $2, number = $3, fingerprint = $4 where document_id = $1',
					[documentId, keyId, bytes, fingerprint],
				);
				await renameDocument(client, [before], fingerprint);
			});
		}
	}
}

const turnOf = (playerId: PlayerId): string => `documents ${playerId}`;
const aboutDocument = (documentId: string): string => `document ${documentId}`;
const maskOf = (number: string): string => `••••${number.slice(-SHOWN_CHARACTERS)}`;
