/** The players' site starts here: restore the login, take the brand's setting, show the first screen, then connect to the hub. */

import './styles.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode, startTransition } from 'react';
import { loadPatiently } from '#ui/lazy-part.ts';
import { showToast } from '#ui/toast.ts';
import { inFlightCount, subscribeInFlight } from '#web/api/in-flight.ts';
import { IS_PREVIEW } from '#web/api/preview.ts';
import { writeOddsAs } from '#web/format.ts';
import { pause } from '#web/pause.ts';
import { createRoot } from '#web/react-root.ts';
import { router } from '#web/routes/router.tsx';
import { watchActiveSports } from '#web/store/active-sports.ts';
import { loadBrand, takePageSetting, useBrand, watchBrand } from '#web/store/brand.ts';
import { setReload } from '#web/store/language.ts';
import { setNoticeHandler } from '#web/store/notices.ts';
import { usePreferences } from '#web/store/preferences.ts';
import { queryClient } from '#web/store/query-client.ts';
import { continueRegistration } from '#web/store/registration.ts';
import { isLoggedIn, renewKeptLogin, restoreSession, setLogoutNavigation, watchOtherTabs } from '#web/store/session.ts';
import { watchPins } from '#web/store/sport-tree.ts';

/** After the first screen: caching files for later must not slow down the screen in use. */
const KEEP_FILES_AFTER_MS = 4000;

/** The service worker; a browser without one has the same site, online only. */
function keepFiles(): void {
	if (IS_PREVIEW || !import.meta.env.PROD || !('serviceWorker' in navigator)) return;
	setTimeout(
		() =>
			void import('#web/keep-files.ts').then(
				({ keepFiles: begin }) => begin(),
				() => undefined,
			),
		KEEP_FILES_AFTER_MS,
	);
}

setNoticeHandler((text, kind) => showToast(kind, text));
setLogoutNavigation(() => void router.navigate({ to: '/Auth/Logout' }));
setReload(
	() =>
		void pause()
			.then(() => router.load())
			.then(() => globalThis.location.reload()),
);
// Before any component follows the choice.
writeOddsAs(usePreferences.getState().oddsFormat);
usePreferences.subscribe(({ oddsFormat }) => writeOddsAs(oddsFormat));
takePageSetting();
await renewKeptLogin();
restoreSession();
if (!isLoggedIn()) continueRegistration();
watchOtherTabs();

// A suspension can begin and end on any screen; the guards run again.
useBrand.subscribe(({ suspended, serverMessage }, before) => {
	if (suspended === before.suspended) return;
	if (suspended && serverMessage) showToast('error', serverMessage);
	void router.invalidate();
});

/** Long enough for the first screen's answers; slower ones must not delay the hub connection. */
const LIVE_AFTER_MS = 1500;

/** Resolves once the first screen is rendered. */
const firstScreen = new Promise<void>((resolve) => {
	const end = router.subscribe('onRendered', () => {
		end();
		resolve();
	});
});

/** Resolves once no call is in flight. */
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
 * Live updates start after the first screen and its answers: a store that changes while React renders them would make
 * React start over.
 */
async function begin(): Promise<void> {
	const loading = loadBrand();
	if (!useBrand.getState().loaded) {
		await loading;
		// The guards first ran without knowing whether the site is suspended.
		void router.invalidate();
	}
	await firstScreen;
	const live = loadPatiently(() => import('#web/live/live.ts'));
	await Promise.race([answered(), pause(LIVE_AFTER_MS)]);
	watchBrand();
	watchActiveSports();
	watchPins();
	(await live).startLive();
	await pause();
	// What the first screen did not take would be old for another.
	globalThis.firstCall = undefined;
	import('#web/store/stored-answers.ts').then(
		({ showStoredAnswers }) => showStoredAnswers(),
		// Without them the screens wait for this visit's answers.
		() => undefined,
	);
	import('#web/features/match-list/open-by-touch.ts').then(
		({ openMatchesByTouch }) => openMatchesByTouch(),
		// The browser's own clicks open matches, too.
		() => undefined,
	);
	keepFiles();
}

/** The served page stays until the screen is ready. A transition renders it in steps, so that presses are handled in between. */
async function showFirstScreen(): Promise<void> {
	const container = document.querySelector('#root');
	if (!container) throw new Error('The page has no root.');
	const root = createRoot(container);
	// The router's component listens once it is there: Back pressed before then would change the address alone.
	const end = router.history.subscribe(() => void router.load());
	void firstScreen.then(end);
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
