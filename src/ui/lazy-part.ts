/** Parts of a screen that are loaded on first use. */
import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

const AGAIN_MS = 2000;
/** A page that was reloaded is not reloaded again within this time. */
const YOUNG_MS = 10_000;

/** Resolves after two seconds, or as soon as the browser says that the network is back. */
const untilNextTry = () =>
	new Promise((resolve) => {
		setTimeout(resolve, AGAIN_MS);
		addEventListener('online', resolve, { once: true });
	});

function reload(): void {
	const [opened] = performance.getEntriesByType('navigation') as [PerformanceNavigationTiming];
	if (opened.type !== 'reload' || performance.now() > YOUNG_MS) location.reload();
}

/**
 * Loads a file, and again every two seconds while the network or the server does not answer. Where the server answers and
 * the file still does not come, only another page helps: a release removes the files of the one before, and WebKit keeps a
 * file as failed that was lost with the network.
 */
export async function loadPatiently<Module>(load: () => Promise<Module>): Promise<Module> {
	for (let isAnswered = false; ; ) {
		try {
			return await load();
		} catch (failure) {
			// All engines have this word for it; an error of the file itself stays one with another page.
			if (isAnswered && / module/.test(String(failure))) reload();
			await untilNextTry();
			isAnswered = await fetch('/healthz', { cache: 'no-store' }).then(Boolean, () => false);
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
