/** Every setting of a brand has words: a label, what it means, its group, and the unit of a number. */
import { expect, it } from 'vitest';
import { DomainSetting } from '#contract/domain-setting.ts';
import { isChangeable } from '#contract/setting-change.ts';
import { SETTING_GROUPS, SETTING_WORDS } from '#contract/setting-words.ts';

interface Described {
	type: string;
	wrapped?: Described;
	entries?: Record<string, Described>;
	pipe?: readonly { type: string }[];
}

const innermost = (schema: Described): Described => (schema.wrapped ? innermost(schema.wrapped) : schema);

/** The paths of a schema's settings; the parts of an object that may be missing as a whole are set together. */
function pathsOf(entries: Record<string, Described>, before = ''): { path: string; schema: Described }[] {
	return Object.entries(entries).flatMap(([name, schema]) => {
		const inner = innermost(schema);
		const path = `${before}${name}`;
		const isTogether = schema.wrapped?.type === 'nullable' || schema.type === 'nullable';
		return inner.entries && !isTogether ? pathsOf(inner.entries, `${path}.`) : [{ path, schema: inner }];
	});
}

const changeable = Object.entries(DomainSetting.entries).filter(([name]) => isChangeable(name));
const paths = pathsOf(Object.fromEntries(changeable) as unknown as Record<string, Described>);
const wordsOf = new Map(Object.entries(SETTING_WORDS));

it('each setting has words, and no words are of a setting that is none', () => {
	expect([...wordsOf.keys()].sort()).toEqual(paths.map(({ path }) => path).sort());
});

it('labels are words, and no two are the same in a group; each help is a sentence', () => {
	const labels = [...wordsOf.values()].map(({ group, label }) => `${SETTING_GROUPS[group]}: ${label}`);
	expect(labels.filter((label, at) => labels.indexOf(label) !== at)).toEqual([]);
	const unworded = [...wordsOf].filter(
		([, { label, help }]) => /[a-z][A-Z]/.test(label) || !/^\p{Lu}.*\.$/u.test(help),
	);
	expect(unworded.map(([path]) => path)).toEqual([]);
});

it('each number says what it counts', () => {
	const numbers = paths.filter(({ schema }) => schema.type === 'number').map(({ path }) => path);
	expect(numbers.length).toBeGreaterThan(20);
	expect(numbers.filter((path) => wordsOf.get(path)?.unit === '')).toEqual([]);
});
