/**
 * The short mark on a price that moved. It is a data attribute set immediately and removed by one shared timer: CSS
 * animations on hundreds of cells would cost half the frames.
 */

const SHOWN_MS = 400;
const SWEEP_MS = 100;

const marked = new Map<HTMLElement, number>();
let timer: ReturnType<typeof setInterval> | undefined;

function sweep(): void {
	const now = performance.now();
	for (const [element, until] of marked) {
		if (until > now) continue;
		delete element.dataset['move'];
		marked.delete(element);
	}
	if (marked.size > 0) return;
	clearInterval(timer);
	timer = undefined;
}

/** Marks an element as just moved up or down; a hidden page marks nothing. */
export function flash(element: HTMLElement, move: -1 | 1): void {
	if (document.hidden) return;
	element.dataset['move'] = move > 0 ? 'up' : 'down';
	marked.set(element, performance.now() + SHOWN_MS);
	timer ??= setInterval(sweep, SWEEP_MS);
}
