/** Signed notes (C2SP signed-note) with Ed25519 signatures of logs, and of witnesses (C2SP tlog-cosignature). */
import { ed25519 } from '@noble/curves/ed25519.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { fromBase64, toBase64 } from '#public-log/base64.ts';

/** The kinds of signature, by their number in C2SP: of a log, and of a witness with the time of its look. */
const SIGNATURE_KINDS = { log: 1, witness: 4 } as const;
type SignatureKind = keyof typeof SIGNATURE_KINDS;

const ID_BYTES = 4;
const KEY_BYTES = 32;
const TIME_BYTES = 8;

export interface VerifierKey {
	name: string;
	kind: SignatureKind;
	/** Ed25519, 32 bytes. */
	publicKey: Uint8Array;
}

interface NoteSignature {
	name: string;
	/** 8 hexadecimal digits. */
	keyId: string;
	bytes: Uint8Array;
}

interface Note {
	/** Ends with a line break. */
	text: string;
	signatures: readonly NoteSignature[];
}

const isName = (name: string): boolean => /^[^\s+]+$/u.test(name);

function keyIdOf({ name, kind, publicKey }: VerifierKey): string {
	const known = concatBytes(utf8ToBytes(`${name}\n`), Uint8Array.of(SIGNATURE_KINDS[kind]), publicKey);
	return bytesToHex(sha256(known).subarray(0, ID_BYTES));
}

/** A key as it is published: its name, its id and its bytes. */
export const verifierKeyText = (key: VerifierKey): string =>
	`${key.name}+${keyIdOf(key)}+${toBase64(concatBytes(Uint8Array.of(SIGNATURE_KINDS[key.kind]), key.publicKey))}`;

/** @throws Error if the text is no Ed25519 key of a log or of a witness */
export function parseVerifierKey(text: string): VerifierKey {
	const [, name = '', keyId, encoded = ''] = /^([^+]+)\+([0-9a-f]{8})\+(.+)$/.exec(text) ?? [];
	const [number, ...bytes] = encoded === '' ? [] : fromBase64(encoded);
	const kind = (Object.keys(SIGNATURE_KINDS) as SignatureKind[]).find((each) => SIGNATURE_KINDS[each] === number);
	const key = kind && { name, kind, publicKey: Uint8Array.from(bytes) };
	if (!key || !isName(name) || bytes.length !== KEY_BYTES || keyIdOf(key) !== keyId)
		throw new Error('This is not the key of a log or of a witness: NAME+ID+KEY.');
	return key;
}

/** The line of a signature. */
export const signatureLine = (key: VerifierKey, signature: Uint8Array): string => {
	const id = Uint8Array.from(keyIdOf(key).match(/../g) ?? [], (digits) => Number.parseInt(digits, 16));
	return `— ${key.name} ${toBase64(concatBytes(id, signature))}\n`;
};

/** @throws Error if the text is not a note */
export function parseNote(note: string): Note {
	const end = note.lastIndexOf('\n\n');
	const lines = note.slice(end + 2).split('\n');
	if (end < 0 || lines.pop() !== '' || lines.length === 0) throw new Error('This is not a signed note.');
	return { text: note.slice(0, end + 1), signatures: lines.map(parseSignature) };
}

function parseSignature(line: string): NoteSignature {
	const [, name = '', encoded = ''] = /^— (\S+) (\S+)$/u.exec(line) ?? [];
	const bytes = encoded === '' ? new Uint8Array() : fromBase64(encoded);
	if (!isName(name) || bytes.length <= ID_BYTES) throw new Error('A line of the note is no signature.');
	return { name, keyId: bytesToHex(bytes.subarray(0, ID_BYTES)), bytes: bytes.subarray(ID_BYTES) };
}

/** What a witness signs: the time of its look in seconds since 1970, and the checkpoint. */
export const cosignedText = (text: string, atSeconds: number): string => `cosignature/v1\ntime ${atSeconds}\n${text}`;

/** The bytes of a witness's signature: the time in front of the signature itself. */
export function cosignatureBytes(atSeconds: number, signature: Uint8Array): Uint8Array {
	const time = new DataView(new ArrayBuffer(TIME_BYTES));
	time.setBigUint64(0, BigInt(atSeconds));
	return concatBytes(new Uint8Array(time.buffer), signature);
}

/** Whether a signature of that key is on the note, and right. Signatures of other keys do not count. */
export function isSignedBy({ text, signatures }: Note, key: VerifierKey): boolean {
	const own = signatures.filter(({ name, keyId }) => name === key.name && keyId === keyIdOf(key));
	return own.length > 0 && own.every(({ bytes }) => isRight(text, bytes, key));
}

function isRight(text: string, bytes: Uint8Array, { kind, publicKey }: VerifierKey): boolean {
	if (kind === 'log') return isEd25519(text, bytes, publicKey);
	if (bytes.length <= TIME_BYTES) return false;
	const atSeconds = Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0));
	return isEd25519(cosignedText(text, atSeconds), bytes.subarray(TIME_BYTES), publicKey);
}

/** By RFC 8032, which refuses what other rules let pass. */
function isEd25519(text: string, signature: Uint8Array, publicKey: Uint8Array): boolean {
	try {
		return ed25519.verify(signature, utf8ToBytes(text), publicKey, { zip215: false });
	} catch {
		return false;
	}
}
