/** Reading JSON strictly, against JSON.parse: whatever is well formed comes through, and a key put in once more never does. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJson, parseObject } from '#server/doors/http/strict-json.ts';
import { type ErrorCode, Refused } from '#values/error-catalogue.ts';
import { isStorable } from '#values/storable.ts';

/** Any character but halves of surrogate pairs. As a unit of strings, fast-check writes a table of all of them first. */
const character = fc
	.oneof(
		fc.integer({ min: 0, max: 0xd7ff }),
		fc.integer({ min: 0xe000, max: 0x10ffff }),
		fc.integer({ min: 0, max: 0x7f }),
	)
	.map((code) => String.fromCodePoint(code));
const text = fc.array(character, { maxLength: 12 }).map((characters) => characters.join(''));
const value = fc.object({
	key: fc.oneof(text, fc.constantFrom('a":', '\\', '\\"', '{', '}', '__proto__', 'e', '')),
	values: [text, fc.integer(), fc.boolean(), fc.constant(null), fc.constantFrom('1e5', '"a":1,"a":2', '\\u0061')],
	maxDepth: 4,
});
const space = fc.constantFrom(undefined, 1, '\t', '\n ');
const written = fc.tuple(value, space).map(([object, spacing]) => JSON.stringify(object, null, spacing));

describe('an object', () => {
	it('is read like JSON.parse, unless it holds text that no table can store', () => {
		fc.assert(
			fc.property(written, (json) => {
				const read = () => JSON.stringify(parseObject(json));
				// A backslash before it makes it six plain characters.
				const holdsNul = /(?<!\\)(\\\\)*\\u0000/.test(json);
				if (holdsNul) expect(read).toThrow('not valid JSON');
				else expect(read()).toBe(JSON.stringify(JSON.parse(json)));
			}),
			{ numRuns: 2000 },
		);
	});

	it('is refused when one of its keys is repeated, at any depth and in any spelling', () => {
		const keyed = fc.tuple(written, fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 8 }), fc.boolean());
		fc.assert(
			fc.property(keyed, ([json, key, escaped]) => {
				const first = JSON.stringify(key);
				const code = key.codePointAt(0) ?? 0;
				const again = escaped
					? `"\\u${code.toString(16).padStart(4, '0')}${JSON.stringify(key.slice(1)).slice(1)}`
					: first;
				expect(() => parseObject(`{"outer":[{${first}:${json}, ${again} :1}]}`)).toThrow('not valid JSON');
			}),
			{ numRuns: 1000 },
		);
	});
});

/** JSON as it is written: a literal, a list, or an object with the literals of its keys. */
type Part = string | Part[] | { members: [key: string, held: Part][] };

const MOST_DEPTH = 32;
const keyLiteral = fc.oneof(
	{ weight: 8, arbitrary: fc.constantFrom('"a"', '"1"', '"0"', '"e"', '"__proto__"', '""', '"{"', '"1e5:"', '"€"') },
	{ weight: 1, arbitrary: fc.constantFrom('"\\u0061"', '"\\""', '"\\u0000"') },
);
const literal = fc.oneof(
	{ weight: 8, arbitrary: fc.constantFrom('1', '-0.5', '100', 'true', 'false', 'null', '"1E5"', '"[{,:}]"', '"🏏"') },
	{ weight: 1, arbitrary: fc.constantFrom('1e5', '-1E+5', '0.5e-1', '"\\u0061"', '"\\"{"', '"\\u0000"', '"\\ud83d"') },
);
const { part } = fc.letrec<{ part: Part }>((tie) => ({
	part: fc.oneof(
		{ maxDepth: 4, withCrossShrink: true },
		literal,
		fc.array(tie('part'), { maxLength: 3 }),
		fc.record({ members: fc.array(fc.tuple(keyLiteral, tie('part')), { maxLength: 3 }) }),
	),
}));
/** Within about as many lists and objects as may be. */
const deepPart = fc
	.tuple(part, fc.array(fc.boolean(), { minLength: MOST_DEPTH - 4, maxLength: MOST_DEPTH + 1 }))
	.map(([inner, layers]) =>
		layers.reduce<Part>((held, isList) => (isList ? [held] : { members: [['"a"', held]] }), inner),
	);

function textOf(json: Part): string {
	if (typeof json === 'string') return json;
	if (Array.isArray(json)) return `[${json.map(textOf).join(' , ')}]`;
	return `{${json.members.map(([key, held]) => `${key} :${textOf(held)}`).join(',')}}`;
}

/** The first refusal in the order of the text; undefined for none. */
function refusalOf(json: Part, depth = 0): ErrorCode | undefined {
	if (typeof json === 'string') {
		if (!isStorable(JSON.parse(json))) return 'MALFORMED_JSON';
		return /^-?\d.*e/i.test(json) ? 'INVALID_AMOUNT' : undefined;
	}
	if (depth === MOST_DEPTH) return 'MALFORMED_JSON';
	if (Array.isArray(json)) return json.map((held) => refusalOf(held, depth + 1)).find(Boolean);
	const keys = json.members.map(([key]) => JSON.parse(key) as string);
	const refusals = json.members.flatMap(([key, held], at): (ErrorCode | undefined)[] => {
		const isRepeated = keys.indexOf(keys[at] as string) < at;
		return [refusalOf(key), isRepeated ? 'MALFORMED_JSON' : undefined, refusalOf(held, depth + 1)];
	});
	return refusals.find(Boolean);
}

describe('a value', () => {
	/** The value, or the code of its refusal. */
	function outcomeOf(json: string): string {
		try {
			const read = parseJson(Buffer.from(json));
			expect(isStorable(read)).toBe(true);
			return JSON.stringify(read);
		} catch (error) {
			if (error instanceof Refused) return error.code;
			throw error;
		}
	}

	it.each([
		['of any kind', part],
		['that nests deeply', deepPart],
	])('%s is read like JSON.parse, or refused for what comes first', (_, parts) => {
		fc.assert(
			fc.property(parts, (json) => {
				const asText = textOf(json);
				expect(outcomeOf(asText)).toBe(refusalOf(json) ?? JSON.stringify(JSON.parse(asText)));
			}),
			{ numRuns: 2000 },
		);
	});

	it.each([
		['half of a surrogate pair', [0xed, 0xa0, 0xbd]],
		['U+0000', [0]],
	])('is refused with %s that no escape stands for', (_, bytes) => {
		expect(() => parseJson(Buffer.from([0x22, ...bytes, 0x22]))).toThrow('not valid JSON');
	});
});

describe('a number', () => {
	it.each(['1e2', '1E2', '-1e+2', '1.5e-3', '[1e2]', '0e0'])('is not written as %s', (number) => {
		expect(() => parseObject(`{"a":${number}}`)).toThrow('amount');
	});

	it.each(['100', '-0.5', '"1e2"', 'true', 'false', '{"1e2":1}'])('may be %s', (number) => {
		expect(parseObject(`{"a":${number}}`)).toEqual({ a: JSON.parse(number) });
	});
});
