/** Recovery codes: each replaces a lost authenticator once. They are shown at their creation and stored as hashes. */
import { randomBytes } from 'node:crypto';
import { secretHash } from '#server/platform/keys/secret-hash.ts';

const CODES = 10;

/** Sixteen hexadecimal digits each, so that a code of an app and a recovery code differ by their length. */
export function newRecoveryCodes(): { codes: string[]; hashes: string[] } {
	const codes = Array.from({ length: CODES }, () => randomBytes(8).toString('hex'));
	return { codes, hashes: codes.map(secretHash) };
}

/** Whether a given code has the form of a recovery code, and not of an app's code. */
export const isRecoveryCode = (code: string): boolean => code.length > 6;

export const recoveryHash = secretHash;
