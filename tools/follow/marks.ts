/** Adds a mark to the beginning of each function of a source, which records its call. */
import { parseSync } from 'vite';

/** A function of the product. */
export interface MarkedFunction {
	/** Its path in the repository. */
	file: string;
	/** A function without a name has that of the enclosing one. */
	name: string;
	/** It can refuse: throws a refusal, or returns a reason. */
	refuses: boolean;
	/** It writes to fields, maps or lists that it did not create. */
	writes: boolean;
}

interface Node {
	type: string;
	start: number;
	end: number;
	[key: string]: unknown;
}

const FUNCTIONS: ReadonlySet<string> = new Set([
	'FunctionDeclaration',
	'FunctionExpression',
	'ArrowFunctionExpression',
]);
/** The name of the variable or field whose value is the function. */
const NAMING: ReadonlySet<string> = new Set([
	'MethodDefinition',
	'PropertyDefinition',
	'Property',
	'VariableDeclarator',
]);
const WRITING: ReadonlySet<string> = new Set(['set', 'add', 'delete', 'push', 'splice', 'clear', 'shift', 'unshift']);
/** A refusal is an error of these classes, a call of `refuse`, or a number of src/kernel/refusals.ts. */
const REFUSING = /^(Refused|Invalid|refuse|refusals)$/;

/**
 * The source with `mark(number);` in each function with a body.
 * @param number of a function, for the mark
 * @throws Error if the source cannot be parsed
 */
export function withMarks(
	file: string,
	source: string,
	mark: string,
	number: (marked: MarkedFunction) => number,
): string {
	const { program, errors } = parseSync(file, source);
	if (errors[0]) throw new Error(`${file}: ${errors[0].message}`);
	const inserts: [at: number, text: string][] = [];
	const visit = (node: Node, name: string, around: MarkedFunction | null, makings: Set<string>): void => {
		const body = FUNCTIONS.has(node.type) ? (node['body'] as Node | null) : null;
		const own = body ? { file, name: nameOf(node['id']) ?? name, refuses: false, writes: false } : around;
		const made = body ? new Set(makings) : makings;
		const { init } = node;
		if (node.type === 'VariableDeclarator' && isNode(init) && MAKING.has(init.type)) made.add(nameOf(node['id']) ?? '');
		if (body && own) {
			const call = `${mark}(${number(own)})`;
			if (body.type === 'BlockStatement') inserts.push([body.start + 1, `${call};`]);
			else inserts.push([body.start, `(${call},`], [body.end, ')']);
		}
		if (own && node.type === 'Identifier' && REFUSING.test(nameOf(node) ?? '')) own.refuses = true;
		if (own && isWrite(node, made)) own.writes = true;
		for (const [key, value] of Object.entries(node)) {
			const given =
				NAMING.has(node.type) && (key === 'value' || key === 'init') ? nameOf(node['key'] ?? node['id']) : null;
			for (const child of [value].flat()) if (isNode(child)) visit(child, given ?? own?.name ?? name, own, made);
		}
	};
	visit(program as unknown as Node, 'the file', null, new Set());
	let marked = '';
	let from = 0;
	for (const [at, text] of inserts.sort(([one], [other]) => one - other)) {
		marked += source.slice(from, at) + text;
		from = at;
	}
	return marked + source.slice(from);
}

const isNode = (value: unknown): value is Node => typeof (value as Node | null)?.type === 'string';

/** Of an identifier, a private name or a text. */
function nameOf(node: unknown): string | null {
	if (!isNode(node)) return null;
	const { name, value } = node;
	return typeof name === 'string' ? name : typeof value === 'string' ? value : null;
}

/** Objects that a function creates and names, and may fill without an outside effect. */
const MAKING: ReadonlySet<string> = new Set(['ArrayExpression', 'ObjectExpression', 'NewExpression']);

function isWrite(node: Node, made: ReadonlySet<string>): boolean {
	const target = targetOf(node);
	return target !== null && !made.has(nameOf(rootOf(target)) ?? '');
}

/** The assigned field, or the object whose method changes it. */
function targetOf(node: Node): Node | null {
	const { left, argument, callee } = node;
	if (node.type === 'AssignmentExpression' || node.type === 'UpdateExpression') {
		const target = left ?? argument;
		return isNode(target) && target.type === 'MemberExpression' ? target : null;
	}
	if (node.type !== 'CallExpression' || !isNode(callee) || callee.type !== 'MemberExpression') return null;
	return WRITING.has(nameOf(callee['property']) ?? '') ? callee : null;
}

function rootOf(node: Node): Node {
	const { object } = node;
	return isNode(object) ? rootOf(object) : node;
}
