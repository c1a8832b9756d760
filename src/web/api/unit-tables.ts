/** Works out which fields of requests, answers and messages hold amounts and prices, by the contract's schemas. */

import { Amount, DecimalPrice, Money, Price, SignedAmount } from '#contract/fields.ts';
import { CALLS, type CallName } from '#contract/registry.ts';
import type { UnitFields } from '#web/api/units.ts';

interface Schema {
	type: string;
	entries?: Readonly<Record<string, Schema>>;
	/** Of an array. */
	item?: Schema;
	/** Of a record. */
	value?: Schema;
	wrapped?: Schema;
	/** Of a union. */
	options?: readonly unknown[];
	pipe?: readonly Schema[];
}

const WITH_UNITS: ReadonlySet<unknown> = new Set([Amount, DecimalPrice, Money, Price, SignedAmount]);
const hasUnit = (schema: Schema): boolean => WITH_UNITS.has(schema) || WITH_UNITS.has(schema.pipe?.[0]);

/** The schemas of the values that a value may be, or hold as an array. */
function alternativesOf(schema: Schema): Schema[] {
	if (hasUnit(schema)) return [schema];
	const { type, wrapped, item, options } = schema;
	const inner = wrapped ?? item;
	if (inner) return alternativesOf(inner);
	if (type === 'union' || type === 'variant') return (options as Schema[]).flatMap(alternativesOf);
	return [schema];
}

/** @throws Error for a number that is an amount in one alternative, and none in another */
function fieldsOf(schemas: readonly Schema[]): UnitFields | null {
	const alternatives = schemas.flatMap(alternativesOf);
	if (alternatives.some(hasUnit)) {
		if (alternatives.some((schema) => schema.type === 'number' && !hasUnit(schema)))
			throw new Error('a field is an amount or a price in one shape of a value and another number in the next');
		return 1;
	}
	const fields: Record<string, UnitFields> = {};
	const inside = alternatives.flatMap(({ entries = {}, type, value }) => [
		...Object.entries(entries),
		...(type === 'record' && value ? [['*', value] as const] : []),
	]);
	for (const [name, same] of Map.groupBy(inside, ([field]) => field)) {
		const found = fieldsOf(same.map(([, schema]) => schema));
		if (found) fields[name] = found;
	}
	return Object.keys(fields).length > 0 ? fields : null;
}

export type Table<Name extends string> = { readonly [Each in Name]?: UnitFields };

export function tableOf<Name extends string>(schemas: Readonly<Record<Name, unknown>>): Table<Name> {
	const rows = Object.entries(schemas).map(([name, schema]) => [name, fieldsOf([schema as Schema])] as const);
	return Object.fromEntries(rows.filter(([, fields]) => fields !== null)) as Table<Name>;
}

/** Of the requests or the answers of calls. */
export const fieldsOfCalls = (part: 'request' | 'response'): Table<CallName> =>
	tableOf(
		Object.fromEntries(Object.entries(CALLS).map(([name, call]) => [name, call[part]])) as Record<CallName, unknown>,
	);
