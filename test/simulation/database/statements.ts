/** The statements that were sent so far, parsed once, and their parameters as the database receives them. */
import { readArray } from './binary-arrays.ts';
import { parse, type Statement } from './syntax.ts';

export interface Parsed {
	statements: readonly Statement[];
	/** Parameters that are arrays. */
	arrays: ReadonlySet<number>;
}

const parsed = new Map<string, Parsed>();

export function parsedOf(text: string): Parsed {
	let known = parsed.get(text);
	if (!known) {
		const arrays = new Set([...text.matchAll(/\$(\d+)::\w+\[\]/g)].map(([, number]) => Number(number)));
		parsed.set(text, (known = { statements: parse(text), arrays }));
	}
	return known;
}

/** The values as they are now: the memory of arrays is used again for the next statement. */
export function received({ arrays }: Parsed, values: readonly unknown[] = []): unknown[] {
	return values.map((value, at) => {
		if (Buffer.isBuffer(value)) return arrays.has(at + 1) ? readArray(value) : Buffer.from(value);
		return Array.isArray(value) ? [...value] : value;
	});
}
