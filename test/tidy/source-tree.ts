/**
 * The project's own source read once for the tidy test: every file with its imports and its functions, by the same
 * parser the site is built with.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'vite';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

export interface SourceFunction {
	name: string;
	lines: number;
	/** Positional parameters, without a `this` type. */
	parameters: number;
	isComponent: boolean;
	startLine: number;
}

export interface SourceFile {
	/** From the project's root, with forward slashes: `src/engine/place-bet.ts`. */
	path: string;
	text: string;
	/** The text with comments and string contents blanked out, so that a rule about code does not trip over prose. */
	code: string;
	lines: number;
	/** Project files imported at run time or for their types, as paths from the root. */
	imports: { path: string; typeOnly: boolean }[];
	functions: SourceFunction[];
	/** Every name in the code and the file's own: declared and used ones. */
	names: ReadonlySet<string>;
	/** The words of every string, and those of them that a `className` names. */
	words: ReadonlySet<string>;
	classNames: ReadonlySet<string>;
	/** Literal texts that its components show or name elements by, names of icons apart. */
	shownTexts: readonly string[];
}

interface AstNode {
	type: string;
	start: number;
	end: number;
	[key: string]: unknown;
}

const PREFIXES = ['values', 'contract', 'engine', 'sports', 'games', 'server', 'studio', 'ui', 'web', 'console'];

/** A specifier as a path from the root, or null when it names a package. */
function resolve(from: string, specifier: string): string | null {
	const clean = specifier.split('?')[0] as string;
	if (clean.startsWith('.')) {
		const path = normalize(join(dirname(from), clean))
			.split(sep)
			.join('/');
		// AssemblyScript names files without their extension.
		return path.startsWith('src/kernel/') ? `${path}.ts` : path;
	}
	const prefix = PREFIXES.find((name) => clean.startsWith(`#${name}/`));
	return prefix ? `src/${clean.slice(1)}` : null;
}

const isNode = (value: unknown): value is AstNode =>
	typeof value === 'object' && value !== null && typeof (value as AstNode).type === 'string';

/** Depth-first over the syntax tree; the visitor gets each node with its parent. */
function walk(node: AstNode, parent: AstNode | null, visit: (node: AstNode, parent: AstNode | null) => void): void {
	visit(node, parent);
	for (const value of Object.values(node)) {
		if (Array.isArray(value)) {
			for (const item of value) if (isNode(item)) walk(item, node, visit);
		} else if (isNode(value)) walk(value, node, visit);
	}
}

const nameOf = (node: unknown): string | null =>
	isNode(node) && typeof node['name'] === 'string' ? node['name'] : null;

function functionsOf(program: AstNode, text: string, isTsx: boolean): SourceFunction[] {
	const found: SourceFunction[] = [];
	const lineOf = (offset: number) => text.slice(0, offset).split('\n').length;
	walk(program, null, (node, parent) => {
		if (!/^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type)) return;
		const name = nameOf(node['id']) ?? nameOf(parent?.['id']) ?? nameOf(parent?.['key']) ?? 'anonymous';
		const startLine = lineOf(node.start);
		const lines = lineOf(node.end) - startLine + 1;
		const { length: parameters } = (node['params'] as unknown[]).filter((parameter) => nameOf(parameter) !== 'this');
		found.push({ name, lines, parameters, startLine, isComponent: isTsx && /^[A-Z]/.test(name) });
	});
	return found;
}

function namesOf(path: string, program: AstNode): Set<string> {
	const names = new Set([path.split('/').at(-1) ?? path]);
	walk(program, null, (node) => {
		const name = node.type.endsWith('Identifier') ? nameOf(node) : null;
		if (name) names.add(name);
	});
	return names;
}

/** The words of all strings below a node; those that are only compared with something name nothing. */
function wordsOf(root: AstNode): Set<string> {
	const words = new Set<string>();
	walk(root, null, (node, parent) => {
		if (parent?.type === 'BinaryExpression') return;
		const text =
			node.type === 'Literal'
				? node['value']
				: node.type === 'TemplateElement'
					? (node['value'] as { raw: string }).raw
					: '';
		if (typeof text === 'string') for (const word of text.split(/\s+/)) if (word !== '') words.add(word);
	});
	return words;
}

/** Attributes that a player reads or hears. */
const SHOWN_ATTRIBUTE =
	/^(alt|title|placeholder|label|text|note|hint|heading|aria-(label|description|valuetext)|\w+(Label|Text))$/;

/** Words, in any script; signs and figures are alike in every language. */
const HAS_WORDS = /\p{L}{2}/u;

/** The literal texts that an expression can come to. */
function literalsOf(node: unknown): string[] {
	if (!isNode(node)) return [];
	if (node.type === 'JSXText' || node.type === 'Literal') return [String(node['value'])];
	if (node.type === 'TemplateElement') return [(node['value'] as { cooked: string }).cooked];
	if (node.type === 'TemplateLiteral') return (node['quasis'] as unknown[]).flatMap(literalsOf);
	if (node.type === 'JSXExpressionContainer') return literalsOf(node['expression']);
	return [node['consequent'], node['alternate'], node['right']].flatMap(literalsOf);
}

function shownTextsOf(program: AstNode): string[] {
	const texts: string[] = [];
	walk(program, null, (node) => {
		if (node.type === 'JSXAttribute' && SHOWN_ATTRIBUTE.test(nameOf(node['name']) ?? '')) {
			texts.push(...literalsOf(node['value']));
		}
		const opening = node['openingElement'];
		if (node.type === 'JSXFragment' || (isNode(opening) && nameOf(opening['name']) !== 'Icon')) {
			texts.push(...(node['children'] as unknown[]).flatMap(literalsOf));
		}
	});
	return texts.filter((text) => HAS_WORDS.test(text)).map((text) => text.trim());
}

function classNamesOf(program: AstNode): Set<string> {
	const names = new Set<string>();
	walk(program, null, (node) => {
		if (node.type !== 'JSXAttribute' || nameOf(node['name']) !== 'className') return;
		for (const word of wordsOf(node)) names.add(word);
	});
	return names;
}

/** Blanks comments and the insides of string literals, keeping every offset. */
function codeOnly(text: string, program: AstNode, comments: { start: number; end: number }[]): string {
	const chars = text.split('');
	const blank = (start: number, end: number) => {
		for (let at = start; at < end; at++) if (chars[at] !== '\n') chars[at] = ' ';
	};
	for (const comment of comments) blank(comment.start, comment.end);
	walk(program, null, (node) => {
		if (node.type === 'Literal' && typeof node['value'] === 'string') blank(node.start + 1, node.end - 1);
		if (node.type === 'TemplateElement') blank(node.start, node.end);
	});
	return chars.join('');
}

function readSource(path: string): SourceFile {
	const text = readFileSync(join(ROOT, path), 'utf8');
	const parsed = parseSync(path, text);
	if (parsed.errors.length > 0) throw new Error(`${path}: ${parsed.errors[0]?.message}`);
	const program = parsed.program as unknown as AstNode;
	const imports: SourceFile['imports'] = [];
	walk(program, null, (node) => {
		const source = node['source'];
		if (!isNode(source) || typeof source['value'] !== 'string') return;
		const resolved = resolve(path, source['value']);
		const kind = node['importKind'] ?? node['exportKind'];
		if (resolved) imports.push({ path: resolved, typeOnly: kind === 'type' || node.type === 'TSImportType' });
	});
	// Workers and child processes are started by URL or path, not imported.
	for (const match of text.matchAll(/new URL\('(\.[^']+\.tsx?)', import\.meta\.url\)/g)) {
		const resolved = resolve(path, match[1] as string);
		if (resolved) imports.push({ path: resolved, typeOnly: false });
	}
	return {
		path,
		text,
		code: codeOnly(text, program, parsed.comments),
		lines: text.split('\n').length,
		imports,
		functions: functionsOf(program, text, path.endsWith('.tsx')),
		names: namesOf(path, program),
		words: wordsOf(program),
		classNames: classNamesOf(program),
		shownTexts: shownTextsOf(program),
	};
}

function sourcePaths(folder: string): string[] {
	return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.name.endsWith('.d.ts'))
		.map((entry) => relative(ROOT, join(entry.parentPath, entry.name)).split(sep).join('/'));
}

/** Every TypeScript file of the project below the given folders. */
export function readSources(folders: readonly string[]): SourceFile[] {
	return folders.flatMap(sourcePaths).sort().map(readSource);
}

/** The files that import one another in a circle, each circle sorted: the strongly connected parts (Tarjan, 1972). */
export function importCircles(files: readonly SourceFile[]): string[][] {
	const importsOf = new Map(files.map((file) => [file.path, file.imports.map(({ path }) => path)]));
	const order = new Map<string, number>();
	const open: string[] = [];
	const circles: string[][] = [];
	function visit(path: string): number {
		const mine = order.size;
		order.set(path, mine);
		open.push(path);
		let low = mine;
		for (const next of importsOf.get(path) ?? []) {
			if (!importsOf.has(next)) continue;
			if (!order.has(next)) low = Math.min(low, visit(next));
			else if (open.includes(next)) low = Math.min(low, order.get(next) as number);
		}
		if (low === mine) {
			const circle = open.splice(open.indexOf(path));
			if (circle.length > 1) circles.push(circle.sort());
		}
		return low;
	}
	for (const { path } of files) if (!order.has(path)) visit(path);
	return circles;
}

export function readProjectText(path: string): string {
	return readFileSync(join(ROOT, path), 'utf8');
}

/** Whether there is a file or folder of that path. */
export function projectHas(path: string): boolean {
	return existsSync(join(ROOT, path));
}
