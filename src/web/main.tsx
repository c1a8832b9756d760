/** The players' site starts here: who is logged in, which brand this is, the first screen, then the live line. */

import './styles.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode, startTransition } from 'react';
import { showToast } from '#ui/toast.ts';
import { inFlightCount, subscribeInFlight } from '#web/api/in-flight.ts';
import { watchConnection } from '#web/live/connection.ts';
import { startLive } from '#web/live/live.ts';
import { pause } from '#web/pause.ts';
import { createRoot } from '#web/react-root.ts';
import { router } from '#web/routes/router.tsx';
import { learnPlayerSports, watchActiveSports } from '#web/store/active-sports.ts';
import { loadDomain, takePageSetting, useDomain, watchDomain } from '#web/store/domain.ts';
import { setNoticeHandler } from '#web/store/notices.ts';
import { queryClient } from '#web/store/query-client.ts';
import { renewKeptLogin, restoreSession, setLogoutNavigation, watchOtherTabs } from '#web/store/session.ts';

/** After the first screen: keeping the files for later must not slow down what is looked at now. */
const KEEP_FILES_AFTER_MS = 4000;

/** The service worker; a browser without one has the same site, online only. */
function keepFiles(): void {
	if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
	setTimeout(
		() => void navigator.serviceWorker.register('/service-worker.js').catch(() => undefined),
		KEEP_FILES_AFTER_MS,
	);
}

/** A release takes the files of the one before away; a page that misses one is loaded anew, once. */
const YOUNG_MS = 10_000;
globalThis.addEventListener('vite:preloadError', () => {
	if (performance.now() < YOUNG_MS) return;
	// Only a server that answers can have a new release; without one the page that stands is all there is.
	fetch('/healthz', { cache: 'no-store' }).then(
		() => globalThis.location.reload(),
		() => undefined,
	);
});

setNoticeHandler((text, kind) => showToast(kind, text));
setLogoutNavigation(() => void router.navigate({ to: '/Auth/Logout' }));
takePageSetting();
await renewKeptLogin();
restoreSession();
watchOtherTabs();

// A suspension begins and ends wherever the visitor is; the guards decide anew.
useDomain.subscribe(({ suspended, serverMessage }, before) => {
	if (suspended === before.suspended) return;
	if (suspended && serverMessage) showToast('error', serverMessage);
	void router.invalidate();
});

/** Long enough for the first screen's answers; a line that is slower must not keep the live one waiting. */
const LIVE_AFTER_MS = 1500;

/** Resolves once the first screen stands. */
const firstScreen = new Promise<void>((resolve) => {
	const end = router.subscribe('onRendered', () => {
		end();
		resolve();
	});
});

/** Resolves once nothing is asked for any more. */
const answered = () =>
	new Promise<void>((resolve) => {
		const look = () => {
			if (inFlightCount() > 0) return;
			end();
			resolve();
		};
		const end = subscribeInFlight(() => void pause().then(look));
		void pause().then(look);
	});

/**
 * What keeps the site true comes after the first screen and its answers: a store that changes while React makes them
 * would make it begin anew.
 */
async function begin(): Promise<void> {
	const loading = loadDomain();
	if (!useDomain.getState().loaded) {
		await loading;
		// The guards decided the first time without knowing whether the site is suspended.
		void router.invalidate();
	}
	await firstScreen;
	await Promise.race([answered(), pause(LIVE_AFTER_MS)]);
	watchConnection();
	await pause();
	startLive();
	watchDomain();
	watchActiveSports();
	void learnPlayerSports();
	await pause();
	import('#web/store/stored-answers.ts').then(
		({ showStoredAnswers }) => showStoredAnswers(),
		// Without them the screens wait for this visit's answers.
		() => undefined,
	);
	keepFiles();
}

/** The page as it came stands until the screen is there; made in a transition, that leaves room for a press. */
async function showFirstScreen(): Promise<void> {
	const container = document.querySelector('#root');
	if (!container) throw new Error('The page has no root.');
	const root = createRoot(container);
	await router.load();
	startTransition(() =>
		root.render(
			<StrictMode>
				<QueryClientProvider client={queryClient}>
					<RouterProvider router={router} />
				</QueryClientProvider>
			</StrictMode>,
		),
	);
}

setTimeout(() => {
	void showFirstScreen();
	void begin();
});
