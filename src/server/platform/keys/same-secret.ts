import { timingSafeEqual } from 'node:crypto';

/** Compares secrets in a time that says nothing about where they differ. A different length is noticed at once. */
export function isSameSecret(given: string | Buffer, expected: string | Buffer): boolean {
	const [one, other] = [Buffer.from(given), Buffer.from(expected)];
	return one.length === other.length && timingSafeEqual(one, other);
}
