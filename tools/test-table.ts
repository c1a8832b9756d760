/**
 * `npm run test-table` writes docs/TESTS.md, the list of tests by command: `npm test`, `npm run test:all`, and the long
 * forms. It reads the tests' sources, so it runs none of them.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { parseSync } from 'vite';
import { aligned } from './markdown-table.ts';

const ROOT = join(import.meta.dirname, '..');
export const TABLE = 'docs/TESTS.md';

/** The tag of what `npm test` leaves out (vitest.config.ts). */
const THOROUGH = 'thorough';

interface Node {
	type: string;
	[key: string]: unknown;
}

interface TestFile {
	/** From the project's root. */
	path: string;
	/** Titles of the tests that `npm test` runs, as the source has them. */
	quick: string[];
	/** Titles of the tests that only `npm run test:all` runs. */
	thorough: string[];
}

const isNode = (value: unknown): value is Node =>
	typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

/** `it`, `it.each(…)`, `onlyOn(width, …)` and the like: the start of a call's callee. */
function firstNameOf(node: unknown): string {
	if (!isNode(node)) return '';
	if (node.type === 'Identifier') return String(node['name']);
	return firstNameOf(node['object'] ?? node['callee']);
}

const titleOf = (node: unknown, text: string): string | null => {
	if (!isNode(node)) return null;
	if (node.type === 'Literal' && typeof node['value'] === 'string') return node['value'];
	if (node.type === 'TemplateLiteral') return text.slice(Number(node['start']) + 1, Number(node['end']) - 1);
	return null;
};

/** Whether a test's options tag it: always, never, or for some of its cases, such as one of two widths. */
function tagged(options: unknown): 'always' | 'never' | 'some' {
	if (!isNode(options) || options.type.includes('Function')) return 'never';
	// Computed by a call, such as `mainlyOn(…)`.
	if (options.type !== 'ObjectExpression') return 'some';
	for (const property of options['properties'] as Node[]) {
		const { key, value } = property as unknown as { key?: { name?: string }; value?: Node };
		if (key?.name === 'tags') return value?.['value'] === THOROUGH ? 'always' : 'some';
	}
	return 'never';
}

const GROUPS = new Set(['describe', 'suite']);
const TESTS = new Set(['it', 'test', 'onlyOn', 'onSeeds', 'mainlyEach']);
/** Runs some of its cases with the thorough tests alone. */
const MAINLY = 'mainlyEach';

/** Files that were read already: to parse one costs as much as many a test. */
const known = new Map<string, TestFile>();

/** The titles of a file's tests. @param path from the project's root */
export function testsOf(path: string): TestFile {
	const file = known.get(path);
	if (file) return file;
	const text = readFileSync(join(ROOT, path), 'utf8');
	return testsIn(path, text, parseSync(path, text).program);
}

/** The same of a file that the caller has parsed. */
export function testsIn(path: string, text: string, program: object): TestFile {
	const file: TestFile = { path, quick: [], thorough: [] };
	known.set(path, file);
	const isThorough = new RegExp(`^/\\*\\*[^]*?@module-tag ${THOROUGH}\\b[^]*?\\*/`).test(text);
	const visit = (node: unknown, within: boolean): void => {
		if (Array.isArray(node)) return node.forEach((item) => visit(item, within));
		if (!isNode(node)) return;
		let isTagged = within;
		if (node.type === 'CallExpression') {
			const name = firstNameOf(node['callee']);
			const [title, options] = node['arguments'] as unknown[];
			const words = titleOf(title, text);
			if (GROUPS.has(name) || TESTS.has(name)) {
				const how = name === MAINLY ? 'some' : tagged(options);
				isTagged ||= how === 'always';
				if (TESTS.has(name) && words !== null && (node['arguments'] as unknown[]).length > 1) {
					if (!isTagged) file.quick.push(words);
					if (isTagged) file.thorough.push(words);
					else if (how === 'some') file.thorough.push(`${words} (the other cases)`);
				}
			}
		}
		for (const key in node) {
			const value = node[key];
			if (typeof value === 'object') visit(value, isTagged);
		}
	};
	visit(program, isThorough);
	return file;
}

/** The scripts of package.json for long test runs, with the files that they name. */
function longForms(): { script: string; paths: string[] }[] {
	const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
		scripts: Record<string, string>;
	};
	return Object.entries(scripts)
		.filter(([name, command]) => name !== 'tidy' && command.includes('vitest run'))
		.map(([script, command]) => ({ script, paths: command.split(' ').filter((word) => word.startsWith('test/')) }));
}

const HEAD = ['file', '`npm test`', '`test:all` alone', 'long form'];

/** The expected text of the table. */
export function testTable(): string {
	const files = globSync('test/**/*.{ts,tsx}', { cwd: ROOT })
		.map((path) => testsOf(path.split(sep).join('/')))
		.filter(({ quick, thorough }) => quick.length + thorough.length > 0)
		.sort((one, other) => (one.path < other.path ? -1 : 1));
	const forms = longForms();
	const formOf = (path: string) =>
		forms
			.filter(({ paths }) => paths.some((prefix) => path === prefix || path.startsWith(`${prefix}/`)))
			.map(({ script }) => `\`npm run ${script}\``)
			.join(', ');
	const sum = (of: 'quick' | 'thorough') => files.reduce((count, file) => count + file[of].length, 0);
	const left = files.filter(({ thorough }) => thorough.length > 0);
	return `# Which test runs where

\`npm test\` shows every rule, every call, each fault once, each screen once, and the main job in three browser engines.
\`npm run test:all\` also runs the tests that are tagged \`thorough\`, and looks with axe at every state of a screen that a test comes to (\`TESTS=all\`). A long form runs the same tests with more rounds, kills or rows.
\`npm run test-table\` writes this page, and a test compares it.

A row counts the tests that a file declares; a test of a table (\`it.each\`) counts once. In all: ${sum('quick')} with \`npm test\`, ${sum('thorough')} more with \`npm run test:all\`.

${aligned([HEAD, ...files.map(({ path, quick, thorough }) => [path, quick.length, thorough.length || '', formOf(path)].map(String))])}

## What \`npm test\` leaves out

${left.map(({ path, thorough }) => `### ${path}\n\n${thorough.map((title) => `- ${title}`).join('\n')}`).join('\n\n') || 'Nothing.'}
`;
}

if (import.meta.main) writeFileSync(join(ROOT, TABLE), testTable());
