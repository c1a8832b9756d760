/** Inputs that a schema of the contract takes, found from the schema alone, so that a new call needs no example. */
import * as v from 'valibot';

/** Tried in this order; the first that a field's schema takes stands for it. */
const CANDIDATES: readonly unknown[] = [
	'999999',
	'ADJUSTMENT',
	'2026-11-01',
	'2026-11-01T00:00:00.000Z',
	'00000000-0000-4000-8000-000000000000',
	'owner',
	'IN',
	'https://example.com/hook',
	'412345678901',
	1,
	6,
	30,
	true,
	null,
];

interface Parts {
	type: string;
	entries?: Record<string, v.GenericSchema>;
	item?: v.GenericSchema;
	wrapped?: v.GenericSchema;
	options?: readonly unknown[];
	literal?: unknown;
}

/** @throws Error for a schema that none of the candidates satisfies; a new kind of field needs a candidate of its own */
export function validInput(schema: v.GenericSchema, path = 'the input'): unknown {
	const { type, entries, item, wrapped, options = [], literal } = schema as unknown as Parts;
	const takes = (value: unknown) => v.safeParse(schema, value).success;
	if (entries) return validFields(entries, path);
	if (type === 'optional') return undefined;
	const lists = item ? [[], ...[1, 2].map((length) => listOf(item, length, path))] : [];
	const inner = wrapped ? [validInput(wrapped, path)] : [];
	const found = [...inner, ...lists, literal, ...options, ...CANDIDATES, {}].find(takes);
	if (found === undefined) throw new Error(`no candidate is valid for ${path}`);
	return found;
}

const listOf = (item: v.GenericSchema, length: number, path: string): unknown[] =>
	Array.from({ length }, (_, at) => validInput(item, `${path}[${at}]`));

/** The fields that must be given. */
function validFields(entries: Record<string, v.GenericSchema>, path: string): Record<string, unknown> {
	const named = Object.entries(entries).map(([name, field]) => [name, validInput(field, `${path}.${name}`)] as const);
	return Object.fromEntries(named.filter(([, value]) => value !== undefined));
}
