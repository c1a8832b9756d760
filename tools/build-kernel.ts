/**
 * `npm run build:kernel`: compiles src/kernel and writes it where the engine finds it, src/engine/kernel-code.ts. What it
 * writes is part of the source, so that nothing but the engine's own files is needed to run it; a test compiles it anew
 * and compares.
 */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import asc from 'assemblyscript/asc';

const ROOT = path.resolve(import.meta.dirname, '..');
const TARGET = path.join(ROOT, 'src/engine/kernel-code.ts');
const WIDTH = 110;

/** What src/kernel compiles to as it is now, in base64. */
export async function compiledKernel(): Promise<string> {
	const files = new Map<string, Uint8Array | string>();
	const source = ['kernel.ts', '--baseDir', path.join(ROOT, 'src/kernel'), '--outFile', 'kernel.wasm'];
	const options = ['-O3', '--converge', '--noAssert', '--runtime', 'stub', '--enable', 'bulk-memory'];
	const { error, stderr } = await asc.main([...source, ...options], {
		writeFile: (name, contents) => void files.set(name, contents),
	});
	if (error) throw new Error(`src/kernel does not compile: ${stderr.toString()}`, { cause: error });
	return Buffer.from(files.get('kernel.wasm') as Uint8Array).toString('base64');
}

/** The file that the engine imports. */
function moduleOf(code: string): string {
	const lines = code.match(new RegExp(`.{1,${WIDTH}}`, 'g')) ?? [];
	const quoted = lines.map((line) => `\t'${line}'`).join(' +\n');
	return `/** Made by \`npm run build:kernel\` from src/kernel: WebAssembly, in base64. */\nexport const KERNEL_CODE =\n${quoted};\n`;
}

if (import.meta.main) await writeFile(TARGET, moduleOf(await compiledKernel()));
