/** Amounts are paise and prices are hundredths inside the site: which fields they are, and the way there and back. */
import { describe, expect, it } from 'vitest';
import { Amount, DecimalPrice, Money, Price, SignedAmount } from '#contract/fields.ts';
import { CALLS, type CallName } from '#contract/registry.ts';
import { AMOUNT_FIELDS, fromWire, hasUnits, PRICE_FIELDS, toWire } from '#web/api/units.ts';

interface Schema {
	type: string;
	entries?: Record<string, Schema>;
	item?: Schema;
	wrapped?: Schema;
	options?: readonly unknown[];
	pipe?: readonly Schema[];
}

type Unit = 'amount' | 'price' | 'number';

function unitOf(schema: Schema): Unit | null {
	const is = (...schemas: unknown[]) => schemas.includes(schema) || schemas.includes(schema.pipe?.[0]);
	if (is(Money, Amount, SignedAmount)) return 'amount';
	if (is(Price, DecimalPrice)) return 'price';
	return schema.type === 'number' ? 'number' : null;
}

/** Each number of a schema with the name of its field; the numbers of `lineRange` are named after it. */
function* numbersOf(schema: Schema, name: string): Generator<{ name: string; unit: Unit }> {
	const unit = unitOf(schema);
	if (unit) yield { name, unit };
	else if (schema.wrapped) yield* numbersOf(schema.wrapped, name);
	else if (schema.item) yield* numbersOf(schema.item, name);
	else if (schema.type === 'variant' || schema.type === 'union')
		for (const option of schema.options ?? []) yield* numbersOf(option as Schema, name);
	else
		for (const [field, inner] of Object.entries(schema.entries ?? {}))
			yield* numbersOf(inner, name === 'lineRange' ? name : field);
}

const known = (name: string): Unit =>
	(AMOUNT_FIELDS as readonly string[]).includes(name)
		? 'amount'
		: (PRICE_FIELDS as readonly string[]).includes(name)
			? 'price'
			: 'number';

describe('the fields that hold amounts and prices', () => {
	const calls = Object.entries(CALLS) as [CallName, { request: unknown; response: unknown }][];

	it.each(calls)('are the contract’s own in %s', (name, { request, response }) => {
		const numbers = [...numbersOf(request as Schema, ''), ...numbersOf(response as Schema, '')];
		const wrong = hasUnits(name)
			? numbers.filter((field) => known(field.name) !== field.unit)
			: numbers.filter(({ unit }) => unit !== 'number');
		expect(wrong).toEqual([]);
	});
});

describe('an answer', () => {
	const wire = () => ({
		openBets: [{ betId: 'b', price: 2.02, averagePrice: null, stake: 33.33, status: 'MATCHED' }],
		balance: 19_966.67,
		lineRange: { min: 20.5, max: 60.5, interval: 0.5 },
		line: 0.29,
	});

	it('has whole paise and hundredths, and all else as it was', () => {
		expect(fromWire(wire())).toEqual({
			openBets: [{ betId: 'b', price: 202, averagePrice: null, stake: 3333, status: 'MATCHED' }],
			balance: 1_996_667,
			lineRange: { min: 2050, max: 6050, interval: 50 },
			line: 0.29,
		});
	});

	it('goes back to the wire as it came', () => {
		expect(toWire(fromWire(wire()))).toEqual(wire());
	});

	it('keeps every amount of the wire to the paisa', () => {
		for (let paise = -5000; paise < 5000; paise++) {
			const { amount } = fromWire({ amount: paise / 100 });
			expect(amount).toBe(paise);
			expect(toWire({ amount })).toEqual({ amount: paise / 100 });
		}
	});
});
