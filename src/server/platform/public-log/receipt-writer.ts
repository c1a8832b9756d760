/**
 * Signs receipts. Those that are asked for while a root is written are signed together afterwards. A root is durable before
 * a receipt under it is given out, so that the public log has the root of every receipt.
 */
import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { toBase64 } from '#public-log/base64.ts';
import { checkpointText } from '#public-log/checkpoint.ts';
import { HASH_BYTES, inclusionProof, leafHash, treeRoot } from '#public-log/merkle-tree.ts';
import { type Receipt, receiptsOrigin, type Statement } from '#public-log/receipt.ts';
import { signatureLine, type VerifierKey, verifierKeyText } from '#public-log/signed-note.ts';
import { nodesFrom, TILE_WIDTH } from '#public-log/tiles.ts';
import { type LogKey, logKeyOf } from '#server/platform/keys/log-key.ts';
import { canonicalJson } from '#values/canonical-json.ts';

const ID_BYTES = 8;
const SALT_BYTES = 16;
/** One tile of hashes, without its root. */
const MOST_TOGETHER = TILE_WIDTH - 1;

interface Asked {
	text: string;
	resolve(receipt: Receipt): void;
	reject(error: unknown): void;
}

interface ReceiptWriterOptions {
	db: pg.Pool;
	ledgerKey: string;
	clock: () => number;
}

/** The public key of receipts; it differs from that of the log by its name. */
const receiptKeyOf = ({ name, publicKey }: LogKey): VerifierKey => ({
	name: `${name}/receipts`,
	kind: 'log',
	publicKey,
});

/** The key with which receipts are checked, NAME+ID+KEY. */
export const receiptKeyText = (ledgerKey: string): string => verifierKeyText(receiptKeyOf(logKeyOf(ledgerKey)));

export class ReceiptWriter {
	readonly #options: ReceiptWriterOptions;
	readonly #signer: LogKey;
	readonly #key: VerifierKey;
	#asked: Asked[] = [];
	#isWriting = false;

	constructor(options: ReceiptWriterOptions) {
		this.#options = options;
		this.#signer = logKeyOf(options.ledgerKey);
		this.#key = receiptKeyOf(this.#signer);
	}

	/** @throws the database's error if the root could not be written */
	receipt(statement: Omit<Statement, 'salt'>): Promise<Receipt> {
		const text = canonicalJson({ ...statement, salt: randomBytes(SALT_BYTES).toString('hex') });
		return new Promise((resolve, reject) => {
			this.#asked.push({ text, resolve, reject });
			if (!this.#isWriting) void this.#writeAll();
		});
	}

	async #writeAll(): Promise<void> {
		this.#isWriting = true;
		while (this.#asked.length > 0) {
			const together = this.#asked.splice(0, MOST_TOGETHER);
			try {
				const receipts = await this.#write(together.map(({ text }) => text));
				for (const [at, { resolve }] of together.entries()) resolve(receipts[at] as Receipt);
			} catch (error) {
				for (const { reject } of together) reject(error);
			}
		}
		this.#isWriting = false;
	}

	async #write(texts: readonly string[]): Promise<Receipt[]> {
		const size = texts.length;
		const hashes = Buffer.concat(texts.map((text) => leafHash(Buffer.from(text))));
		const nodes = nodesFrom(async ({ width }) => hashes.subarray(0, width * HASH_BYTES), size);
		const id = randomBytes(ID_BYTES).toString('hex');
		const root = await treeRoot(nodes, size);
		await this.#options.db.query('insert into receipt_root (id, size, root, at) values ($1, $2, $3, $4)', [
			id,
			size,
			Buffer.from(root),
			this.#options.clock(),
		]);
		const signed = checkpointText({ origin: receiptsOrigin(this.#key.name, id), size, root });
		const note = `${signed}\n${signatureLine(this.#key, this.#signer.sign(signed))}`;
		return await Promise.all(
			texts.map(async (statement, index) => ({
				statement,
				index,
				path: (await inclusionProof(nodes, index, size)).map(toBase64),
				root: note,
			})),
		);
	}
}
