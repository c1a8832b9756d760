/** Reading JSON strictly, against JSON.parse: whatever is well formed comes through, and a key put in once more never does. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseObject } from '#server/doors/http/strict-json.ts';

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

describe('a number', () => {
	it.each(['1e2', '1E2', '-1e+2', '1.5e-3', '[1e2]', '0e0'])('is not written as %s', (number) => {
		expect(() => parseObject(`{"a":${number}}`)).toThrow('amount');
	});

	it.each(['100', '-0.5', '"1e2"', 'true', 'false', '{"1e2":1}'])('may be %s', (number) => {
		expect(parseObject(`{"a":${number}}`)).toEqual({ a: JSON.parse(number) });
	});
});
