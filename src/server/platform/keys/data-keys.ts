/**
 * Encrypts data that the database must not reveal: bank details, receipts, second factors, secrets of games.
 * AES-256-GCM. A sealed text names its key, so keys rotate: the first one seals, the others only open.
 */
import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import type pg from 'pg';

const IV_BYTES = 12;
const TAG_BYTES = 16;

export interface Sealed {
	keyId: string;
	/** Initialization vector, tag, text. */
	bytes: Buffer;
}

/** The parts of a store of encrypted rows. */
export interface EncryptedStoreOptions {
	db: pg.Pool;
	keys: DataKeys;
	clock: () => number;
}

export class DataKeys {
	readonly #keys = new Map<string, Buffer>();
	readonly #first: string;

	/** @param secrets the current one first */
	constructor(secrets: readonly string[]) {
		for (const secret of secrets) {
			const key = Buffer.from(hkdfSync('sha256', secret, '', 'personal data', 32));
			this.#keys.set(createHash('sha256').update(key).digest('hex').slice(0, 8), key);
		}
		this.#first = this.#keys.keys().next().value ?? '';
	}

	/** Of the key that seals. */
	get presentId(): string {
		return this.#first;
	}

	/** Whether it opens what the key of that id sealed. */
	has(id: string): boolean {
		return this.#keys.has(id);
	}

	/** @param about the owner of the content; the text cannot be opened for another owner */
	seal(content: Buffer, about: string): Sealed {
		const iv = randomBytes(IV_BYTES);
		const cipher = createCipheriv('aes-256-gcm', this.#key(this.#first), iv).setAAD(Buffer.from(about));
		const text = Buffer.concat([cipher.update(content), cipher.final()]);
		return { keyId: this.#first, bytes: Buffer.concat([iv, cipher.getAuthTag(), text]) };
	}

	/** @throws Error if the key is unknown, or the bytes were changed or belong to another owner */
	open({ keyId, bytes }: Sealed, about: string): Buffer {
		const decipher = createDecipheriv('aes-256-gcm', this.#key(keyId), bytes.subarray(0, IV_BYTES));
		decipher.setAAD(Buffer.from(about)).setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
		return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
	}

	/** The same content under the sealing key, so that an older key can be removed; null if it already is. */
	sealedAnew(sealed: Sealed, about: string): Sealed | null {
		return sealed.keyId === this.#first ? null : this.seal(this.open(sealed, about), about);
	}

	/** Equal for equal contents, and useless without the key: finds details that two accounts share. */
	fingerprint(content: string): string {
		return fingerprintBy(this.#key(this.#first), content);
	}

	/**
	 * The fingerprints of a content under all keys, the current one's first, for contents known only by an older key.
	 */
	fingerprints(content: string): [present: string, ...earlier: string[]] {
		const earlier = [...this.#keys].filter(([id]) => id !== this.#first);
		return [this.fingerprint(content), ...earlier.map(([, key]) => fingerprintBy(key, content))];
	}

	#key(id: string): Buffer {
		const key = this.#keys.get(id);
		if (!key) throw new Error(`no data key ${id}`);
		return key;
	}
}

const fingerprintBy = (key: Buffer, content: string): string =>
	createHmac('sha256', key).update(content).digest('base64url');
