import { describe, expect, it } from 'vitest';
import { RULE_MESSAGES } from '#contract/player-rules.ts';
import { ERRORS } from '#values/error-catalogue.ts';
import * as bengali from '#web/texts/bn/first.ts';
import * as moreBengali from '#web/texts/bn/more.ts';
import { count as bengaliCount } from '#web/texts/bn/plural.ts';
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

/** Which of its parameters a text names, such as "0 2". */
function namedIn(text: unknown): string {
	if (typeof text !== 'function') return '';
	const marks = Array.from({ length: text.length }, (_, at) => `«${at}»`);
	const found = String(text(...marks)).match(/(?<=«)\d(?=»)/g) ?? [];
	return [...new Set(found)].sort().join(' ');
}

const { REFUSALS: _, FIELD_REFUSALS: __, ...inEnglish } = { ...english, ...moreEnglish };

/** Names, units and signs that all languages write alike. */
const SAME = /^([^a-z]*|[A-Z]|UTR|UPI|IFSC|cash-statement|proof-2\.json|2 L)$/i;
/** Figures of any other script than ours. */
const OTHER_FIGURES = /(?![0-9])\p{Nd}/u;

describe('the form of a word that goes with a number', () => {
	it.each([
		[0, '0 results', '0 नतीजा', '0টি ফল'],
		[1, '1 result', '1 नतीजा', '1টি ফল'],
		[2, '2 results', '2 नतीजे', '2টি ফল'],
	])('of %s is that of its language: Hindi counts nought as one, Bengali changes the number', (n, ...written) => {
		expect([count(n, 'result', 'results'), hindiCount(n, 'नतीजा', 'नतीजे'), bengaliCount(n, 'ফল')]).toEqual(written);
	});
});

describe.each([
	['Hindi', { ...hindi, ...moreHindi }, /\p{Script=Devanagari}/u],
	['Bengali', { ...bengali, ...moreBengali }, /\p{Script=Bengali}/u],
] as const)('%s', (_name, { REFUSALS, FIELD_REFUSALS, ...translated }, script) => {
	it('has every text of the English site, of as many parameters', () => {
		const shape = (texts: object) =>
			Object.fromEntries(
				leaves(texts)
					.filter(([path]) => path !== '.TEXTS.named')
					.map(([path, text]) => [path, typeof text === 'function' ? text.length : typeof text]),
			);
		expect(shape(translated)).toEqual(shape(inEnglish));
	});

	it('says each of them in its script, names and signs apart, and with Latin figures', () => {
		const words = new Map(leaves(inEnglish));
		const wrong = leaves(translated).filter(([path, text]) => {
			if (path === '.TEXTS.named') return false;
			const its = said(text);
			return OTHER_FIGURES.test(its) || (!script.test(its) && !SAME.test(said(words.get(path))));
		});
		expect(wrong.map(([path, text]) => `${path}: ${said(text)}`)).toEqual([]);
	});

	it('names in each the parameters that English names', () => {
		const words = new Map(leaves(inEnglish));
		const wrong = leaves(translated).flatMap(([path, text]) => {
			if (path === '.TEXTS.named') return [];
			const [its, wanted] = [namedIn(text), namedIn(words.get(path))];
			return its === wanted ? [] : [`${path} names ${its}, not ${wanted}: ${text}`];
		});
		expect(wrong).toEqual([]);
	});

	it('says why, for every code that the server refuses with', () => {
		expect(Object.keys(REFUSALS ?? {}).sort()).toEqual(Object.keys(ERRORS).sort());
	});

	it('says what is wrong with a field, for every rule', () => {
		expect(Object.keys(FIELD_REFUSALS ?? {}).sort()).toEqual(Object.values(RULE_MESSAGES).sort());
	});
});
