/**
 * Amounts are minor units and prices are hundredths inside the site. Random values of every schema of the contract are made on
 * the wire and inside at once, by a second reading of the schemas; the site's tables have to lead from one to the other.
 */
import { describe, expect, it } from 'vitest';
import { Amount, DecimalPrice, Money, Price, SignedAmount } from '#contract/fields.ts';
import { HUB_SCHEMAS } from '#contract/hub-schemas.ts';
import { CALLS, type CallName } from '#contract/registry.ts';
import { ANSWER_FIELDS, CALL_ROUTES, REQUEST_FIELDS } from '#web/api/all-calls.ts';
import { FIRST_ANSWER_FIELDS, FIRST_REQUEST_FIELDS, FIRST_ROUTES, type FirstCall } from '#web/api/first-calls.ts';
import { fromWire, toWire, type UnitFields } from '#web/api/units.ts';
import { HUB_FIELDS } from '#web/live/hub-fields.ts';
import { SeededNumbers } from '../reference/random-commands.ts';

interface Schema {
	type: string;
	entries?: Record<string, Schema>;
	item?: Schema;
	value?: Schema;
	wrapped?: Schema;
	options?: readonly unknown[];
	literal?: unknown;
	pipe?: readonly Schema[];
}

/** A value as it is on the wire, and inside the site. */
interface Both {
	wire: unknown;
	inside: unknown;
}

const UNITS: ReadonlySet<unknown> = new Set([Money, Amount, SignedAmount, Price, DecimalPrice]);
const same = (value: unknown): Both => ({ wire: value, inside: value });
const both = (parts: readonly (readonly [string, Both])[]): Both => ({
	wire: Object.fromEntries(parts.map(([name, { wire }]) => [name, wire])),
	inside: Object.fromEntries(parts.map(([name, { inside }]) => [name, inside])),
});
/** Values that no schema describes keep what they hold, whatever its names. */
const OPEN = { amount: 12.34, price: 2.02, bets: [{ stake: 5.5 }] };

class RandomValues {
	readonly #random: SeededNumbers;
	/** The names that units stood under. */
	readonly units: string[] = [];

	constructor(seed: number) {
		this.#random = new SeededNumbers(seed);
	}

	of(schema: Schema, name = ''): Both {
		if (UNITS.has(schema) || UNITS.has(schema.pipe?.[0])) {
			this.units.push(name);
			const hundredths = this.#random.below(10_000_000) - 5_000_000;
			return { wire: hundredths / 100, inside: hundredths };
		}
		switch (schema.type) {
			case 'array': {
				const items = [0, 1, 2].map(() => this.of(schema.item as Schema, name));
				return { wire: items.map(({ wire }) => wire), inside: items.map(({ inside }) => inside) };
			}
			case 'object':
			case 'strict_object':
			case 'loose_object':
				return both(
					Object.entries(schema.entries ?? {})
						.filter(([, { type }]) => !type.includes('optional') || this.#random.chance(80))
						.map(([field, inner]) => [field, this.of(inner, field)] as const),
				);
			case 'record':
				return both(['amount', 'stake', 'x'].map((field) => [field, this.of(schema.value as Schema, name)] as const));
			case 'union':
			case 'variant':
				return this.of(this.#random.from(schema.options as Schema[]), name);
			case 'nullable':
			case 'nullish':
				return this.#random.chance(20) ? same(null) : this.of(schema.wrapped as Schema, name);
			case 'number':
				return same(this.#random.below(100_000) / 100);
			case 'picklist':
				return same(this.#random.from(schema.options as unknown[]));
			case 'literal':
				return same(schema.literal);
			case 'string':
				return same('12.5');
			case 'boolean':
				return same(true);
			case 'null':
				return same(null);
			case 'unknown':
			case 'any':
				return same(structuredClone(OPEN));
			default:
				if (schema.wrapped) return this.of(schema.wrapped, name);
				throw new Error(`no value for ${schema.type} at ${name}`);
		}
	}
}

function check(schema: unknown, fields: UnitFields | null | undefined): number {
	let units = 0;
	for (let seed = 1; seed <= 30; seed++) {
		const random = new RandomValues(seed);
		const { wire, inside } = random.of(schema as Schema);
		expect(fromWire(structuredClone(wire), fields)).toEqual(inside);
		expect(toWire(inside, fields)).toEqual(wire);
		units += random.units.length;
	}
	return units;
}

describe('every amount and price of the schema is converted and nothing else is', () => {
	it.each(Object.keys(CALLS) as CallName[])('in %s', (name) => {
		check(CALLS[name].request, REQUEST_FIELDS[name]);
		// Without a row there is no unit to convert, and with one there is.
		expect(check(CALLS[name].response, ANSWER_FIELDS[name]) > 0).toBe(ANSWER_FIELDS[name] !== undefined);
	});

	it.each(Object.entries(HUB_SCHEMAS))('in the message %s', (code, schema) => {
		const fields = HUB_FIELDS[code as keyof typeof HUB_SCHEMAS];
		expect(check(schema, fields) > 0).toBe(fields !== undefined);
	});

	it('also on the first screen, which has tables of its own', () => {
		for (const [name, route] of Object.entries(FIRST_ROUTES)) {
			const first = name as FirstCall;
			expect(route).toEqual(CALL_ROUTES[first]);
			check(CALLS[first].request, FIRST_REQUEST_FIELDS[first]);
			check(CALLS[first].response, FIRST_ANSWER_FIELDS[first]);
		}
	});
});

it('every amount of the wire is kept to the minor unit', () => {
	for (let minor = -5000; minor < 5000; minor++) {
		const amount = fromWire(minor / 100, 1);
		expect(amount).toBe(minor);
		expect(toWire(amount, 1)).toBe(minor / 100);
	}
});
