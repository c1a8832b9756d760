/** What a page costs its main thread in some seconds, as the browser counts it, and its animation frames meanwhile. */
import type { CDPSession, Page } from 'playwright-core';

export interface PageWork {
	/** Scripting, style, layout and paint together. */
	mainThreadMs: number;
	framesPerSecond: number;
}

/** @param devtools a session of the page whose `Performance` is enabled */
export async function workOf(page: Page, devtools: CDPSession, forMs: number): Promise<PageWork> {
	const before = await workedMs(devtools);
	const frames = await page.evaluate(countFrames, forMs);
	return { mainThreadMs: (await workedMs(devtools)) - before, framesPerSecond: (frames * 1000) / forMs };
}

async function workedMs(devtools: CDPSession): Promise<number> {
	const { metrics } = await devtools.send('Performance.getMetrics');
	return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000;
}

/** In the page. */
function countFrames(forMs: number): Promise<number> {
	return new Promise((resolve) => {
		const begun = performance.now();
		let count = 0;
		const next = (now: number) => {
			count++;
			if (now - begun < forMs) requestAnimationFrame(next);
			else resolve(count);
		};
		requestAnimationFrame(next);
	});
}
