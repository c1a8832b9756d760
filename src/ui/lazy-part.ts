/** Parts of a screen that are loaded when they are first shown. */
import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

const AGAIN_MS = 2000;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * React's `lazy`, with patience: where the line is gone the file is asked for again until it comes. A part that is
 * late leaves its place empty; thrown, it would take the whole screen down.
 */
export function lazyPart<Props extends object>(
	load: () => Promise<{ default: ComponentType<Props> }>,
): LazyExoticComponent<ComponentType<Props>> {
	return lazy(async () => {
		for (;;) {
			try {
				return await load();
			} catch {
				await pause(AGAIN_MS);
			}
		}
	});
}
