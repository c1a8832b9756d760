/**
 * Units are converted here and nowhere else. On the wire and in local storage amounts are major units and prices are
 * decimals; everywhere inside the site amounts are paise and prices are hundredths, as in the engine. The contract's
 * schemas say which fields these are: their types here, and their names in the tables that the build makes.
 */

import type { InputOf, ResultOf } from '#contract/call.ts';
import type { CallName, Calls } from '#contract/registry.ts';
import type { Paise } from '#values/money.ts';
import type { Price } from '#values/price-ladder.ts';

/**
 * Where a value holds amounts and prices: 1 for one itself; otherwise by field, and under `*` for all fields of a record.
 * An array is as its items.
 */
export type UnitFields = 1 | { readonly [field: string]: UnitFields };

interface Units {
	major: Paise;
	decimal: Price;
}

type InUnit<Wire extends number> = Wire extends { readonly wire?: infer Unit extends keyof Units } ? Units[Unit] : Wire;

/** The shape of a wire value with its amounts in paise and its prices in hundredths. */
export type Inside<Wire> = Wire extends number
	? InUnit<Wire>
	: Wire extends readonly (infer Item)[]
		? Inside<Item>[]
		: Wire extends object
			? { [Name in keyof Wire]: Inside<Wire[Name]> }
			: Wire;

/** What a call answers, in the site's own units. */
export type AnswerOf<Name extends CallName> = Inside<ResultOf<Calls[Name]>>;

/** What a call takes, in the site's own units. */
export type RequestOf<Name extends CallName> = Inside<InputOf<Calls[Name]>>;

/** Takes over a value that was just parsed: it is changed in place and must not be used as a wire value afterwards. */
export function fromWire<Wire>(value: Wire, fields: UnitFields | null | undefined): Inside<Wire> {
	return (fields ? converted(value, fields, (units) => Math.round(units * 100)) : value) as Inside<Wire>;
}

/** A copy with major units and decimals, to be sent or stored. */
export const toWire = (value: unknown, fields: UnitFields | null | undefined): unknown =>
	fields ? converted(structuredClone(value), fields, (hundredths) => hundredths / 100) : value;

function converted(value: unknown, fields: UnitFields, convert: (units: number) => number): unknown {
	if (fields === 1 && typeof value === 'number') return convert(value);
	if (typeof value !== 'object' || value === null) return value;
	const holder = value as Record<string, unknown>;
	for (const name of Object.keys(holder)) {
		const inner = fields === 1 || Array.isArray(value) ? fields : (fields[name] ?? fields['*']);
		if (inner) holder[name] = converted(holder[name], inner, convert);
	}
	return value;
}

/** The fields of one field. */
export const fieldsIn = (fields: UnitFields | null | undefined, name: string): UnitFields | undefined =>
	fields === 1 ? undefined : fields?.[name];
