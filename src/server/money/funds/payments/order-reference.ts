/** References of workflows for the outside: letters and digits, with a check digit at the end. */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const DIGITS = 10;

type ReferencePrefix = 'BLP' | 'BLW' | 'REF';

const checkOf = (body: string): string =>
	LETTERS[[...body].reduce((sum, letter, at) => sum + (at + 2) * LETTERS.indexOf(letter), 0) % 31] as string;

export function referenceOf(prefix: ReferencePrefix, id: number): string {
	let body = '';
	for (let rest = id; rest > 0 || body.length < DIGITS; rest = Math.floor(rest / 32)) body = LETTERS[rest % 32] + body;
	return `${prefix}${body}${checkOf(body)}`;
}

/** Null for a text that is not one of our references. */
export function idOf(prefix: ReferencePrefix, reference: string): number | null {
	if (!reference.startsWith(prefix)) return null;
	const [body, check] = [reference.slice(prefix.length, -1), reference.slice(-1)];
	if (body.length < DIGITS || body.length > 11 || [...body].some((letter) => !LETTERS.includes(letter))) return null;
	const id = [...body].reduce((sum, letter) => sum * 32 + LETTERS.indexOf(letter), 0);
	return checkOf(body) === check && Number.isSafeInteger(id) ? id : null;
}
