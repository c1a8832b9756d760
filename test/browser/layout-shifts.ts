/** What moves on a page without a press. */
import type { Page } from 'playwright-core';

/** Since the page was loaded, or since they were taken. */
interface LayoutShifts {
	/** Each with its value, its path and the elements that moved. */
	moved: string[];
	/** The sum of the values. */
	shift: number;
}

declare global {
	interface Window {
		layoutShifts: LayoutShifts;
	}
}

/**
 * Runs in the page. A shift right after a press, or after a step through the history, is the answer to it; so is, however
 * late, the one frame in which the screen of another path takes the place of the one that was left: a slow page loads that
 * screen for longer than the browser counts, and the bars and columns around it are those of the new one.
 * @param hasRoom answers count, too
 */
function watch(hasRoom: boolean): void {
	/** As long as the browser counts it after a press. */
	const answerMs = 500;
	let wentAt = Number.NEGATIVE_INFINITY;
	addEventListener('popstate', ({ timeStamp }) => {
		wentAt = timeStamp;
	});
	let path = location.pathname;
	/** The frame of another screen: from the change until the next frame begins. */
	let screen = { from: Number.POSITIVE_INFINITY, until: Number.POSITIVE_INFINITY };
	new MutationObserver((changes) => {
		if (path === location.pathname) return;
		const last = document.querySelector('.frame-content')?.lastElementChild;
		if (!last || !changes.some(({ addedNodes }) => [...addedNodes].includes(last))) return;
		path = location.pathname;
		const frame = { from: performance.now(), until: Number.POSITIVE_INFINITY };
		screen = frame;
		requestAnimationFrame(() =>
			requestAnimationFrame((nextAt) => {
				frame.until = nextAt;
			}),
		);
	}).observe(document, { childList: true, subtree: true });
	interface Shift extends PerformanceEntry {
		value: number;
		hadRecentInput: boolean;
		sources: { node: Node | null }[];
	}
	window.layoutShifts = { moved: [], shift: 0 };
	new PerformanceObserver((list) => {
		for (const { value, hadRecentInput, startTime, sources } of list.getEntries() as Shift[]) {
			const isAnswer =
				hadRecentInput ||
				(startTime >= wentAt && startTime - wentAt < answerMs) ||
				(startTime >= screen.from && startTime < screen.until);
			if (isAnswer && !hasRoom) continue;
			window.layoutShifts.shift += value;
			const names = sources.map(({ node }) => (node instanceof Element ? node.className : node?.nodeName));
			window.layoutShifts.moved.push(`${value.toFixed(4)} ${location.pathname} ${names.join(', ')}`);
		}
	}).observe({ type: 'layout-shift', buffered: true });
}

/**
 * Notes the shifts of each page that is loaded from now on, in `window.layoutShifts`.
 * @param hasRoom the page keeps room for what a press brings, so that an answer moves nothing either
 */
export const watchShifts = (page: Page, { hasRoom = false } = {}): Promise<unknown> =>
	page.addInitScript(watch, hasRoom);

/** What moved since this was asked last. */
export const takeShifts = (page: Page): Promise<LayoutShifts> =>
	page.evaluate(() => {
		const taken = window.layoutShifts;
		window.layoutShifts = { moved: [], shift: 0 };
		return taken;
	});
