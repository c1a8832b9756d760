/** A checkpoint (C2SP tlog-checkpoint): the size and the root of a log's tree in a signed note. */
import { fromBase64, toBase64 } from '#public-log/base64.ts';
import { HASH_BYTES } from '#public-log/merkle-tree.ts';
import { isSignedBy, parseNote, type VerifierKey } from '#public-log/signed-note.ts';

export interface Checkpoint {
	/** The log's name; its key has the same. */
	origin: string;
	/** How many leaves the tree has. */
	size: number;
	root: Uint8Array;
}

/** What the log signs. */
export const checkpointText = ({ origin, size, root }: Checkpoint): string => `${origin}\n${size}\n${toBase64(root)}\n`;

/**
 * Reads a checkpoint that the log's key has signed.
 * @param isOwn whether a name is one that the key signs for; by default its own
 * @throws Error if it is none, or is not signed by that key
 */
export function readCheckpoint(
	text: string,
	key: VerifierKey,
	isOwn = (origin: string): boolean => origin === key.name,
): Checkpoint {
	const note = parseNote(text);
	if (!isSignedBy(note, key)) throw new Error(`The checkpoint is not signed by ${key.name}.`);
	const [origin = '', size = '', root = ''] = note.text.split('\n');
	const checkpoint = { origin, size: Number(size), root: fromBase64(root) };
	const isWhole =
		Number.isSafeInteger(checkpoint.size) && checkpoint.size >= 0 && checkpoint.root.length === HASH_BYTES;
	if (!isWhole || !isOwn(origin) || checkpointText(checkpoint) !== note.text)
		throw new Error('The checkpoint is not written as checkpoints are.');
	return checkpoint;
}
