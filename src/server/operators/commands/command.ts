/**
 * A command of the operators' command line: a call of the contract with its words. By default a command has the call's
 * name, the required ids as arguments, and the other fields as options.
 */
import type * as v from 'valibot';
import { COMMANDS } from '#server/operators/commands/all-commands.ts';
import { type FieldReader, readerOf } from '#server/operators/commands/field-reader.ts';
import { CALLS_OF_KEY, type CallOfKey } from '#server/operators/commands/wording.ts';

/** A field on the command line. */
interface Field {
	readonly name: string;
	readonly reader: FieldReader;
	readonly isRequired: boolean;
	/** The default of the schema or the command line, as text; null for none. */
	readonly otherwise: string | null;
}

export interface Command {
	readonly call: CallOfKey;
	readonly words: readonly string[];
	readonly args: readonly Field[];
	/** With the word after the dashes. */
	readonly options: readonly (Field & { readonly option: string })[];
	readonly fixed: Readonly<Record<string, unknown>>;
	readonly made: Readonly<Record<string, ((given: Record<string, unknown>) => unknown) | undefined>>;
	readonly needsOneOf: readonly string[];
	readonly printed: readonly string[];
	readonly summary: string;
	readonly notes: string;
}

export const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
/** A field's name in a sentence: `betId` is the bet id. */
export const spoken = (name: string): string => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

interface Wording {
	call: CallOfKey;
	words: string;
	args?: readonly string[];
	named?: Readonly<Record<string, string | undefined>>;
	reads?: Readonly<Record<string, FieldReader | undefined>>;
	fixed?: Readonly<Record<string, unknown>>;
	made?: Command['made'];
	required?: readonly string[];
	hidden?: readonly string[];
	needsOneOf?: readonly string[];
	printed?: readonly string[];
	summary?: string;
	notes?: string;
}

function drawn(wording: Wording): Command {
	const { call: name, named = {}, reads = {}, fixed = {}, made = {} } = wording;
	const { required = [], hidden = [], printed = [], needsOneOf = [] } = wording;
	const call = CALLS_OF_KEY[name];
	const entries: v.ObjectEntries = call.input.entries;
	const fields = Object.entries(entries)
		.filter(([field]) => !(field in fixed) && !hidden.includes(field))
		.map(([field, schema]): Field => {
			const { type, default: otherwise } = schema as { type: string; default?: unknown };
			const isRequired = required.includes(field) || (type !== 'optional' && made[field] === undefined);
			const isSaid = typeof otherwise === 'string' && otherwise !== '';
			return {
				name: field,
				reader: reads[field] ?? readerOf(schema),
				isRequired,
				otherwise: isSaid ? otherwise : null,
			};
		});
	const ids = fields.filter(({ name: field, isRequired }) => isRequired && /^id$|Id$/.test(field));
	const args = wording.args ?? ids.map(({ name: field }) => field);
	return {
		call: name,
		words: wording.words.split(' '),
		args: args.flatMap((arg) => fields.find((field) => field.name === arg) ?? []),
		options: fields
			.filter((field) => !args.includes(field.name))
			.map((field) => ({ ...field, option: named[field.name] ?? kebab(field.name) })),
		fixed,
		made,
		needsOneOf,
		printed,
		summary: wording.summary ?? call.summary,
		notes: wording.notes ?? '',
	};
}

/** Every command, by its words. */
export function allCommands(): Command[] {
	const worded = new Set<string>(COMMANDS.map(({ call }) => call));
	const plain = (Object.keys(CALLS_OF_KEY) as CallOfKey[]).filter((call) => !worded.has(call));
	const wordings: Wording[] = [...COMMANDS, ...plain.map((call) => ({ call, words: call }))];
	return wordings.map(drawn).sort((one, other) => (one.words.join(' ') < other.words.join(' ') ? -1 : 1));
}
