/** The words of a call on the command line, where they differ from its name and its fields. */
import type * as v from 'valibot';
import { KEY_CALLS, type OperatorCalls, SHARED_CALLS } from '#contract/operators/registry.ts';
import type { FieldReader } from '#server/operators/commands/field-reader.ts';

/** The calls available to the command line's key. */
export const CALLS_OF_KEY = { ...SHARED_CALLS, ...KEY_CALLS } as const;
export type CallOfKey = keyof typeof CALLS_OF_KEY;

type Body<Name extends CallOfKey> = v.InferInput<OperatorCalls[Name]['input']>;
type FieldOf<Name extends CallOfKey> = keyof Body<Name> & string;

export interface CommandOf<Name extends CallOfKey> {
	readonly call: Name;
	/** One word, or a group and a word: `staff add`. */
	readonly words: string;
	/** Fields given as arguments, in order. */
	readonly args?: readonly FieldOf<Name>[];
	/** Options whose names differ from their fields. */
	readonly named?: { readonly [Field in FieldOf<Name>]?: string };
	/** Fields whose parser differs from their schema. */
	readonly reads?: { readonly [Field in FieldOf<Name>]?: FieldReader };
	/** Fields determined by the words themselves. */
	readonly fixed?: { readonly [Field in FieldOf<Name>]?: Body<Name>[Field] };
	/** Fields that the command line generates by default. */
	readonly made?: { readonly [Field in FieldOf<Name>]?: (given: Record<string, unknown>) => Body<Name>[Field] };
	/** Fields required here, although the call has an alternative. */
	readonly required?: readonly FieldOf<Name>[];
	/** Fields that are neither arguments nor options. */
	readonly hidden?: readonly FieldOf<Name>[];
	/** Fields of which at least one is required. */
	readonly needsOneOf?: readonly FieldOf<Name>[];
	/** Fields printed with the answer if the command line generated them. */
	readonly printed?: readonly FieldOf<Name>[];
	/** Replaces the call's summary if the words request only a part of the call. */
	readonly summary?: string;
	/** Help beyond the one-sentence summary. */
	readonly notes?: string;
}
