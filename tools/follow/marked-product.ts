/**
 * The product with a mark in each function. A mark records its number if the asynchronous context belongs to the
 * followed job, so that concurrent work, such as feeds, timers and other players, leaves no trace. The kernel is
 * compiled with the same marks. The source contains none of this: modules are marked as Node loads them.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { Server } from 'node:net';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';
import { KERNEL_FEATURES } from '../build-kernel.ts';
import { type MarkedFunction, withMarks } from './marks.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const KERNEL = join(ROOT, 'src', 'kernel');
const KERNEL_CODE = 'src/engine/kernel-code.ts';
/** A global function, with a name that no source has. */
const MARK = 'passesHere';

const functions: MarkedFunction[] = [];
const numberOf = (one: MarkedFunction): number => functions.push(one) - 1;
/** The numbers of the functions passed by the job. */
const way = new AsyncLocalStorage<number[]>();
const marks = { [MARK]: (number: number): void => void way.getStore()?.push(number) };

/** Of the followed job. */
let followed: number[] | null = null;

/** From now on modules of `src` are marked as they are loaded. */
export async function markProduct(): Promise<void> {
	Object.assign(globalThis, marks);
	const code = await markedKernel();
	const { Instance } = WebAssembly;
	WebAssembly.Instance = class extends Instance {
		constructor(module: WebAssembly.Module, imports: WebAssembly.Imports = {}) {
			super(module, { ...imports, follow: marks });
		}
	};
	registerHooks({
		load: (url, context, next) => {
			const loaded = next(url, context);
			const file = url.startsWith('file:') ? relative(ROOT, fileURLToPath(url)).replaceAll('\\', '/') : '';
			if (file === KERNEL_CODE) return { ...loaded, source: `export const KERNEL_CODE = '${code}';` };
			if (!/^src\/.*\.ts$/.test(file)) return loaded;
			return { ...loaded, source: withMarks(file, String(loaded.source), MARK, numberOf) };
		},
	});
	// A request is parsed and answered in the context in which its connection was accepted.
	const { emit } = EventEmitter.prototype;
	Object.assign(Server.prototype, {
		emit(this: Server, name: string, ...args: unknown[]): boolean {
			if (name !== 'connection' || !followed) return emit.call(this, name, ...args);
			return way.run(followed, () => emit.call(this, name, ...args));
		},
	});
}

/** In base64. */
async function markedKernel(): Promise<string> {
	let code: Uint8Array | string = '';
	const declared = `@external("follow", "${MARK}") declare function ${MARK}(number: i32): void;`;
	const input = ['kernel.ts', '--baseDir', KERNEL, '--outFile', 'kernel.wasm'];
	const { error, stderr } = await asc.main([...input, ...KERNEL_FEATURES], {
		readFile: (name) => {
			try {
				const source = readFileSync(join(KERNEL, name), 'utf8');
				return declared + withMarks(`src/kernel/${name}`, source, MARK, numberOf);
			} catch {
				// The compiler tries names until one exists.
				return null;
			}
		},
		writeFile: (_, contents) => {
			code = contents;
		},
	});
	if (error) throw new Error(`src/kernel does not compile: ${stderr.toString()}`, { cause: error });
	return Buffer.from(code).toString('base64');
}

/**
 * The functions that the server passes, from accepting the connections until the work is done.
 * @param work sends requests over new connections
 */
export async function follow(work: () => Promise<void>): Promise<MarkedFunction[]> {
	const numbers: number[] = [];
	followed = numbers;
	await work();
	followed = null;
	return numbers.map((number) => functions[number] as MarkedFunction);
}
