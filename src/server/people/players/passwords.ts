/**
 * Passwords as argon2id hashes of the exact text. Only a few are hashed at a time, so that a burst of logins cannot
 * exhaust the memory.
 */
import { argon2, randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';
import { isSameSecret } from '#server/platform/keys/same-secret.ts';
import { Turns } from '#server/platform/pacing/turns.ts';
import { Refused } from '#values/error-catalogue.ts';

const derive = promisify(argon2);
/** In KiB, and the number of passes. */
interface HashCost {
	memory: number;
	passes: number;
}
/** OWASP's smallest recommended setting: 19 MiB, two passes, one lane. */
export const STRONG: HashCost = { memory: 19_456, passes: 2 };
let usual = STRONG;

/** Only for tests: the players of a test run would spend a minute of CPU on their passwords. */
export function hashLightly(): void {
	if (process.env['NODE_ENV'] === 'production') throw new Error('Passwords are hashed lightly in tests alone.');
	usual = { memory: 64, passes: 1 };
}

/** Half of the cores; bets need the others. */
const MOST_A_STEP = Math.max(1, Math.floor(availableParallelism() / 2));
/** Requests that would wait longer than some seconds are rejected with OVERLOADED. */
const MOST_WAITING = 200;

const hashing = new Turns<'hash'>({
	atOnce: MOST_A_STEP,
	mostWaiting: MOST_WAITING,
	refusal: () => new Refused('OVERLOADED'),
});

function hashOf(password: string, nonce: Buffer, cost: HashCost): Promise<Buffer> {
	const message = { message: password, nonce, parallelism: 1, tagLength: 32, ...cost };
	return hashing.take('hash', () => derive('argon2id', message));
}

/** `salt.hash`, both base64url. */
export async function hashPassword(password: string, cost: HashCost = usual): Promise<string> {
	const nonce = randomBytes(16);
	return `${nonce.toString('base64url')}.${(await hashOf(password, nonce, cost)).toString('base64url')}`;
}

/** False for a wrong password, after the same time for a player who does not exist (`stored` null). */
export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
	const [nonce = '', expected = ''] = (stored ?? '').split('.');
	const hash = await hashOf(password, stored === null ? randomBytes(16) : Buffer.from(nonce, 'base64url'), usual);
	return isSameSecret(hash, Buffer.from(expected, 'base64url'));
}
