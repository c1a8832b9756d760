/** Pictures of receipts and of identity documents, encrypted in the database, for their owner and operators. */
import { randomUUID } from 'node:crypto';
import type { EncryptedStoreOptions } from '#server/platform/keys/data-keys.ts';
import type { Media } from '#server/platform/media/media.ts';
import { Turns } from '#server/platform/pacing/turns.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { PlayerId } from '#values/ids.ts';
import { DAY_MS } from '#values/time.ts';

/** A player's pictures that belong to no deposit and no document. */
const MOST_UNUSED = 20;
/** The format of every cleaned picture. */
const TYPE = 'image/webp';

interface StoredAs {
	imageRef: string;
	width: number;
	height: number;
}

interface StoredImage {
	imageRef: string;
	playerId: PlayerId;
	type: string;
	hash: string;
	bytes: Buffer;
}

interface ImagesOptions extends EncryptedStoreOptions {
	media: Pick<Media, 'clean'>;
}

export class Images {
	readonly #options: ImagesOptions;
	/** A player's pictures are counted and stored one at a time. */
	readonly #turns = new Turns();

	constructor(options: ImagesOptions) {
		this.#options = options;
	}

	/**
	 * @param untilMs of the monotonic clock
	 * @throws Refused THROTTLED, those of Media.clean; then nothing is stored
	 */
	async store(playerId: PlayerId, base64: string, untilMs: number): Promise<StoredAs> {
		return await this.#turns.take(String(playerId), () => this.#store(playerId, base64, untilMs));
	}

	async #store(playerId: PlayerId, base64: string, untilMs: number): Promise<StoredAs> {
		const { rows } = await this.#options.db.query<{ count: number }>(
			'select count(*)::int as count from stored_image where player_id = $1 and at > $2 and not is_used',
			[playerId, this.#options.clock() - DAY_MS],
		);
		if ((rows[0]?.count ?? 0) >= MOST_UNUSED) throw new Refused('THROTTLED');
		const image = await this.#options.media.clean(Buffer.from(base64, 'base64'), untilMs);
		const imageRef = randomUUID();
		const { keyId, bytes } = this.#options.keys.seal(Buffer.from(image.bytes), `image ${imageRef}`);
		await this.#options.db.query(
			`insert into stored_image (image_ref, player_id, at, type, hash, key_id, bytes, is_used)
			 values ($1, $2, $3, $4, $5, $6, $7, false)`,
			[imageRef, playerId, this.#options.clock(), TYPE, image.hash, keyId, bytes],
		);
		return { imageRef, width: image.width, height: image.height };
	}

	/** @param playerId null for operators. @throws Refused NOT_FOUND */
	async find(imageRef: string, playerId: PlayerId | null): Promise<StoredImage> {
		const { rows } = await this.#options.db.query<StoredImage & { keyId: string }>(
			`select image_ref as "imageRef", player_id as "playerId", type, hash, key_id as "keyId", bytes from stored_image
			 where image_ref = $1 and ($2::bigint is null or player_id = $2)`,
			[imageRef, playerId],
		);
		const [row] = rows;
		if (!row) throw new Refused('NOT_FOUND');
		const { keyId, ...image } = row;
		return { ...image, bytes: this.#options.keys.open({ keyId, bytes: row.bytes }, `image ${imageRef}`) };
	}

	/** Marks the picture as part of a deposit. */
	async use(imageRef: string): Promise<void> {
		await this.#options.db.query('update stored_image set is_used = true where image_ref = $1', [imageRef]);
	}

	/**
	 * Deletes pictures that belong to nothing after a day, and those of deposits older than a moment. A crash may have
	 * prevented the mark of a used picture, so deposits are checked as well. The pictures of a document stay as long as
	 * it does.
	 */
	async prune(beforeMs: number): Promise<void> {
		await this.#options.db.query(
			`delete from stored_image where (at < $2 or at < $1 and not is_used and not exists (
			   select 1 from workflow where kind = 'DEPOSIT' and wallet_id = player_id and data ->> 'imageRef' = image_ref
			 )) and not exists (select 1 from identity_document where image_refs @> array[image_ref])`,
			[this.#options.clock() - DAY_MS, beforeMs],
		);
	}

	/** Seals pictures of an older key with the current one, one at a time. */
	async sealAnew(): Promise<void> {
		const { db, keys } = this.#options;
		for (;;) {
			const { rows } = await db.query<{ imageRef: string; keyId: string; bytes: Buffer }>(
				'select image_ref as "imageRef", key_id as "keyId", bytes from stored_image where key_id <> $1 limit 1',
				[keys.presentId],
			);
			const [image] = rows;
			if (!image) return;
			const about = `image ${image.imageRef}`;
			const { keyId, bytes } = keys.seal(keys.open(image, about), about);
			await db.query('update stored_image set key_id = $2, bytes = $3 where image_ref = $1', [
				image.imageRef,
				keyId,
				bytes,
			]);
		}
	}
}
