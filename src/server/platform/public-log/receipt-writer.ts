/**
 * Signs receipts. Those that are asked for until a batch is sealed are under one root, which this batch writes. It is
 * durable before a receipt under it is given out, so that the public log has the root of every receipt.
 */
import { createHash, hash, randomBytes } from 'node:crypto';
import type pg from 'pg';
import { checkpointText } from '#public-log/checkpoint.ts';
import { HASH_BYTES, rootOfTree, wholeTree } from '#public-log/merkle-tree.ts';
import { type LaterReceipt, type Receipt, receiptsOrigin, type Statement, statementText } from '#public-log/receipt.ts';
import { signatureLine, type VerifierKey, verifierKeyText } from '#public-log/signed-note.ts';
import { TILE_WIDTH } from '#public-log/tiles.ts';
import { type LogKey, logKeyOf } from '#server/platform/keys/log-key.ts';
import type { ReceiptRootRow, RootMaker } from '#server/platform/public-log/receipt-root.ts';

const ID_BYTES = 8;
const SALT_BYTES = 16;
const SEED_BYTES = 32;
/** One tile of hashes, without its root. */
const MOST_TOGETHER = TILE_WIDTH - 1;
/** Before the two hashes of a node, as RFC 6962 has it. */
const NODE = Buffer.from([1]);

/** The rest of the statement is known when its root is written. */
type Confirmed = Omit<Statement, 'salt' | 'at' | 'batch'>;

interface Asked {
	statement: Confirmed;
	/** Whether the reference of the receipt is enough. */
	isLater: boolean;
	resolve(given: Receipt | string): void;
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
	#asked: Asked[] = [];
	/** A root is ordered that will have what is asked for. */
	#isOrdered = false;

	constructor(options: ReceiptWriterOptions) {
		this.#options = options;
		this.#signer = logKeyOf(options.ledgerKey);
	}

	/** @throws the error of the batch that has the root */
	receipt(statement: Confirmed): Promise<Receipt> {
		return this.#ask(statement, false) as Promise<Receipt>;
	}

	/** Of a receipt that `receiptOnDemand` gives: ID.INDEX. @throws as `receipt` */
	reference(statement: Confirmed): Promise<string> {
		return this.#ask(statement, true) as Promise<string>;
	}

	#ask(statement: Confirmed, isLater: boolean): Promise<Receipt | string> {
		return new Promise((resolve, reject) => {
			this.#asked.push({ statement, isLater, resolve, reject });
			if (!this.#isOrdered) void this.#order();
		});
	}

	/** Everything that is asked for until the next batch is sealed is under one root. */
	async #order(): Promise<void> {
		this.#isOrdered = true;
		const sealed: { together: readonly Asked[]; tree: Tree }[] = [];
		try {
			await this.#options.writeRoot(() => {
				const together = this.#taken();
				const tree = this.#treeOf(together);
				sealed.push({ together, tree });
				return tree.row;
			});
			for (const { together, tree } of sealed) this.#give(together, tree);
		} catch (error) {
			// A root that was refused before its batch was sealed has taken none of those that asked.
			for (const { reject } of sealed[0]?.together ?? this.#taken()) reject(error);
		}
	}

	#taken(): Asked[] {
		const together = this.#asked.splice(0, MOST_TOGETHER);
		this.#isOrdered = false;
		if (this.#asked.length > 0) void this.#order();
		return together;
	}

	#treeOf(asked: readonly Asked[]): Tree {
		const [at, batch] = [this.#options.clock(), this.#options.batch()];
		const seed = randomBytes(SEED_BYTES);
		const saltOf = saltsOf(seed, asked.length);
		const texts = asked.map(({ statement }, index) => statementText({ ...statement, at, batch, salt: saltOf(index) }));
		const leaves = texts.map(leafOf);
		const isOnDemand = asked.some(({ isLater }) => isLater);
		const row: ReceiptRootRow = {
			id: randomBytes(ID_BYTES).toString('hex'),
			size: asked.length,
			root: Buffer.from(rootOfTree(leaves, nodeOf)),
			atMs: at,
			onDemand: isOnDemand ? { batch, seed, leaves: Buffer.concat(leaves) } : null,
		};
		return { row, texts, leaves };
	}

	/** The root is durable. */
	#give(together: readonly Asked[], { row, texts, leaves }: Tree): void {
		const pathOf = lazy(() => pathsOf(leaves));
		const note = lazy(() => signedRoot(this.#signer, row));
		for (const [index, { isLater, resolve }] of together.entries())
			resolve(
				isLater
					? `${row.id}.${index}`
					: { statement: texts[index] as string, index, path: pathOf()(index), root: note() },
			);
	}
}

interface Tree {
	row: ReceiptRootRow;
	texts: readonly string[];
	leaves: readonly Uint8Array[];
}

/** Computed when it is first needed. */
function lazy<Value>(compute: () => Value): () => Value {
	let value: { of: Value } | null = null;
	return () => {
		value ??= { of: compute() };
		return value.of;
	};
}

/** All salts from one seed, so that the seed alone is stored. */
function saltsOf(seed: Buffer, count: number): (index: number) => string {
	const bytes = createHash('shake256', { outputLength: count * SALT_BYTES })
		.update(seed)
		.digest();
	return (index) => bytes.toString('hex', index * SALT_BYTES, (index + 1) * SALT_BYTES);
}

/** Base64, each node encoded once. */
function pathsOf(leaves: readonly Uint8Array[]): (index: number) => string[] {
	const { paths } = wholeTree(leaves, nodeOf);
	const base64 = new Map([...new Set(paths.flat())].map((node) => [node, Buffer.from(node).toString('base64')]));
	return (index) => (paths[index] as Uint8Array[]).map((node) => base64.get(node) as string);
}

function signedRoot(signer: LogKey, { id, size, root }: Pick<ReceiptRootRow, 'id' | 'size' | 'root'>): string {
	const key = receiptKeyOf(signer);
	const text = checkpointText({ origin: receiptsOrigin(key.name, id), size, root });
	return `${text}\n${signatureLine(key, signer.sign(text))}`;
}

/**
 * The receipt of a reference, ID.INDEX, as often as it is asked for. It names no player: the client alone knows the rest of
 * the statement.
 * @returns null for a reference that was never given
 */
export async function receiptOnDemand(
	db: Pick<pg.Pool, 'query'>,
	ledgerKey: string,
	reference: string,
): Promise<LaterReceipt | null> {
	const [, id, place = ''] = /^([0-9a-f]{16})\.(\d{1,3})$/.exec(reference) ?? [];
	if (id === undefined) return null;
	const { rows } = await db.query<{
		size: number;
		root: Buffer;
		at: number;
		batch: number;
		seed: Buffer;
		leaves: Buffer;
	}>('select size, root, at, batch, seed, leaves from receipt_root where id = $1 and leaves is not null', [id]);
	const [row] = rows;
	const index = Number(place);
	if (!row || index >= row.size) return null;
	const { size, root, at, batch, seed } = row;
	const leaves = Array.from({ length: size }, (_, leaf) =>
		row.leaves.subarray(leaf * HASH_BYTES, (leaf + 1) * HASH_BYTES),
	);
	return {
		at,
		batch,
		salt: saltsOf(seed, size)(index),
		index,
		path: pathsOf(leaves)(index),
		root: signedRoot(logKeyOf(ledgerKey), { id, size, root }),
	};
}

/** OpenSSL takes a fifth of the time that the hashes of `public-log` take, which run in every browser. */
const leafOf = (text: string): Uint8Array => hash('sha256', Buffer.from(`\0${text}`), 'buffer');
const nodeOf = (left: Uint8Array, right: Uint8Array): Uint8Array =>
	hash('sha256', Buffer.concat([NODE, left, right]), 'buffer');
