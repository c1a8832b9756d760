/**
 * The project's own source read once for the tidy test: every file with its imports and its functions, by the same
 * parser the site is built with.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'vite';

export const PROJECT_ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

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
	/** The comments in order, without their opening and closing marks. Consecutive `//` lines are one comment. */
	comments: readonly string[];
	lines: number;
	/** Project files imported at run time or for their types, as paths from the root, with the names; all of them is `*`. */
	imports: { path: string; typeOnly: boolean; names: readonly string[] }[];
	/** What it exports by name. */
	exports: readonly string[];
	functions: SourceFunction[];
	// Of shipped files alone:
	/** Groups of parts that an object literal takes over by a spread: `config`, `parts`, what an opener returned. */
	groupSpreads: readonly string[];
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

const PREFIXES = [
	'values',
	'contract',
	'engine',
	'sports',
	'games',
	'public-log',
	'conformity',
	'server',
	'studio',
	'ui',
	'web',
	'console',
];

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

type Visitor = (node: AstNode, parent: AstNode | null) => void;
/** What looks at nodes, and the types of those that it is called for. */
type Look = readonly [types: readonly string[], visit: Visitor];
type Visitors = ReadonlyMap<string, readonly Visitor[]>;

function byType(looks: readonly Look[]): Visitors {
	const visitors = new Map<string, Visitor[]>();
	for (const [types, visit] of looks)
		for (const type of types) visitors.set(type, [...(visitors.get(type) ?? []), visit]);
	return visitors;
}

/** Depth-first over the syntax tree; the visitors of a node's type get it with its parent. */
function walk(node: AstNode, parent: AstNode | null, visitors: Visitors): void {
	const ofType = visitors.get(node.type);
	if (ofType) for (const visit of ofType) visit(node, parent);
	for (const key in node) {
		const value = node[key];
		if (typeof value !== 'object' || value === null) continue;
		if (Array.isArray(value)) {
			for (const item of value) if (isNode(item)) walk(item, node, visitors);
		} else if (isNode(value)) walk(value, node, visitors);
	}
}

const nameOf = (node: unknown): string | null =>
	isNode(node) && typeof node['name'] === 'string' ? node['name'] : null;

const FUNCTIONS = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'];

/** @param lineOf the line of an offset */
function functionsIn(found: SourceFunction[], lineOf: (offset: number) => number, isTsx: boolean): Look {
	const visit: Visitor = (node, parent) => {
		const name = nameOf(node['id']) ?? nameOf(parent?.['id']) ?? nameOf(parent?.['key']) ?? 'anonymous';
		const startLine = lineOf(node.start);
		const lines = lineOf(node.end) - startLine + 1;
		const { length: parameters } = (node['params'] as unknown[]).filter((parameter) => nameOf(parameter) !== 'this');
		found.push({ name, lines, parameters, startLine, isComponent: isTsx && /^[A-Z]/.test(name) });
	};
	return [FUNCTIONS, visit];
}

/** The line of an offset in a text, by the starts of its lines. */
function linesOf(text: string): (offset: number) => number {
	const starts = [0];
	for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
	return (offset) => {
		let [low, high] = [0, starts.length];
		while (high - low > 1) {
			const middle = (low + high) >> 1;
			if ((starts[middle] as number) <= offset) low = middle;
			else high = middle;
		}
		return low + 1;
	};
}

function namesIn(names: Set<string>): Look {
	const visit: Visitor = (node) => {
		const name = nameOf(node);
		if (name) names.add(name);
	};
	return [['Identifier', 'PrivateIdentifier', 'JSXIdentifier'], visit];
}

/** The words of strings; those that are only compared with something name nothing. */
function wordsIn(words: Set<string>): Look {
	const visit: Visitor = (node, parent) => {
		if (parent?.type === 'BinaryExpression') return;
		const text = node.type === 'Literal' ? node['value'] : (node['value'] as { raw: string }).raw;
		if (typeof text === 'string') for (const word of text.split(/\s+/)) if (word !== '') words.add(word);
	};
	return [['Literal', 'TemplateElement'], visit];
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

function shownTextsIn(texts: string[]): Look {
	const add = (literals: string[]) => {
		for (const text of literals) if (HAS_WORDS.test(text)) texts.push(text.trim());
	};
	const visit: Visitor = (node) => {
		if (node.type === 'JSXAttribute' && SHOWN_ATTRIBUTE.test(nameOf(node['name']) ?? ''))
			add(literalsOf(node['value']));
		const opening = node['openingElement'];
		if (node.type === 'JSXFragment' || (isNode(opening) && nameOf(opening['name']) !== 'Icon')) {
			add((node['children'] as unknown[]).flatMap(literalsOf));
		}
	};
	return [['JSXAttribute', 'JSXElement', 'JSXFragment'], visit];
}

function classNamesIn(names: Set<string>): Look {
	const add = byType([wordsIn(names)]);
	const visit: Visitor = (node) => {
		if (nameOf(node['name']) === 'className') walk(node, null, add);
	};
	return [['JSXAttribute'], visit];
}

type Span = { start: number; end: number };

function stringsIn(spans: Span[]): Look {
	const visit: Visitor = (node) => {
		if (node.type === 'Literal' && typeof node['value'] === 'string')
			spans.push({ start: node.start + 1, end: node.end - 1 });
		if (node.type === 'TemplateElement') spans.push({ start: node.start, end: node.end });
	};
	return [['Literal', 'TemplateElement'], visit];
}

/** Blanks comments and the insides of string literals, keeping every offset. */
function blanked(text: string, spans: readonly Span[]): string {
	let [code, at] = ['', 0];
	for (const { start, end } of spans.toSorted((one, other) => one.start - other.start)) {
		if (end <= at) continue;
		const from = Math.max(start, at);
		code += text.slice(at, from) + text.slice(from, end).replace(/[^\n]/g, ' ');
		at = end;
	}
	return code + text.slice(at);
}

/** The texts of comments; those with nothing but blanks between them are one. */
function joined(
	text: string,
	comments: readonly { type: string; value: string; start: number; end: number }[],
): string[] {
	const texts: string[] = [];
	let before: { type: string; end: number } | null = null;
	for (const comment of comments) {
		const continues =
			before?.type === 'Line' && comment.type === 'Line' && text.slice(before.end, comment.start).trim() === '';
		if (continues) texts.push(`${texts.pop()}\n${comment.value}`);
		else texts.push(comment.value);
		before = comment;
	}
	return texts;
}

/** The name under which one side of an import or export knows it. */
const knownAs = (node: unknown): string => (isNode(node) ? (nameOf(node) ?? String(node['value'])) : '*');

/** What a node with a source names there. A module that is loaded, or a type that is named in place, may be used as a whole. */
function importedNames({ type, specifiers }: AstNode): string[] {
	if (type === 'ImportDeclaration')
		return (specifiers as AstNode[]).map((one) =>
			one.type === 'ImportDefaultSpecifier' ? 'default' : knownAs(one['imported']),
		);
	return type === 'ExportNamedDeclaration' ? (specifiers as AstNode[]).map((one) => knownAs(one['local'])) : ['*'];
}

function exportsIn(exports: string[]): Look {
	const add = (pattern: unknown): void => {
		if (!isNode(pattern)) return;
		const name = nameOf(pattern);
		if (name !== null) exports.push(name);
		// Of a destructured constant.
		for (const part of [pattern['properties'], pattern['elements']].flat())
			if (isNode(part)) add(part['value'] ?? part);
	};
	const visit: Visitor = (node) => {
		if (node.type === 'ExportDefaultDeclaration') return void exports.push('default');
		for (const one of node['specifiers'] as AstNode[]) exports.push(knownAs(one['exported']));
		const declaration = node['declaration'];
		if (!isNode(declaration)) return;
		add(declaration['id']);
		for (const declarator of (declaration['declarations'] as AstNode[] | undefined) ?? []) add(declarator['id']);
	};
	return [['ExportDefaultDeclaration', 'ExportNamedDeclaration'], visit];
}

const GROUP_TYPE = /(Config|Parts|Options|Opening|Base|Core|Trading|Accounts|World)$/;
/** A group by its name, what an opener returns, and what is taken from either. */
const GROUP = /^(await )?((this\.#?)?(config|parts|options|base)\b|open[A-Z]\w*\()/i;

const withoutParentheses = (node: AstNode): AstNode =>
	node.type === 'ParenthesizedExpression' ? withoutParentheses(node['expression'] as AstNode) : node;

/** Collects the spreads of object literals, and which of the file's names are groups of parts. */
function spreadsIn(text: string, spreads: string[], groups: Set<string>): Look {
	/** What `pattern` names as a whole: itself, or its rest. */
	const wholes = (pattern: AstNode): string[] =>
		pattern.type === 'Identifier'
			? [nameOf(pattern) as string]
			: ((pattern['properties'] as AstNode[] | undefined) ?? []).flatMap((part) =>
					part.type === 'RestElement' ? (nameOf(part['argument']) ?? []) : [],
				);
	const visit: Visitor = (node, parent) => {
		if (node.type === 'SpreadElement' && parent?.type === 'ObjectExpression') {
			const { type, start, end } = withoutParentheses(node['argument'] as AstNode);
			// A field that may be left out.
			if (type !== 'ConditionalExpression') spreads.push(text.slice(start, end));
		}
		if (node.type === 'VariableDeclarator') {
			const init = text.slice((node['init'] as AstNode | null)?.start ?? 0, (node['init'] as AstNode | null)?.end ?? 0);
			if (/^(await )?open[A-Z]\w*\(/.test(init)) for (const name of wholes(node['id'] as AstNode)) groups.add(name);
		}
		for (const parameter of (node['params'] as AstNode[] | undefined) ?? []) {
			const type = parameter['typeAnnotation'];
			const isGroup = isNode(type) && GROUP_TYPE.test(text.slice(type.start, type.end).replace(/[^\w]+$/, ''));
			if (parameter.type === 'ObjectPattern' || isGroup) for (const name of wholes(parameter)) groups.add(name);
		}
	};
	return [['SpreadElement', 'VariableDeclarator', ...FUNCTIONS], visit];
}

/** What names a module. */
const IMPORTS = [
	'ImportDeclaration',
	'ImportExpression',
	'ExportNamedDeclaration',
	'ExportAllDeclaration',
	'TSImportType',
];

function importsIn(imports: SourceFile['imports'], path: string): Look {
	const visit: Visitor = (node) => {
		const source = node['source'];
		if (!isNode(source) || typeof source['value'] !== 'string') return;
		const resolved = resolve(path, source['value']);
		const kind = node['importKind'] ?? node['exportKind'];
		if (resolved)
			imports.push({
				path: resolved,
				typeOnly: kind === 'type' || node.type === 'TSImportType',
				names: importedNames(node),
			});
	};
	return [IMPORTS, visit];
}

/** Also looks at a file's syntax tree: to parse all files once more takes seconds. */
type Reader = (path: string, text: string, program: object) => unknown;

function readSource(path: string, read: Reader): SourceFile {
	const text = readFileSync(join(PROJECT_ROOT, path), 'utf8');
	const parsed = parseSync(path, text);
	if (parsed.errors.length > 0) throw new Error(`${path}: ${parsed.errors[0]?.message}`);
	const { program } = parsed;
	read(path, text, program);
	const isTsx = path.endsWith('.tsx');
	const isShipped = path.startsWith('src/');
	const imports: SourceFile['imports'] = [];
	const functions: SourceFunction[] = [];
	const names = new Set([path.split('/').at(-1) ?? path]);
	const [words, classNames] = [new Set<string>(), new Set<string>()];
	const shownTexts: string[] = [];
	const strings: Span[] = [];
	const exports: string[] = [];
	const spreads: string[] = [];
	const groups = new Set<string>();
	const looks = [
		importsIn(imports, path),
		exportsIn(exports),
		functionsIn(functions, linesOf(text), isTsx),
		stringsIn(strings),
		...(isShipped ? [spreadsIn(text, spreads, groups), namesIn(names), wordsIn(words)] : []),
		...(isShipped && isTsx ? [classNamesIn(classNames), shownTextsIn(shownTexts)] : []),
	];
	// One walk for all: the trees of the whole project are large.
	walk(program as unknown as AstNode, null, byType(looks));
	// Workers and child processes are started by URL or path, not imported.
	for (const match of text.matchAll(/new URL\('(\.[^']+\.tsx?)', import\.meta\.url\)/g)) {
		const resolved = resolve(path, match[1] as string);
		if (resolved) imports.push({ path: resolved, typeOnly: false, names: ['*'] });
	}
	return {
		path,
		text,
		code: blanked(text, [...parsed.comments, ...strings]),
		comments: joined(text, parsed.comments),
		lines: text.split('\n').length,
		imports,
		exports,
		groupSpreads: spreads.filter((spread) => GROUP.test(spread) || groups.has(/^\w*/.exec(spread)?.[0] ?? '')),
		functions,
		names,
		words,
		classNames,
		shownTexts,
	};
}

function sourcePaths(folder: string): string[] {
	return readdirSync(join(PROJECT_ROOT, folder), { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.name.endsWith('.d.ts'))
		.map((entry) => relative(PROJECT_ROOT, join(entry.parentPath, entry.name)).split(sep).join('/'));
}

/** Every TypeScript file of the project below the given folders. */
export function readSources(folders: readonly string[], read: Reader = () => undefined): SourceFile[] {
	return folders
		.flatMap(sourcePaths)
		.sort()
		.map((path) => readSource(path, read));
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
	return readFileSync(join(PROJECT_ROOT, path), 'utf8');
}
