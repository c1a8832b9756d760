/** What a form has to draw for the fields of a call's input: read from the schema and its checks. */
import * as v from 'valibot';
import { amountProblem, majorFromText } from '#console/parts/amount-words.ts';
import { IN_MAJOR } from '#contract/fields.ts';

/** The part of a schema that is read. */
export interface Described {
	type: string;
	options?: readonly unknown[];
	wrapped?: Described;
	entries?: Readonly<Record<string, Described>>;
	pipe?: readonly (Described | Check)[];
}

interface Check {
	type: string;
	requirement?: unknown;
}

/** A schema of an object, whose fields are drawn. */
export type ObjectSchema = v.GenericSchema & { entries: Readonly<Record<string, Described>> };

/** `time` is typed in the browser's zone and sent as UTC. */
type Kind = 'text' | 'long' | 'number' | 'amount' | 'time' | 'checkbox' | { options: readonly string[] };
export type Typed = string | boolean;

export interface FormField {
	kind: Kind;
	/** An empty field is not sent. */
	isOptional: boolean;
	/** The bounds in words; empty without any. */
	bounds: string;
	longest: number | undefined;
}

export const innermost = (schema: Described): Described => (schema.wrapped ? innermost(schema.wrapped) : schema);

/** The limit of a check of that type. */
function limitOf({ pipe = [] }: Described, type: string): number | undefined {
	const found = pipe.find((part) => part.type === type) as Check | undefined;
	return typeof found?.requirement === 'number' ? found.requirement : undefined;
}

function kindOf(schema: Described, name: string): Kind {
	if (schema.type === 'picklist') return { options: (schema.options ?? []).map(String) };
	if (schema.pipe?.includes(IN_MAJOR)) return 'amount';
	if (schema.type === 'number') return 'number';
	if (schema.type === 'boolean') return 'checkbox';
	if (schema.pipe?.some(({ type }) => type === 'iso_timestamp')) return 'time';
	return name === 'reason' || name === 'note' ? 'long' : 'text';
}

function boundsOf(schema: Described): string {
	if (schema.type !== 'number') return '';
	const isWhole = schema.pipe?.some(({ type }) => type === 'integer' || type === 'safe_integer') ?? false;
	const [least, most] = [limitOf(schema, 'min_value'), limitOf(schema, 'max_value')];
	const what = isWhole ? 'A whole number' : 'A number';
	if (least !== undefined && most !== undefined) return `${what} from ${least} to ${most}.`;
	if (least !== undefined) return `${what} from ${least} on.`;
	if (most !== undefined) return `${what} up to ${most}.`;
	return isWhole ? `${what}.` : '';
}

export function fieldOf({ entries }: Pick<ObjectSchema, 'entries'>, name: string): FormField {
	const schema = entries[name];
	if (!schema) throw new Error(`The call has no field ${name}.`);
	const inner = innermost(schema);
	const kind = kindOf(inner, name);
	return {
		kind,
		isOptional: schema.type === 'optional' || schema.type === 'nullable',
		bounds: boundsOf(inner),
		longest: limitOf(inner, 'max_length'),
	};
}

/** What was typed, as the schema takes it; undefined for an optional field that is empty. */
export function valueOf({ kind, isOptional }: FormField, typed: Typed): unknown {
	if (typeof typed === 'boolean') return typed;
	if (typed === '' && isOptional) return undefined;
	if (kind === 'amount') return majorFromText(typed) ?? Number.NaN;
	if (kind === 'number') return typed === '' ? Number.NaN : Number(typed);
	if (kind === 'time') return typed === '' ? '' : new Date(typed).toISOString();
	if (typeof kind === 'object') return /^\d+$/.test(typed) ? Number(typed) : typed;
	return typed;
}

/** Begins the sentences that the library says where a check has none of its own. */
const OF_LIBRARY = 'Invalid ';

/** A sentence for what a field does not take: the check's own, where it has one. */
export function problemOf({ kind, bounds }: FormField, typed: Typed, message: string): string {
	if (kind === 'amount')
		return amountProblem(String(typed)) ?? said(message, bounds === '' || typed === '' ? 'Enter an amount.' : bounds);
	if (kind === 'number') return said(message, bounds === '' ? 'Enter a number.' : bounds);
	return said(message, typed === '' ? 'Fill this in.' : 'This is not valid here.');
}

const said = (message: string, other: string): string => (message.startsWith(OF_LIBRARY) ? other : message);
