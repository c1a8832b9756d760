/** Parses a field of a call from a word of the command line, by the field's schema. */
import type * as v from 'valibot';
import { IN_MAJOR } from '#contract/fields.ts';
import { NumberId, SpokenId } from '#contract/operators/fields.ts';

export interface FieldReader {
	/** A description of the value: the rest of the sentence "The bet id is …". */
	readonly kind: string;
	/** The possible values; null if there are too many. */
	readonly choices: readonly string[] | null;
	/** Whether the option may be repeated, with one value each time. */
	readonly isMany: boolean;
	/** The value of an option without an argument; undefined for an option that has one. */
	readonly flag: unknown;
	/** @returns undefined for a text of another kind */
	read(text: string): unknown;
}

/** The relevant parts of a schema. */
interface Described {
	type: string;
	wrapped?: Described;
	item?: Described;
	options?: readonly unknown[];
	literal?: unknown;
	pipe?: readonly { type?: string }[];
}

/** A reader of texts of one kind. */
export const reader = (kind: string, read: (text: string) => unknown): FieldReader => ({
	kind,
	choices: null,
	isMany: false,
	flag: undefined,
	read,
});

export const TEXT = reader('a text', (text) => text);
const NUMBER_ID = reader('a number', (text) => (/^\d{1,15}$/.test(text) ? text : undefined));
const SPOKEN_ID = reader('a number, or as players read it out, such as WITHDRAWAL-12', (text) =>
	/^([A-Z_]{1,40}-)?\d{1,15}$/.test(text) ? text : undefined,
);
const DAY = reader('a day such as 2026-11-22', (text) => (/^\d{4}-\d{2}-\d{2}$/.test(text) ? text : undefined));
const TIME = reader('a time such as 2026-11-22 or 2026-11-22T10:00Z', (text) => {
	const time = new Date(text);
	return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
});
const JSON_VALUE = reader('JSON', (text) => {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
});

/** Written out: a slip such as 1e3 or 0x10 is no amount, nor any other number. */
const numberOf = (text: string): number | undefined => (/^-?\d+(\.\d+)?$/.test(text) ? Number(text) : undefined);

/** In any case. */
const oneOf = (options: readonly unknown[]): FieldReader => ({
	...reader(`one of ${options.join(', ')}`, (text) =>
		options.find((option) => String(option).toLowerCase() === text.toLowerCase()),
	),
	choices: options.map(String),
});

/** An option without an argument, which means that value. */
export const flag = (value: unknown): FieldReader => ({ ...TEXT, kind: '', flag: value });

/** Several values in one word, separated by commas. */
export const LIST = reader('a list with commas between', (text) => text.split(',').map((part) => part.trim()));

const isOptional = ({ type }: Described): boolean => type === 'optional';

/** A field's reader on the command line. */
export function readerOf(schema: v.GenericSchema): FieldReader {
	const described: Described = schema;
	return ofSchema(described, isOptional(described));
}

function ofSchema(schema: Described, mayBeMissing: boolean): FieldReader {
	const { type, wrapped, item, options = [], literal, pipe = [] } = schema;
	if (wrapped) return type === 'nullable' ? orNone(ofSchema(wrapped, false)) : ofSchema(wrapped, mayBeMissing);
	if (Object.is(schema, NumberId)) return NUMBER_ID;
	if (Object.is(schema, SpokenId)) return SPOKEN_ID;
	const has = (...types: string[]) => pipe.some((part) => types.includes(part.type ?? ''));
	switch (type) {
		case 'string':
			return has('iso_date') ? DAY : has('iso_timestamp') ? TIME : TEXT;
		case 'number':
			if (pipe.some((part) => Object.is(part, IN_MAJOR))) return reader('a number such as 5000 or 12.50', numberOf);
			return reader(has('integer', 'safe_integer') ? 'a whole number' : 'a number', numberOf);
		case 'boolean':
			return mayBeMissing ? flag(true) : oneOf([true, false]);
		case 'picklist':
			return oneOf(options);
		case 'literal':
			return oneOf([literal]);
		case 'array':
			return item && item.type !== 'strict_object' ? { ...ofSchema(item, false), isMany: true } : JSON_VALUE;
		default:
			return JSON_VALUE;
	}
}

const orNone = (inner: FieldReader): FieldReader => ({
	...inner,
	kind: `${inner.kind}, or none`,
	choices: inner.choices && [...inner.choices, 'none'],
	read: (text) => (text === 'none' ? null : inner.read(text)),
});
