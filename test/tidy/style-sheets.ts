/** The site's style sheets read once for the tidy test: their rules, and which class names they or Tailwind define. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { compile } from 'tailwindcss';
import { readProjectText } from './source-tree.ts';

export interface StyleRule {
	/** The at-rules it stands in and its selector: `@media (hover: hover) .tile:hover`. */
	name: string;
	/** The classes of its selector. */
	classes: string[];
}

export interface StyleSheet {
	path: string;
	text: string;
	lines: number;
	rules: StyleRule[];
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** The style rules of a text, whatever at-rules they are in; the layer a file stands in makes no difference. */
export function rulesOf(text: string): StyleRule[] {
	const rules: StyleRule[] = [];
	const context: string[] = [];
	const clean = text.replace(/\/\*[\s\S]*?\*\//g, '');
	for (const [, prelude = '', brace] of clean.matchAll(/([^{};]*)([{};])/g)) {
		if (brace === '}') context.pop();
		if (brace !== '{') continue;
		const name = oneLine(prelude);
		const isRule = !name.startsWith('@') && !context.some((outer) => outer.startsWith('@keyframes'));
		if (isRule) {
			const within = context.filter((outer) => !outer.startsWith('@layer'));
			rules.push({
				name: [...within, name].join(' '),
				classes: [...name.matchAll(/\.([A-Za-z][\w-]*)/g)].map(([, found = '']) => found),
			});
		}
		context.push(name);
	}
	return rules;
}

/** The properties that transitions and key frames of a text move. */
export function movedBy(text: string): string[] {
	const clean = text.replace(/\/\*[\s\S]*?\*\//g, '');
	const transitions = [...clean.matchAll(/transition: ([^;]+);/g)].flatMap(([, value = '']) =>
		// A comma inside of a function separates no properties.
		value
			.replace(/\([^)]*\)/g, '')
			.split(',')
			.map((part) => part.trim().split(/\s/)[0] ?? ''),
	);
	const keyframes = [...clean.matchAll(/@keyframes [\w-]+ \{((?:[^{}]*\{[^{}]*\})*)\s*\}/g)].flatMap(([, body = '']) =>
		[...body.matchAll(/([a-z-]+):/g)].map(([, property = '']) => property),
	);
	return [...transitions, ...keyframes];
}

export function readStyleSheets(folder: string): StyleSheet[] {
	return readdirSync(folder, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile() && entry.name.endsWith('.css'))
		.map((entry) => join(entry.parentPath, entry.name).replaceAll('\\', '/'))
		.sort()
		.map((path) => {
			const text = readProjectText(path);
			return { path, text, lines: text.split('\n').length, rules: rulesOf(text) };
		});
}

/** The class names that Tailwind knows with the site's own tokens. */
export async function utilitiesAmong(names: readonly string[]): Promise<Set<string>> {
	const theme = readProjectText('node_modules/tailwindcss/theme.css');
	const tokens = readProjectText('src/ui/styles/tokens.css');
	const { build } = await compile(`${theme}\n${tokens}\n@tailwind utilities;`);
	const css = build([...names]);
	const escaped = (name: string) => name.replace(/[^\w-]/g, (char) => `\\${char}`).replace(/^(\d)/, '\\3$1 ');
	return new Set(names.filter((name) => css.includes(`.${escaped(name)}`)));
}
