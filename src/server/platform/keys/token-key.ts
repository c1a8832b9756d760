/**
 * Whether a secret looks random. Randomness cannot be proven of a text, but typed secrets can be recognized: few
 * different characters, patterns, rows of the keyboard, words. Tokens, codes and the operators' key are derived from
 * the secret, so guessing it opens everything.
 */
import { deflateRawSync } from 'node:zlib';

/** Characters of a secret. */
export const LEAST_KEY = 32;

/** 32 random hexadecimal digits show at least eight different ones, except for one key in a million. */
const FEWEST_DIFFERENT = 8;
/**
 * Bits by the frequency of its characters; 32 random hexadecimal digits have about 115, and hardly ever fewer than 95.
 */
const LEAST_BITS = 90;
/** Deflating a text without patterns adds at most two bytes beyond its entropy. */
const LEAST_INCOMPRESSIBLE = 0.6;
/**
 * Share of steps between neighbours in ASCII or on the keyboard. By chance one step in fifteen, of hexadecimal digits
 * one in five.
 */
const MOST_NEIGHBOURS = 0.5;
/** Share of letter pairs that are among the commonest of English. By chance one in nine. */
const MOST_COMMON_PAIRS = 0.4;
/** With fewer letter pairs their share is not significant. */
const LEAST_PAIRS = 12;

const COMMON_PAIRS = new Set(
	(
		'th he in er an re nd at on nt ha es st en ed to it ou ea hi is or ti as te et ng of al de se le sa si ar ve ra ld ur ' +
		'ro ic ne io me ri li co be ce om ma ta el ch ll ss wo rd pa sw ke ey cr ec us ge pr od uc ct em ho ou ns'
	).split(' '),
);
const KEYBOARD_ROWS = ['`1234567890-=', 'qwertyuiop[]', 'asdfghjkl;', 'zxcvbnm,./'];

const share = (count: number, of: number): number => (of === 0 ? 0 : count / of);

/** Shannon's measure of the signs' frequencies, times their number. */
function bitsOf(text: string): number {
	const counts = new Map<string, number>();
	for (const sign of text) counts.set(sign, (counts.get(sign) ?? 0) + 1);
	return [...counts.values()].reduce((bits, count) => bits - count * Math.log2(count / text.length), 0);
}

const pairsOf = (text: string): string[] => Array.from({ length: text.length - 1 }, (_, at) => text.slice(at, at + 2));

function areNeighbours(pair: string): boolean {
	const step = pair.charCodeAt(1) - pair.charCodeAt(0);
	const turned = [...pair].reverse().join('');
	return Math.abs(step) <= 1 || KEYBOARD_ROWS.some((row) => row.includes(pair) || row.includes(turned));
}

/** Why a secret could be guessed, as the end of a sentence; null when it looks random. */
export function whyGuessable(secret: string): string | null {
	const plain = secret.toLowerCase();
	const pairs = pairsOf(plain);
	// Hexadecimal letters happen to be among the common ones.
	const letters = /^[\da-f-]+$/.test(plain) ? [] : pairs.filter((pair) => /^[a-z]{2}$/.test(pair));
	if (new Set(secret).size < FEWEST_DIFFERENT) return 'it has too few different characters';
	if (/^\d+$/.test(secret)) return 'it has digits only';
	if (deflateRawSync(plain, { level: 9 }).length < LEAST_INCOMPRESSIBLE * plain.length) return 'it repeats itself';
	if (share(pairs.filter(areNeighbours).length, pairs.length) > MOST_NEIGHBOURS) return 'it follows a pattern';
	const common = letters.filter((pair) => COMMON_PAIRS.has(pair)).length;
	if (letters.length >= LEAST_PAIRS && share(common, letters.length) > MOST_COMMON_PAIRS) return 'it is made of words';
	return bitsOf(secret) < LEAST_BITS ? 'its characters repeat too often' : null;
}
