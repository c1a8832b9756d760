/**
 * The signatures of a beacon: BLS over BLS12-381 with signatures in G1, drand's scheme `bls-unchained-g1-rfc9380`. The
 * signed message is the SHA-256 of the round's number in eight bytes, so a signature depends on nothing else.
 */
import { bls12_381 } from '@noble/curves/bls12-381.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import type { BeaconValue } from '#games/beacon/beacon-chain.ts';

const {
	shortSignatures: bls,
	utils,
	G2: { Point },
	fields: { Fr },
} = bls12_381;
/** Domain separation tag of the scheme. */
const DOMAIN = 'BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_';
/** Bytes of the seed of a secret key. */
export const BEACON_SEED_BYTES = 48;

function messageOf(round: number) {
	const bytes = new Uint8Array(8);
	new DataView(bytes.buffer).setBigUint64(0, BigInt(round));
	return bls.hash(sha256(bytes), DOMAIN);
}

/** Some milliseconds of work. False for anything that is not a signature. */
export function isBeaconSignature(publicKey: string, { round, signature }: BeaconValue): boolean {
	if (!Number.isSafeInteger(round) || round < 1) return false;
	try {
		return bls.verify(hexToBytes(signature), messageOf(round), hexToBytes(publicKey));
	} catch {
		// The library throws for bytes that are no point of the curve.
		return false;
	}
}

/** The key pair of a beacon of one's own. @param seed of BEACON_SEED_BYTES */
export function beaconKeys(seed: Uint8Array): { secretKey: Uint8Array; publicKey: string } {
	const secretKey = utils.randomSecretKey(seed);
	// The library keeps a table for its own generator, which takes a process with one key a hundred milliseconds to make.
	const generator = Point.fromAffine(Point.BASE.toAffine());
	return { secretKey, publicKey: generator.multiply(Fr.fromBytes(secretKey)).toHex() };
}

export const beaconSignature = (secretKey: Uint8Array, round: number): string =>
	bytesToHex(bls.sign(messageOf(round), secretKey).toBytes());
