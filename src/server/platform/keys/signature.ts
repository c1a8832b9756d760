/** The signature of a request from a provider: HMAC-SHA256 over the time, a dot and the raw body, in hexadecimal digits. */
import { createHmac } from 'node:crypto';
import { isSameSecret } from '#server/platform/keys/same-secret.ts';

/** The largest age of a request, and the largest lead of its clock. */
const WINDOW_MS = 5 * 60_000;

/** By key id; several while keys rotate. */
export type WebhookKeys = ReadonlyMap<string, string>;

interface SignatureHeaders {
	keyId: string;
	timestamp: string;
	signature: string;
}

export const signatureOf = (secret: string, timestamp: string, body: Buffer): string =>
	createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex');

/** @param timestamp Unix milliseconds as text */
export const isInWindow = (timestamp: string, nowMs: number): boolean =>
	/^\d{13}$/.test(timestamp) && Math.abs(nowMs - Number(timestamp)) <= WINDOW_MS;

/** Whether one of the keys made the signature, within the window. */
export function isSigned(keys: WebhookKeys, headers: SignatureHeaders, body: Buffer, nowMs: number): boolean {
	const secret = keys.get(headers.keyId);
	if (secret === undefined || !isInWindow(headers.timestamp, nowMs)) return false;
	return isSameSecret(headers.signature, signatureOf(secret, headers.timestamp, body));
}
