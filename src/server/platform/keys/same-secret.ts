import { timingSafeEqual } from 'node:crypto';

/** Compares secrets in constant time. Only a different length is noticed early. */
export function isSameSecret(given: string | Buffer, expected: string | Buffer): boolean {
	const [one, other] = [Buffer.from(given), Buffer.from(expected)];
	return one.length === other.length && timingSafeEqual(one, other);
}
