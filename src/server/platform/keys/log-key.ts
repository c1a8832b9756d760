/** The key that signs the public log. It follows from the ledger's key, so it is in no database either. */
import { createPrivateKey, createPublicKey, hash, hkdfSync, type KeyObject, sign } from 'node:crypto';

/** RFC 8410: what stands in front of the 32 bytes of an Ed25519 key. */
const PRIVATE_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
const KEY_BYTES = 32;
const NAME_DIGITS = 16;

export interface LogKey {
	/** Ed25519, 32 bytes. */
	publicKey: Buffer;
	/** The same for every database with that key, and for no other key. */
	name: string;
	sign(text: string): Buffer;
}

export function logKeyOf(ledgerKey: string): LogKey {
	const seed = Buffer.from(hkdfSync('sha256', ledgerKey, '', 'public log', KEY_BYTES));
	const privateKey: KeyObject = createPrivateKey({
		key: Buffer.concat([PRIVATE_PREFIX, seed]),
		format: 'der',
		type: 'pkcs8',
	});
	const publicKey = createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).subarray(-KEY_BYTES);
	return {
		publicKey,
		name: `backlay/${hash('sha256', publicKey, 'hex').slice(0, NAME_DIGITS)}`,
		sign: (text) => sign(null, Buffer.from(text), privateKey),
	};
}
