/**
 * The bytes that the committer writes are those that the database and the audit read: arrays of cells, and the sealed
 * text.
 *
 * @module-tag thorough
 */
import { hash } from 'node:crypto';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ENTRY_BYTES, LedgerSealer } from '#server/exchange/ledger/ledger-seal.ts';
import { BinaryArrays, type Cell, type ElementType } from '#server/platform/postgres/binary-arrays.ts';
import { canonicalJson } from '#values/canonical-json.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';

/** What PostgreSQL can hold: no NUL, no half of a surrogate pair. */
const text = fc
	.string({ unit: 'binary', maxLength: 60 })
	.filter((value) => value.isWellFormed() && !value.includes('\0'));
const bigint = fc.oneof(fc.maxSafeInteger(), fc.integer(), fc.constantFrom(2 ** 32, -(2 ** 32), 999_999_999, 10 ** 9));
const int = fc.integer();
const cells: Record<ElementType, fc.Arbitrary<Cell>> = { bigint, int, text, boolean: fc.boolean() };
const TYPES = Object.keys(cells) as ElementType[];
const row = fc.tuple(...TYPES.map((type) => fc.option(cells[type], { nil: null, freq: 4 })));

describe('arrays of cells', () => {
	let database: FreshDatabase;
	beforeAll(async () => {
		database = await freshDatabase();
	});
	afterAll(() => database.drop());

	it('arrive in the database as they were, whatever the cells and however many rows', async () => {
		const selection = TYPES.map((type, at) => `$${at + 1}::${type}[] as ${type}_column`).join(', ');
		await fc.assert(
			fc.asyncProperty(fc.array(row, { maxLength: 40 }), fc.integer({ min: 1, max: 4_000 }), async (rows, bytes) => {
				const arrays = new BinaryArrays(bytes);
				const values = TYPES.map((type, at) => arrays.column(rows, at, type));
				const found = await database.db.query<Record<string, unknown[]>>(`select ${selection}`, values);
				TYPES.forEach((type, at) => {
					const column = found.rows[0]?.[`${type}_column`]?.map((cell) =>
						typeof cell === 'string' && type === 'bigint' ? Number(cell) : cell,
					);
					expect(column).toEqual(rows.map((cellsOfRow) => cellsOfRow[at]));
				});
			}),
			{ numRuns: 60 },
		);
	});

	it('refuse a number that the column would round', () => {
		const column = (cell: Cell, type: ElementType) => () => new BinaryArrays(100).column([[cell]], 0, type);
		for (const cell of [0.5, Number.NaN, 2 ** 53, Number.POSITIVE_INFINITY]) expect(column(cell, 'bigint')).toThrow();
		for (const cell of [0.5, Number.NaN, 2 ** 31, -(2 ** 31) - 1]) expect(column(cell, 'int')).toThrow();
	});
});

describe('the text that is sealed', () => {
	const KEY = 'a key with an é in it';
	const sealer = new LedgerSealer(KEY);

	it('is the key, the name and each cell after a line feed', () => {
		const cell = fc.oneof(bigint, text, fc.boolean(), fc.constant(null), fc.double());
		fc.assert(
			fc.property(fc.array(cell, { maxLength: 30 }), fc.uint8Array({ minLength: 9, maxLength: 9 }), (row, name) => {
				const entry = Buffer.alloc(ENTRY_BYTES);
				entry.set(name);
				const columns = row.map((_, at) => row.length - 1 - at);
				sealer.complete(entry, row, columns);
				const ofCells = columns.map((at) => `\n${row[at] ?? '\\N'}`).join('');
				const expected = hash('sha256', KEY + Buffer.from(name).toString('hex') + ofCells, 'hex').slice(0, 16);
				expect(entry.toString('hex')).toBe(Buffer.from(name).toString('hex') + expected);
			}),
		);
	});

	it('has room for a cell of any length', () => {
		const entry = Buffer.alloc(ENTRY_BYTES);
		const long = 'ü'.repeat(20_000);
		sealer.complete(entry, [long, 1], [0, 1]);
		const expected = hash('sha256', `${KEY}${'00'.repeat(9)}\n${long}\n1`, 'hex').slice(0, 16);
		expect(entry.toString('hex', 9)).toBe(expected);
	});
});

it('documents read the same in whatever order their keys are', () => {
	fc.assert(
		fc.property(fc.jsonValue(), (value) => {
			const shuffled = JSON.parse(JSON.stringify(value), (_, part) =>
				part && typeof part === 'object' && !Array.isArray(part)
					? Object.fromEntries(Object.entries(part).reverse())
					: part,
			);
			expect(canonicalJson(shuffled)).toBe(canonicalJson(value));
			expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
		}),
	);
});
