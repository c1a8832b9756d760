/** How forms check their fields: a rule from a schema, and the state of a field. */
import type { FieldPath, FieldValues, FormState } from 'react-hook-form';
import * as v from 'valibot';
import type { FieldStatus } from '#ui/field.tsx';

/** A check for react-hook-form: the schema's first sentence, or true. */
export const rule =
	(schema: v.GenericSchema) =>
	(value: unknown): string | true => {
		const parsed = v.safeParse(schema, value);
		return parsed.success || parsed.issues[0].message;
	};

/** Touched, dirty, valid, pending and validated, as the product specification lists them (section 5). */
export function statusOf<Form extends FieldValues>(state: FormState<Form>, name: FieldPath<Form>): FieldStatus {
	const flag = (fields: object): boolean => (fields as Record<string, unknown>)[name] === true;
	const touched = flag(state.touchedFields);
	const validated = touched || state.isSubmitted;
	return {
		touched,
		dirty: flag(state.dirtyFields),
		valid: validated && !(name in state.errors),
		pending: flag(state.validatingFields),
		validated,
	};
}
