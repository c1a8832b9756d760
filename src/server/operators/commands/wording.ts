/** The words by which a call of the contract is asked for, where they are not its name and its fields. */
import type * as v from 'valibot';
import { KEY_CALLS, type OperatorCalls, SHARED_CALLS } from '#contract/operators/registry.ts';
import type { FieldReader } from '#server/operators/commands/field-reader.ts';

/** The calls that the command line's key opens. */
export const CALLS_OF_KEY = { ...SHARED_CALLS, ...KEY_CALLS } as const;
export type CallOfKey = keyof typeof CALLS_OF_KEY;

type Body<Name extends CallOfKey> = v.InferInput<OperatorCalls[Name]['input']>;
type FieldOf<Name extends CallOfKey> = keyof Body<Name> & string;

export interface CommandOf<Name extends CallOfKey> {
	readonly call: Name;
	/** One word, or a group and a word: `staff add`. */
	readonly words: string;
	/** Fields that are given as words, in their order. */
	readonly args?: readonly FieldOf<Name>[];
	/** Options that are called otherwise than their fields. */
	readonly named?: { readonly [Field in FieldOf<Name>]?: string };
	/** Fields that are read otherwise than their schema says. */
	readonly reads?: { readonly [Field in FieldOf<Name>]?: FieldReader };
	/** Fields that the words themselves say. */
	readonly fixed?: { readonly [Field in FieldOf<Name>]?: Body<Name>[Field] };
	/** Fields that the command line makes where they are not given. */
	readonly made?: { readonly [Field in FieldOf<Name>]?: (given: Record<string, unknown>) => Body<Name>[Field] };
	/** Fields that are needed here, though the call has another way to say them. */
	readonly required?: readonly FieldOf<Name>[];
	/** Fields that are neither words nor options. */
	readonly hidden?: readonly FieldOf<Name>[];
	/** Fields of which one is given at least. */
	readonly needsOneOf?: readonly FieldOf<Name>[];
	/** Fields that are printed with the answer when the command line made them. */
	readonly printed?: readonly FieldOf<Name>[];
	/** In place of the call's summary, where the words ask for a part of what the call does. */
	readonly summary?: string;
	/** More than one sentence can say. */
	readonly notes?: string;
}
