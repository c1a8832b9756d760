/** Parts of a screen that are loaded on first use. */
import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

const AGAIN_MS = 2000;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Loads a file, and again every two seconds while the network or the server does not answer. */
export async function loadPatiently<Module>(load: () => Promise<Module>): Promise<Module> {
	for (;;) {
		try {
			return await load();
		} catch {
			await pause(AGAIN_MS);
		}
	}
}

/**
 * React's `lazy`, with retries: a late part leaves its place empty, where an error would take the whole screen down.
 */
export function lazyPart<Props extends object>(
	load: () => Promise<{ default: ComponentType<Props> }>,
): LazyExoticComponent<ComponentType<Props>> {
	return lazy(() => loadPatiently(load));
}
