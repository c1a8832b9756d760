/**
 * `npm run build:kernel`: compiles src/kernel and writes the engine's interface to it: the code,
 * src/engine/kernel-code.ts, and the layout, src/engine/kernel-layout.ts: the offset of each field in a row, its flags,
 * and the signatures of the exports. Both files are part of the source, with the digest of their inputs: a test
 * compares it, a thorough one compiles the kernel again.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import asc from 'assemblyscript/asc';

const ROOT = path.resolve(import.meta.dirname, '..');
const SOURCE = path.join(ROOT, 'src/kernel');
/** The compiler's options without which the source does not compile, for each build of the kernel. */
export const KERNEL_FEATURES = ['--runtime', 'stub', '--enable', 'bulk-memory', '--enable', 'simd'];
const WIDTH = 110;
/** The formatter's line length, less the tab's width. */
const SIGNATURE_WIDTH = 116;

/** Bytes of a field, and of the array elements through which the engine reads it. */
const FIELD_SIZES: Readonly<Record<string, number>> = { f64: 8, u64: 8 };
const WORD = 4;

/** The kernel's source, by name. */
async function source(): Promise<[name: string, text: string][]> {
	const names = (await readdir(SOURCE)).filter((name) => name.endsWith('.ts')).sort();
	return await Promise.all(
		names.map(async (name): Promise<[string, string]> => [name, await readFile(path.join(SOURCE, name), 'utf8')]),
	);
}

/** SHA-256 of all inputs of the compiled kernel: its source, the compiler's version and this file. */
export async function kernelDigest(): Promise<string> {
	const digest = createHash('sha256').update(asc.version);
	for (const [name, text] of await source()) digest.update(`\n${name}\n${text}`);
	return digest.update(await readFile(import.meta.filename, 'utf8')).digest('hex');
}

/** The files that `src/kernel` compiles to now, by their path. */
export async function builtKernel(): Promise<Map<string, string>> {
	const files = new Map<string, Uint8Array | string>();
	const input = ['kernel.ts', '--baseDir', SOURCE, '--outFile', 'kernel.wasm', '--bindings', 'raw'];
	const { error, stderr } = await asc.main([...input, '-O3', '--converge', ...KERNEL_FEATURES], {
		writeFile: (name, contents) => void files.set(name, contents),
	});
	if (error) throw new Error(`src/kernel does not compile: ${stderr.toString()}`, { cause: error });
	const code = Buffer.from(files.get('kernel.wasm') as Uint8Array).toString('base64');
	return new Map([
		[path.join(ROOT, 'src/engine/kernel-code.ts'), codeFile(code, await kernelDigest())],
		[path.join(ROOT, 'src/engine/kernel-layout.ts'), await layoutFile(String(files.get('kernel.d.ts')))],
	]);
}

function codeFile(code: string, digest: string): string {
	const lines = code.match(new RegExp(`.{1,${WIDTH}}`, 'g')) ?? [];
	const quoted = lines.map((line) => `\t'${line}'`).join(' +\n');
	return `/** Made by \`npm run build:kernel\` from src/kernel: WebAssembly, in base64. */\nexport const KERNEL_CODE =\n${quoted};\n\n/** SHA-256 of what the code was made from. */\nexport const KERNEL_DIGEST = '${digest}';\n`;
}

/** @param declarations of the exports, as the compiler writes them */
async function layoutFile(declarations: string): Promise<string> {
	const parts = [
		'/** Made by `npm run build:kernel` from src/kernel: the places of fields, flags, and the signatures of the exports. */',
	];
	const imports: string[] = [];
	for (const [name, text] of await source()) {
		for (const [, className, body] of text.matchAll(/@unmanaged\nexport class (\w+) \{\n([\s\S]*?)\n\}/g)) {
			parts.push(layoutOf(className as string, body as string));
		}
		const flags = [...text.matchAll(/^export const (\w+): i32 = (-?\d+(?: << \d+)?);$/gm)];
		const declared = [...text.matchAll(/^(?:export )?declare function (.*);$/gm)];
		if (declared.length > 0) imports.push(importsOf(path.basename(name, '.ts'), declared));
		if (flags.length > 0) parts.push(constantsOf(path.basename(name, '.ts'), flags));
	}
	const functions = [...declarations.matchAll(/^\s*export (?:declare )?function (.*);$/gm)].map(([, one]) =>
		signatureOf(one as string),
	);
	parts.push(
		`/** What src/kernel exports; each function is described there. Rows, runners, ticks, prices and stakes are whole numbers of 31 bits. */\nexport interface KernelFunctions {\n\treadonly memory: { readonly buffer: ArrayBuffer };\n${functions.join('\n')}\n}`,
	);
	parts.push(
		`/** What src/kernel calls of the engine, by the file that declares it. */\nexport interface KernelImports {\n${imports.join('\n')}\n}`,
	);
	return `${parts.join('\n\n')}\n`;
}

function importsOf(file: string, declared: readonly RegExpMatchArray[]): string {
	const rows = declared.map(
		([, one]) => `\t\t${(one as string).replace(/\b[if](?:32|64)\b/g, 'number').replace(/\bbool\b/, 'boolean')};`,
	);
	return `\treadonly ${file.includes('-') ? `'${file}'` : file}: {\n${rows.join('\n')}\n\t};`;
}

/** A signature in the formatter's style: parameters on lines of their own if one line is too short. */
function signatureOf(declaration: string): string {
	if (declaration.length < SIGNATURE_WIDTH) return `\t${declaration};`;
	const [, name, parameters, result] = /^(\w+)\((.*)\): (\w+)$/.exec(declaration) ?? [];
	return `\t${name}(\n\t\t${parameters?.split(', ').join(',\n\t\t')},\n\t): ${result};`;
}

const upper = (name: string): string => name.replace(/(?<=[a-z])(?=[A-Z])|-/g, '_').toUpperCase();

/** Fields are consecutive, each aligned to its size. */
function layoutOf(className: string, body: string): string {
	let offset = 0;
	const fields = [...body.matchAll(/^\t(\w+): (\w+);$/gm)].map(([, field, type]) => {
		const size = FIELD_SIZES[type as string] ?? WORD;
		const at = Math.ceil(offset / size);
		offset = (at + 1) * size;
		return `\t${field}: ${at},`;
	});
	const comment = `/** Of a row of ${className}, counted in the size of each field. */`;
	return `${comment}\nexport const ${upper(className)}_ROW = {\n${fields.join('\n')}\n} as const;`;
}

function constantsOf(file: string, constants: readonly RegExpMatchArray[]): string {
	const rows = constants.map(([, name, value]) => `\t${name}: ${value},`);
	return `/** Of src/kernel/${file}.ts. */\nexport const ${upper(file)} = {\n${rows.join('\n')}\n} as const;`;
}

if (import.meta.main) for (const [file, text] of await builtKernel()) await writeFile(file, text);
