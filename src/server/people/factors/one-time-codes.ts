/** The codes of an authenticator app (RFC 6238: SHA-1, six digits, 30 s), each accepted once. */
import { randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';

const STEP_SECONDS = 30;
/** Accepted steps before and after the current one, because the clocks of phones differ. */
const TOLERANCE = 1;
const SECRET_BYTES = 20;

export const newSecret = (): Buffer => randomBytes(SECRET_BYTES);

const totpOf = (secret: Buffer, label: string, issuer = 'Backlay'): TOTP =>
	new TOTP({
		issuer,
		label,
		algorithm: 'SHA1',
		digits: 6,
		period: STEP_SECONDS,
		secret: new Secret({ buffer: new Uint8Array(secret).buffer }),
	});

/** The address that an authenticator app reads as a QR code. */
export const enrolmentUri = (secret: Buffer, name: string, issuer?: string): string =>
	totpOf(secret, name, issuer).toString();

/** The secret in the form that people type. */
export const typedSecret = (secret: Buffer): string => new Secret({ buffer: new Uint8Array(secret).buffer }).base32;

/** @returns the time step of the code, or null for a wrong code, or one not newer than the last accepted code */
export function stepOfCode(secret: Buffer, code: string, lastStep: number, nowMs: number): number | null {
	const delta = totpOf(secret, '').validate({ token: code, window: TOLERANCE, timestamp: nowMs });
	if (delta === null) return null;
	const step = Math.floor(nowMs / 1000 / STEP_SECONDS) + delta;
	return step > lastStep ? step : null;
}
