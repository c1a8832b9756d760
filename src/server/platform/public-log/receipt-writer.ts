/**
 * Signs receipts. Those that are asked for until a batch is sealed are under one root, which this batch writes. It is
 * durable before a receipt under it is given out, so that the public log has the root of every receipt. An answer with a
 * reference does not wait for it: a process that stops or hands over writes it before (`flush`); if it dies first, the
 * reference names nothing, and a repeated request has another.
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
/** The engine takes no bet while the nodes above the leaves are hashed: for less than a millisecond. */
const MOST_TOGETHER = 999;
/** Of a time in milliseconds, and of a batch. */
const MOMENT_BYTES = 6;

/** What an answer's statement confirms; the writer adds the rest. */
type Confirmed = Omit<Statement, 'salt' | 'at' | 'batch'>;

/** A receipt that an answer waits for. */
interface Waiting {
	statement: string;
	index: number;
	resolve(receipt: Receipt): void;
	reject(error: unknown): void;
}

/**
 * What comes under one root. Its id is known before its root, so that a reference costs an answer no wait. Leaves are hashed
 * as they come, and bytes alone are kept: thousands of statements that wait for their root would live long enough to be
 * collected with what is old, which stops the engine.
 */
interface Group {
	id: string;
	seed: Buffer;
	saltOf: (index: number) => string;
	size: number;
	leaves: Buffer;
	moments: Buffer;
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
	receipt(confirmed: Confirmed): Promise<Receipt> {
		return new Promise((resolve, reject) => {
			const { group, index, statement } = this.#place(confirmed);
			group.waiting.push({ statement, index, resolve, reject });
			void group.write();
		});
	}

	/** The name of a receipt, ID.INDEX, that `receiptOnDemand` gives once its root is durable. */
	reference(confirmed: Confirmed): string {
		const { group, index } = this.#place(confirmed);
		return `${group.id}.${index}`;
	}

	/** Resolves when the receipt of a reference can be given, and at once for one that is not on its way. */
	async written(reference: string): Promise<void> {
		await this.#unwritten.get(idOf(reference))?.write();
	}

	/** Orders all roots of what was asked for so far. Resolves when they are durable, or never will be. */
	async flush(): Promise<void> {
		await Promise.all(Array.from(this.#unwritten.values(), (group) => group.write()));
	}

	/** The answer is durable. */
	#place({ call, clientRequestId, host, player, result }: Confirmed): Placed {
		this.#open ??= this.#begun();
		const group = this.#open;
		const index = group.size;
		const [at, batch, salt] = [this.#options.clock(), this.#options.batch(), group.saltOf(index)];
		const statement = statementText({ at, batch, call, clientRequestId, host, player, result, salt });
		group.leaves.set(leafOf(statement), index * HASH_BYTES);
		const moment = index * 2 * MOMENT_BYTES;
		group.moments.writeUIntBE(at, moment, MOMENT_BYTES);
		group.moments.writeUIntBE(batch, moment + MOMENT_BYTES, MOMENT_BYTES);
		group.size++;
		if (group.size === MOST_TOGETHER) this.#open = null;
		return { group, index, statement };
	}

	#begun(): Group {
		const id = randomBytes(ID_BYTES).toString('hex');
		let writing: Promise<void> | null = null;
		const write = () => {
			clearTimeout(timer);
			writing ??= this.#write(group).finally(() => this.#unwritten.delete(id));
			return writing;
		};
		const seed = randomBytes(SEED_BYTES);
		const group: Group = {
			id,
			seed,
			saltOf: saltsOf(seed, MOST_TOGETHER),
			size: 0,
			leaves: Buffer.allocUnsafe(MOST_TOGETHER * HASH_BYTES),
			moments: Buffer.allocUnsafe(MOST_TOGETHER * 2 * MOMENT_BYTES),
			waiting: [],
			write,
		};
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
			const references = group.size - group.waiting.length;
			if (references > 0) this.#options.lost(error, references);
		}
	}

	#close(group: Group): void {
		if (this.#open === group) this.#open = null;
	}

	#treeOf({ id, seed, size, waiting, ...group }: Group): Tree {
		const leaves = leavesIn(group.leaves, size);
		const moments = group.moments.subarray(0, size * 2 * MOMENT_BYTES);
		const row: ReceiptRootRow = {
			id,
			size,
			root: Buffer.from(rootOfTree(leaves, nodeOf)),
			atMs: this.#options.clock(),
			onDemand: size > waiting.length ? { seed, leaves: group.leaves.subarray(0, size * HASH_BYTES), moments } : null,
		};
		return { row, leaves };
	}

	/** The root is durable. */
	#give({ waiting }: Group, { row, leaves }: Tree): void {
		if (waiting.length === 0) return;
		const pathOf = pathsOf(leaves);
		const root = signedRoot(this.#signer, row);
		for (const { statement, index, resolve } of waiting) resolve({ statement, index, path: pathOf(index), root });
	}
}

interface Placed {
	group: Group;
	index: number;
	statement: string;
}

interface Tree {
	row: ReceiptRootRow;
	leaves: readonly Uint8Array[];
}

const leavesIn = (bytes: Buffer, size: number): Uint8Array[] =>
	Array.from({ length: size }, (_, leaf) => bytes.subarray(leaf * HASH_BYTES, (leaf + 1) * HASH_BYTES));

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

interface StoredRoot {
	size: number;
	root: Buffer;
	seed: Buffer;
	leaves: Buffer;
	/** Null where `at` and `batch` are those of all its statements. */
	moments: Buffer | null;
	at: number;
	batch: number;
}

function momentOf({ moments, at, batch }: StoredRoot, index: number): Pick<Statement, 'at' | 'batch'> {
	if (moments === null) return { at, batch };
	const moment = index * 2 * MOMENT_BYTES;
	return {
		at: moments.readUIntBE(moment, MOMENT_BYTES),
		batch: moments.readUIntBE(moment + MOMENT_BYTES, MOMENT_BYTES),
	};
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
	const { rows } = await db.query<StoredRoot>(
		'select size, root, at, batch, seed, leaves, moments from receipt_root where id = $1 and leaves is not null',
		[id],
	);
	const [row] = rows;
	const index = Number(place);
	if (!row || index >= row.size) return null;
	const { size, root, seed } = row;
	const leaves = leavesIn(row.leaves, size);
	const { at, batch } = momentOf(row, index);
	return {
		at,
		batch,
		salt: saltsOf(seed, size)(index),
		index,
		path: pathsOf(leaves)(index),
		root: signedRoot(logKeyOf(ledgerKey), { id, size, root }),
	};
}
