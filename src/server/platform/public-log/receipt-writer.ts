/**
 * Signs receipts. Those that are asked for until a batch is sealed are under one root, which this batch writes. It is
 * durable before a receipt under it is given out, so that the public log has the root of every receipt. An answer with a
 * reference does not wait for it: if the process dies first, the reference names nothing, and a repeated request has another.
 */
import { createHash, randomBytes } from 'node:crypto';
import type pg from 'pg';
import { checkpointText } from '#public-log/checkpoint.ts';
import { HASH_BYTES, rootOfTree, wholeTree } from '#public-log/merkle-tree.ts';
import { type LaterReceipt, type Receipt, receiptsOrigin, type Statement, statementText } from '#public-log/receipt.ts';
import { signatureLine, type VerifierKey, verifierKeyText } from '#public-log/signed-note.ts';
import { type LogKey, logKeyOf } from '#server/platform/keys/log-key.ts';
import type { ReceiptRootRow, RootMaker } from '#server/platform/public-log/receipt-root.ts';
import { leafOf, nodeOf } from '#server/platform/public-log/tree-hashes.ts';

/**
 * How long references wait for others under their root, unless one is asked for: each root costs rows, a leaf of the public
 * log and its hashes, so that few large trees are cheaper than many small ones. Ordered at once, a root would have a batch to
 * itself after each batch of bets.
 */
const GATHER_MS = 200;
const ID_BYTES = 8;
const SALT_BYTES = 16;
const SEED_BYTES = 32;
/** The engine takes no bet while a tree is hashed; this many leaves take about two milliseconds. */
const MOST_TOGETHER = 999;

/** The rest of the statement is known when its root is written. */
type Confirmed = Omit<Statement, 'salt' | 'at' | 'batch'>;

/** A receipt that an answer waits for. */
interface Waiting {
	index: number;
	resolve(receipt: Receipt): void;
	reject(error: unknown): void;
}

/** What comes under one root. Its id is known before its root, so that a reference costs an answer no wait. */
interface Group {
	id: string;
	statements: Confirmed[];
	/** Those that come with their answers; the others are named by references. */
	waiting: Waiting[];
	/** Orders its root, once. Resolves when this is durable, and also when it never will be. */
	write(): Promise<void>;
}

interface ReceiptWriterOptions {
	/** Writes the root with the next batch. */
	writeRoot: (make: RootMaker) => Promise<void>;
	ledgerKey: string;
	clock: () => number;
	/** The newest durable batch. */
	batch: () => number;
	/** The root of that many references is not written. */
	lost: (error: unknown, references: number) => void;
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
	/** Takes what is asked for until its batch is sealed. */
	#open: Group | null = null;
	/** By id: those whose roots are not durable yet. */
	readonly #unwritten = new Map<string, Group>();

	constructor(options: ReceiptWriterOptions) {
		this.#options = options;
		this.#signer = logKeyOf(options.ledgerKey);
	}

	/** @throws the error of the batch that has the root */
	receipt(statement: Confirmed): Promise<Receipt> {
		return new Promise((resolve, reject) => {
			const { group, index } = this.#place(statement);
			group.waiting.push({ index, resolve, reject });
			void group.write();
		});
	}

	/** The name of a receipt, ID.INDEX, that `receiptOnDemand` gives once its root is durable. */
	reference(statement: Confirmed): string {
		const { group, index } = this.#place(statement);
		return `${group.id}.${index}`;
	}

	/** Resolves when the receipt of a reference can be given, and at once for one that is not on its way. */
	async written(reference: string): Promise<void> {
		await this.#unwritten.get(idOf(reference))?.write();
	}

	#place(statement: Confirmed): { group: Group; index: number } {
		this.#open ??= this.#begun();
		const group = this.#open;
		const index = group.statements.push(statement) - 1;
		if (group.statements.length === MOST_TOGETHER) this.#open = null;
		return { group, index };
	}

	#begun(): Group {
		const id = randomBytes(ID_BYTES).toString('hex');
		let writing: Promise<void> | null = null;
		const write = () => {
			clearTimeout(timer);
			writing ??= this.#write(group).finally(() => this.#unwritten.delete(id));
			return writing;
		};
		const group: Group = { id, statements: [], waiting: [], write };
		const timer = setTimeout(write, GATHER_MS);
		this.#unwritten.set(id, group);
		return group;
	}

	async #write(group: Group): Promise<void> {
		let tree: Tree | null = null;
		try {
			await this.#options.writeRoot(() => {
				this.#close(group);
				tree = this.#treeOf(group);
				return tree.row;
			});
			if (tree) this.#give(group, tree);
		} catch (error) {
			this.#close(group);
			for (const { reject } of group.waiting) reject(error);
			const references = group.statements.length - group.waiting.length;
			if (references > 0) this.#options.lost(error, references);
		}
	}

	#close(group: Group): void {
		if (this.#open === group) this.#open = null;
	}

	#treeOf({ id, statements, waiting }: Group): Tree {
		const [at, batch] = [this.#options.clock(), this.#options.batch()];
		const seed = randomBytes(SEED_BYTES);
		const saltOf = saltsOf(seed, statements.length);
		const texts = statements.map((statement, index) => statementText({ ...statement, at, batch, salt: saltOf(index) }));
		const leaves = texts.map(leafOf);
		const row: ReceiptRootRow = {
			id,
			size: statements.length,
			root: Buffer.from(rootOfTree(leaves, nodeOf)),
			atMs: at,
			onDemand: statements.length > waiting.length ? { batch, seed, leaves: Buffer.concat(leaves) } : null,
		};
		return { row, texts, leaves };
	}

	/** The root is durable. */
	#give({ waiting }: Group, { row, texts, leaves }: Tree): void {
		if (waiting.length === 0) return;
		const pathOf = pathsOf(leaves);
		const root = signedRoot(this.#signer, row);
		for (const { index, resolve } of waiting)
			resolve({ statement: texts[index] as string, index, path: pathOf(index), root });
	}
}

interface Tree {
	row: ReceiptRootRow;
	texts: readonly string[];
	leaves: readonly Uint8Array[];
}

/** Of a reference. */
const idOf = (reference: string): string => reference.slice(0, 2 * ID_BYTES);

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
