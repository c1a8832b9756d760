/**
 * Signs receipts. Those that are asked for while roots are written are signed together afterwards. A root is durable before
 * a receipt under it is given out, so that the public log has the root of every receipt.
 */
import { hash, randomBytes } from 'node:crypto';
import type pg from 'pg';
import { checkpointText } from '#public-log/checkpoint.ts';
import { wholeTree } from '#public-log/merkle-tree.ts';
import { type Receipt, receiptsOrigin, type Statement } from '#public-log/receipt.ts';
import { signatureLine, type VerifierKey, verifierKeyText } from '#public-log/signed-note.ts';
import { TILE_WIDTH } from '#public-log/tiles.ts';
import { type LogKey, logKeyOf } from '#server/platform/keys/log-key.ts';
import { canonicalJson } from '#values/canonical-json.ts';

const ID_BYTES = 8;
const SALT_BYTES = 16;
/** One tile of hashes, without its root. */
const MOST_TOGETHER = TILE_WIDTH - 1;
/** Receipts of this moment do not wait until the root of the moment before is durable. */
const MOST_WRITING = 1;
/** Before the two hashes of a node, as RFC 6962 has it. */
const NODE = Buffer.from([1]);

/** The rest of the statement is known when its root is written. */
type Confirmed = Omit<Statement, 'salt' | 'at' | 'batch'>;

interface Asked {
	statement: Confirmed;
	resolve(receipt: Receipt): void;
	reject(error: unknown): void;
}

interface ReceiptWriterOptions {
	db: pg.Pool;
	ledgerKey: string;
	clock: () => number;
	/** The newest durable batch. */
	batch: () => number;
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
	/** Roots that are on their way. */
	#writing = 0;

	constructor(options: ReceiptWriterOptions) {
		this.#options = options;
		this.#signer = logKeyOf(options.ledgerKey);
		this.#key = receiptKeyOf(this.#signer);
	}

	/** @throws the database's error if the root could not be written */
	receipt(statement: Confirmed): Promise<Receipt> {
		return new Promise((resolve, reject) => {
			this.#asked.push({ statement, resolve, reject });
			if (this.#writing < MOST_WRITING) void this.#writeAll();
		});
	}

	async #writeAll(): Promise<void> {
		this.#writing += 1;
		while (this.#asked.length > 0) {
			const together = this.#asked.splice(0, MOST_TOGETHER);
			try {
				const receipts = await this.#write(together.map(({ statement }) => statement));
				for (const [at, { resolve }] of together.entries()) resolve(receipts[at] as Receipt);
			} catch (error) {
				for (const { reject } of together) reject(error);
			}
		}
		this.#writing -= 1;
	}

	async #write(statements: readonly Confirmed[]): Promise<Receipt[]> {
		const size = statements.length;
		const salts = randomBytes(size * SALT_BYTES);
		const [at, batch] = [this.#options.clock(), this.#options.batch()];
		const texts = statements.map(({ call, clientRequestId, host, player, result }, index) => {
			const salt = salts.toString('hex', index * SALT_BYTES, (index + 1) * SALT_BYTES);
			return canonicalJson({ at, batch, call, clientRequestId, host, player, result, salt });
		});
		const { root, paths } = wholeTree(texts.map(leafOf), nodeOf);
		const id = randomBytes(ID_BYTES).toString('hex');
		await this.#options.db.query('insert into receipt_root (id, size, root, at) values ($1, $2, $3, $4)', [
			id,
			size,
			Buffer.from(root),
			at,
		]);
		const signed = checkpointText({ origin: receiptsOrigin(this.#key.name, id), size, root });
		const note = `${signed}\n${signatureLine(this.#key, this.#signer.sign(signed))}`;
		const base64 = new Map([...new Set(paths.flat())].map((hash) => [hash, Buffer.from(hash).toString('base64')]));
		return texts.map((statement, index) => ({
			statement,
			index,
			path: (paths[index] as Uint8Array[]).map((hash) => base64.get(hash) as string),
			root: note,
		}));
	}
}

/** OpenSSL takes a fifth of the time that the hashes of `public-log` take, which run in every browser. */
const leafOf = (text: string): Uint8Array => hash('sha256', Buffer.from(`\0${text}`), 'buffer');
const nodeOf = (left: Uint8Array, right: Uint8Array): Uint8Array =>
	hash('sha256', Buffer.concat([NODE, left, right]), 'buffer');
