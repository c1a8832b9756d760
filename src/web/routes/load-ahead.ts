/** What comes before it is asked for: the later calls, the market page, the slip, the menu, the search and the log-in. */
import { loadPatiently } from '#ui/lazy-part.ts';
import { loadLaterCalls } from '#web/api/client.ts';
import { loadLater, loadMarket, loadSlip } from '#web/routes/lazy-parts.ts';
import { isLoggedIn } from '#web/store/session.ts';

/** Loads one part after another, each when the page is idle; the rest waits for one that does not come. */
export async function loadAhead(): Promise<void> {
	// A player has no use for the login before the session ends.
	const names = [
		'MenuModal',
		'SearchDialog',
		'ErrorScreen',
		...(isLoggedIn() ? [] : ['LoginOutlet' as const]),
	] as const;
	const later = names.map((name) => () => loadLater(name));
	for (const load of [loadLaterCalls, loadMarket, loadSlip, ...later]) {
		// Not every browser says when it is idle.
		await new Promise<unknown>((resolve) => (globalThis.requestIdleCallback ?? setTimeout)(resolve));
		await loadPatiently<unknown>(load);
	}
}
