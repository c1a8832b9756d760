/**
 * Loads the simulation once more with a fault in the product's code. Every module of the project that such a world imports
 * is a copy of its own, and the copies of some files are changed as they are read; nothing on the disk is.
 */
import { registerHooks } from 'node:module';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PlantedFault } from './planted-faults.ts';
import type { simulate } from './world.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PARAMETER = 'planted';

/** @throws Error when a text to be changed is not in its file any more */
export async function worldWith({ name, changes }: PlantedFault): Promise<{ simulate: typeof simulate }> {
	const missing = new Set(changes);
	const hooks = registerHooks({
		resolve(specifier, context, nextResolve) {
			const resolved = nextResolve(specifier, context);
			const parent = context.parentURL ? new URL(context.parentURL).searchParams.get(PARAMETER) : null;
			if (parent !== name || !isOwn(resolved.url)) return resolved;
			return { ...resolved, url: planted(resolved.url, name) };
		},
		load(url, context, nextLoad) {
			const loaded = nextLoad(url, context);
			if (!url.startsWith('file:') || new URL(url).searchParams.get(PARAMETER) !== name) return loaded;
			const file = relative(ROOT, fileURLToPath(url));
			let source = String(loaded.source);
			for (const change of changes) {
				if (change.file !== file) continue;
				if (!source.includes(change.from)) throw new Error(`${name}: ${file} has no longer: ${change.from}`);
				source = source.replace(change.from, () => change.to);
				missing.delete(change);
			}
			return { ...loaded, source };
		},
	});
	try {
		const world = (await import(planted(new URL('./world.ts', import.meta.url).href, name))) as {
			simulate: typeof simulate;
		};
		for (const { file } of missing) throw new Error(`${name}: the simulation does not load ${file}`);
		return world;
	} finally {
		hooks.deregister();
	}
}

const isOwn = (url: string): boolean =>
	url.startsWith(new URL('../../', import.meta.url).href) && !url.includes('/node_modules/');

function planted(url: string, name: string): string {
	const found = new URL(url);
	found.searchParams.set(PARAMETER, name);
	return found.href;
}
