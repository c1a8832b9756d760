/**
 * A match that was drawn ahead is painted before the browser notes its address, which takes as long as half of the
 * painting. The router knows the new address at once; the browser's own is the former one for a frame.
 */
import { drawnAhead } from '#web/store/drawn-ahead.ts';

/** The entry that the browser has not noted yet. */
let late: Parameters<History['pushState']> | null = null;

/** Called when the match is painted. */
export function noteAddress(): void {
	const entry = late;
	late = null;
	// The router's own function would take it for a navigation of another program.
	if (entry) History.prototype.pushState.apply(history, entry);
}

/** Called once, when the router has put its own function into the history. */
export function pushWhenPainted(): void {
	const push = history.pushState.bind(history);
	history.pushState = (...entry) => {
		noteAddress();
		if (drawnAhead.painted) late = entry;
		else push(...entry);
	};
	// What changes the history, or leaves the page, finds the new address in it.
	for (const name of ['replaceState', 'go', 'back', 'forward'] as const) {
		const act = history[name].bind(history) as (...terms: unknown[]) => void;
		history[name] = (...terms: unknown[]) => {
			noteAddress();
			act(...terms);
		};
	}
	addEventListener('pagehide', noteAddress);
	// The browser's own Back has gone on from the former address: nothing leads to the new one any more.
	addEventListener('popstate', () => {
		late = null;
	});
}
