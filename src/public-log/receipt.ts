/**
 * A receipt: the house's signed word for an answer. Receipts of one moment are the leaves of a small tree whose root is
 * signed once, in the form of a checkpoint, and each has its path to that root. The root is a leaf of the public log.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { fromBase64 } from '#public-log/base64.ts';
import { type Checkpoint, readCheckpoint } from '#public-log/checkpoint.ts';
import { isSameHash, leafHash, rootOfInclusion } from '#public-log/merkle-tree.ts';
import type { VerifierKey } from '#public-log/signed-note.ts';

/** What the house confirms. */
export interface Statement {
	/** Name of the call in the contract. */
	call: string;
	/** Host of the brand. */
	host: string;
	player: number;
	/** The call's own id of the request, by which it is done once. */
	clientRequestId: string;
	/** SHA-256 of the answer's result, as JSON, hexadecimal digits. */
	result: string;
	/** When it was durable, milliseconds since 1970, by the exchange's clock. */
	at: number;
	/** The ledger had this batch by then, and what the answer is about is in it or in an earlier one. */
	batch: number;
	/** Random, so that the leaf tells a stranger nothing: 32 hexadecimal digits. */
	salt: string;
}

export interface Receipt {
	/** The statement's text, whose bytes are the leaf. */
	statement: string;
	index: number;
	/** Hashes from the leaf to the root, base64. */
	path: readonly string[];
	/** The signed root, as a checkpoint. */
	root: string;
}

/** What the house gives later for an answer that came with a reference, ID.INDEX. The client has the rest of the statement. */
export interface LaterReceipt extends Pick<Statement, 'at' | 'batch' | 'salt'>, Omit<Receipt, 'statement'> {}

/** The receipt whose reference came with the answer. @param confirmed what the client knows of its own call and answer */
export function receiptOf(
	{ at, batch, salt, index, path, root }: LaterReceipt,
	{ call, clientRequestId, host, player, result }: Omit<Statement, 'at' | 'batch' | 'salt'>,
): Receipt {
	return {
		statement: statementText({ at, batch, call, clientRequestId, host, player, result, salt }),
		index,
		path,
		root,
	};
}

/** JSON with sorted keys: the bytes of the leaf. Written out, because each bet with a receipt has one. */
export const statementText = ({ at, batch, call, clientRequestId, host, player, result, salt }: Statement): string =>
	`{"at":${at},"batch":${batch},"call":${JSON.stringify(call)},"clientRequestId":${JSON.stringify(clientRequestId)},` +
	`"host":${JSON.stringify(host)},"player":${player},"result":"${result}","salt":"${salt}"}`;

/** Reads the text of a header: base64 of the receipt's JSON. @throws Error if it is no receipt's */
export function readReceipt(text: string): Receipt {
	const { statement, index, path, root } = JSON.parse(new TextDecoder().decode(fromBase64(text))) as Partial<Receipt>;
	if (typeof statement !== 'string' || typeof index !== 'number' || !Array.isArray(path) || typeof root !== 'string')
		throw new Error('This is not a receipt.');
	return { statement, index, path, root };
}

/** The name under which the root of receipts with that id is signed. */
export const receiptsOrigin = (keyName: string, id: string): string => `${keyName}/${id}`;

/** @param json the answer's result */
export const resultDigest = (json: string): string => bytesToHex(sha256(utf8ToBytes(json)));

/**
 * @param key of receipts, as the house publishes it
 * @param result the answer's result as JSON; null leaves it unchecked
 * @returns what the house confirmed, and the tree that the public log has as a leaf
 * @throws Error with what is wrong
 */
export function checkReceipt(
	{ statement: text, index, path, root: note }: Receipt,
	key: VerifierKey,
	result: string | null,
): { statement: Statement; root: Checkpoint } {
	const root = readCheckpoint(note, key, (origin) => origin.startsWith(`${key.name}/`));
	const found = rootOfInclusion(leafHash(utf8ToBytes(text)), index, root.size, path.map(fromBase64));
	if (!found || !isSameHash(found, root.root)) throw new Error('The statement is not under the signed root.');
	const statement = JSON.parse(text) as Statement;
	if (result !== null && statement.result !== resultDigest(result))
		throw new Error('The receipt is of another answer.');
	return { statement, root };
}
