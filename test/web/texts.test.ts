import { describe, expect, it } from 'vitest';
import { RULE_MESSAGES } from '#contract/player-rules.ts';
import { ERRORS } from '#values/error-catalogue.ts';
import * as english from '#web/texts/en/first.ts';
import * as moreEnglish from '#web/texts/en/more.ts';
import { count } from '#web/texts/en/plural.ts';
import * as hindi from '#web/texts/hi/first.ts';
import * as moreHindi from '#web/texts/hi/more.ts';
import { count as hindiCount } from '#web/texts/hi/plural.ts';

type Leaf = readonly [path: string, text: unknown];

function leaves(node: object, path = ''): Leaf[] {
	return Object.entries(node).flatMap(([name, value]): Leaf[] =>
		typeof value === 'object' && value !== null ? leaves(value, `${path}.${name}`) : [[`${path}.${name}`, value]],
	);
}

/** What functions say, by their own parameters. */
const said = (text: unknown): string =>
	typeof text === 'function' ? String(text(...Array.from({ length: text.length }, (_, at) => at + 2))) : String(text);

const { REFUSALS: _, FIELD_REFUSALS: __, ...inEnglish } = { ...english, ...moreEnglish };
const { REFUSALS, FIELD_REFUSALS, ...inHindi } = { ...hindi, ...moreHindi };

/** Names, units and signs that both languages write alike. */
const SAME = /^([^a-z]*|[A-Z]|UTR|UPI|IFSC|cash-statement|proof-2\.json|2 L)$/i;

describe('the form of a word that goes with a number', () => {
	it.each([
		[0, '0 results', '0 नतीजा'],
		[1, '1 result', '1 नतीजा'],
		[2, '2 results', '2 नतीजे'],
	])('of %s is that of its language: Hindi counts nought as one', (n, one, other) => {
		expect(count(n, 'result', 'results')).toBe(one);
		expect(hindiCount(n, 'नतीजा', 'नतीजे')).toBe(other);
	});
});

describe('Hindi', () => {
	it('has every text of the English site, of as many parameters', () => {
		const shape = (texts: object) =>
			Object.fromEntries(
				leaves(texts)
					.filter(([path]) => path !== '.TEXTS.named')
					.map(([path, text]) => [path, typeof text === 'function' ? text.length : typeof text]),
			);
		expect(shape(inHindi)).toEqual(shape(inEnglish));
	});

	it('says each of them in Devanagari, names and signs apart, and with Latin figures', () => {
		const words = new Map(leaves(inEnglish));
		const wrong = leaves(inHindi).filter(([path, text]) => {
			if (path === '.TEXTS.named') return false;
			const hindiText = said(text);
			return /[०-९]/.test(hindiText) || (!/[\u0900-\u097F]/.test(hindiText) && !SAME.test(said(words.get(path))));
		});
		expect(wrong.map(([path, text]) => `${path}: ${said(text)}`)).toEqual([]);
	});

	it('says why, for every code that the server refuses with', () => {
		expect(Object.keys(REFUSALS ?? {}).sort()).toEqual(Object.keys(ERRORS).sort());
	});

	it('says what is wrong with a field, for every rule', () => {
		expect(Object.keys(FIELD_REFUSALS ?? {}).sort()).toEqual(Object.values(RULE_MESSAGES).sort());
	});
});
