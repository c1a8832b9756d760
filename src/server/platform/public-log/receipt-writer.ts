/**
 * Signs receipts. Those that are asked for until a batch is sealed are under one root, which this batch writes. It is
 * durable before a receipt under it is given out, so that the public log has the root of every receipt.
 */
import { hash, randomBytes } from 'node:crypto';
import { checkpointText } from '#public-log/checkpoint.ts';
import { wholeTree } from '#public-log/merkle-tree.ts';
import { type Receipt, receiptsOrigin, type Statement } from '#public-log/receipt.ts';
import { signatureLine, type VerifierKey, verifierKeyText } from '#public-log/signed-note.ts';
import { TILE_WIDTH } from '#public-log/tiles.ts';
import { type LogKey, logKeyOf } from '#server/platform/keys/log-key.ts';
import type { ReceiptRootRow, RootMaker } from '#server/platform/public-log/receipt-root.ts';
import { canonicalJson } from '#values/canonical-json.ts';

const ID_BYTES = 8;
const SALT_BYTES = 16;
/** One tile of hashes, without its root. */
const MOST_TOGETHER = TILE_WIDTH - 1;
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
	/** Writes the root with the next batch. */
	writeRoot: (make: RootMaker) => Promise<void>;
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
	/** A root is ordered that will have what is asked for. */
	#isOrdered = false;

	constructor(options: ReceiptWriterOptions) {
		this.#options = options;
		this.#signer = logKeyOf(options.ledgerKey);
		this.#key = receiptKeyOf(this.#signer);
	}

	/** @throws the error of the batch that has the root */
	receipt(statement: Confirmed): Promise<Receipt> {
		return new Promise((resolve, reject) => {
			this.#asked.push({ statement, resolve, reject });
			if (!this.#isOrdered) void this.#order();
		});
	}

	/** Everything that is asked for until the next batch is sealed is under one root. */
	async #order(): Promise<void> {
		this.#isOrdered = true;
		let together: readonly Asked[] = [];
		let receipts: () => Receipt[] = () => [];
		try {
			await this.#options.writeRoot(() => {
				together = this.#taken();
				const { row, receiptsOf } = this.#treeOf(together.map(({ statement }) => statement));
				receipts = receiptsOf;
				return row;
			});
		} catch (error) {
			// Refused before a batch was sealed: nobody else gives an answer to those that asked.
			if (together.length === 0) together = this.#taken();
			for (const { reject } of together) reject(error);
			return;
		}
		const signed = receipts();
		for (const [at, { resolve }] of together.entries()) resolve(signed[at] as Receipt);
	}

	#taken(): Asked[] {
		const together = this.#asked.splice(0, MOST_TOGETHER);
		this.#isOrdered = false;
		if (this.#asked.length > 0) void this.#order();
		return together;
	}

	/** The tree of the statements; its root is signed once it is durable. */
	#treeOf(statements: readonly Confirmed[]): { row: ReceiptRootRow; receiptsOf: () => Receipt[] } {
		const size = statements.length;
		const salts = randomBytes(size * SALT_BYTES);
		const [at, batch] = [this.#options.clock(), this.#options.batch()];
		const texts = statements.map(({ call, clientRequestId, host, player, result }, index) => {
			const salt = salts.toString('hex', index * SALT_BYTES, (index + 1) * SALT_BYTES);
			return canonicalJson({ at, batch, call, clientRequestId, host, player, result, salt });
		});
		const { root, paths } = wholeTree(texts.map(leafOf), nodeOf);
		const id = randomBytes(ID_BYTES).toString('hex');
		return {
			row: { id, size, root: Buffer.from(root), atMs: at },
			receiptsOf: () => {
				const signed = checkpointText({ origin: receiptsOrigin(this.#key.name, id), size, root });
				const note = `${signed}\n${signatureLine(this.#key, this.#signer.sign(signed))}`;
				const base64 = new Map([...new Set(paths.flat())].map((node) => [node, Buffer.from(node).toString('base64')]));
				return texts.map((statement, index) => ({
					statement,
					index,
					path: (paths[index] as Uint8Array[]).map((node) => base64.get(node) as string),
					root: note,
				}));
			},
		};
	}
}

/** OpenSSL takes a fifth of the time that the hashes of `public-log` take, which run in every browser. */
const leafOf = (text: string): Uint8Array => hash('sha256', Buffer.from(`\0${text}`), 'buffer');
const nodeOf = (left: Uint8Array, right: Uint8Array): Uint8Array =>
	hash('sha256', Buffer.concat([NODE, left, right]), 'buffer');
