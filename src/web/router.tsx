/**
 * Every route of the site. Screens are loaded when they are first shown; the router alone knows all features and puts
 * them together.
 */

import {
	createRootRoute,
	createRoute,
	createRouter,
	lazyRouteComponent,
	Outlet,
	type ParsedLocation,
	redirect,
	useBlocker,
	useRouterState,
} from '@tanstack/react-router';
import { type ReactElement, Suspense, useEffect, useState } from 'react';
import { lazyPart } from '#ui/lazy-part.ts';
import { Skeleton } from '#ui/skeleton.tsx';
import { ToastOutlet } from '#ui/toast-outlet.tsx';
import { DomainLook } from '#web/features/domain/domain-look.tsx';
import { LoadingOverlay } from '#web/features/domain/loading-overlay.tsx';
import { NewsLine } from '#web/features/domain/news-line.tsx';
import type { ErrorKind } from '#web/features/errors/error-screen.tsx';
import { Frame } from '#web/features/frame/frame.tsx';
import { useSheetEntry } from '#web/features/frame/use-sheet-entry.ts';
import { MatchListScreen } from '#web/features/match-list/match-list-screen.tsx';
import { closeLoginDialog, openLoginDialog, showMenu, showSearch, useDialogs } from '#web/store/dialogs.ts';
import { loadDomain, useDomain } from '#web/store/domain.ts';
import { enterLobby, leaveLobby, setLayout, useLayout } from '#web/store/layout.ts';
import { askForMatch } from '#web/store/queries.ts';
import { isLoggedIn, logOut } from '#web/store/session.ts';
import { isWelcomeDue } from '#web/store/welcome.ts';
import { TEXTS } from '#web/texts.ts';

declare module '@tanstack/react-router' {
	interface StaticDataRouteOption {
		/** Stands in the page's title after the brand's name. */
		title?: string;
		/** Whether the image slider header stands above the screen. */
		banner?: boolean;
	}
	interface Register {
		router: typeof router;
	}
}

const MAINTENANCE = '/under-maintenance';
const isMaintenance = ({ pathname }: { pathname: string }): boolean => pathname.toLowerCase() === MAINTENANCE;
/** Where the visitor was when the site was suspended; he is taken back there. */
let beforeMaintenance: string | null = null;

const LoginDialog = lazyPart(async () => ({
	default: (await import('#web/features/login/login-dialog.tsx')).LoginDialog,
}));
const loadErrorScreen = () => import('#web/features/errors/error-screen.tsx');
const ErrorScreen = lazyPart(async () => ({ default: (await loadErrorScreen()).ErrorScreen }));
const loadMenu = () => import('#web/features/menu/menu-modal.tsx');
const loadSearch = () => import('#web/features/search/search-dialog.tsx');
const loadSlip = () => import('#web/features/bet-slip/bet-slip.tsx');
const loadMarket = () => import('#web/features/market/market-screen.tsx');
const MenuModal = lazyPart(async () => ({ default: (await loadMenu()).MenuModal }));
const SearchDialog = lazyPart(async () => ({ default: (await loadSearch()).SearchDialog }));
const BetSlip = lazyPart(async () => ({ default: (await loadSlip()).BetSlip }));
const OpenBets = lazyPart(async () => ({ default: (await import('#web/features/open-bets/open-bets.tsx')).OpenBets }));
const SiteFooter = lazyPart(async () => ({
	default: (await import('#web/features/domain/site-footer.tsx')).SiteFooter,
}));
const ImageSlider = lazyPart(async () => ({
	default: (await import('#web/features/banner/image-slider.tsx')).ImageSlider,
}));
const WelcomeModal = lazyPart(async () => ({
	default: (await import('#web/features/welcome/welcome-modal.tsx')).WelcomeModal,
}));

/** Once the first screen stands: what a press opens should not have to come first. */
const LOAD_AHEAD_MS = 2500;

function ErrorPage({ kind }: { kind: ErrorKind }): ReactElement {
	return (
		<Suspense fallback={<LoadingOverlay />}>
			<ErrorScreen kind={kind} />
		</Suspense>
	);
}

/** The last route's title that has one. */
function useRouteTitle(): string | null {
	return useRouterState({
		select: ({ matches }) => matches.findLast(({ staticData }) => staticData.title)?.staticData.title ?? null,
	});
}

function LoginOutlet(): ReactElement | null {
	const step = useDialogs(({ login }) => login);
	// The way back closes the dialog and stays on the screen below it.
	useBlocker({
		shouldBlockFn: ({ action }) => {
			if (action !== 'BACK') return false;
			closeLoginDialog();
			return true;
		},
		disabled: step === 'closed',
		enableBeforeUnload: false,
	});
	if (step === 'closed') return null;
	function onLoggedIn(): void {
		const { afterLogin } = useDialogs.getState();
		closeLoginDialog();
		if (afterLogin) router.history.push(afterLogin);
	}
	const leaveFor = (path: '/' | '/inplay') => () => {
		closeLoginDialog();
		void router.navigate({ to: path });
	};
	return (
		<Suspense fallback={null}>
			<LoginDialog step={step} onLoggedIn={onLoggedIn} onVerified={leaveFor('/')} onSkipped={leaveFor('/inplay')} />
		</Suspense>
	);
}

/** "/" opens the search, unless it is typed somewhere. */
function useSearchKey(): void {
	useEffect(() => {
		const onKey = (event: KeyboardEvent) => {
			const typing = event.target instanceof HTMLElement && event.target.closest('input, select, textarea, dialog');
			if (event.key !== '/' || typing || event.ctrlKey || event.metaKey || event.altKey) return;
			if (!useLayout.getState().search) return;
			event.preventDefault();
			showSearch(true);
		};
		document.addEventListener('keydown', onKey);
		return () => document.removeEventListener('keydown', onKey);
	}, []);
}

const closeMenu = () => showMenu(false);
const closeSearch = () => showSearch(false);

/** One after the other, each when the page has nothing better to do. */
async function loadAhead(): Promise<void> {
	for (const load of [loadMarket, loadSlip, loadMenu, loadSearch, loadErrorScreen]) {
		// Not every browser says when it is idle.
		await new Promise<unknown>((resolve) => (globalThis.requestIdleCallback ?? setTimeout)(resolve));
		await load().catch(() => undefined);
	}
}

/** The frame's own modals: menu, search and, once a day, the brand's welcome. */
function FrameModals(): ReactElement {
	const menu = useDialogs((dialogs) => dialogs.menu);
	const search = useDialogs((dialogs) => dialogs.search);
	const setting = useDomain((state) => state.setting);
	const [welcome] = useState(() => setting !== null && isWelcomeDue(setting));
	useSheetEntry('menu', menu, closeMenu);
	useSheetEntry('search', search, closeSearch);
	useSearchKey();
	useEffect(() => {
		const timer = setTimeout(() => void loadAhead(), LOAD_AHEAD_MS);
		return () => clearTimeout(timer);
	}, []);
	return (
		<Suspense fallback={null}>
			{menu && <MenuModal />}
			{search && <SearchDialog />}
			{welcome && setting && <WelcomeModal setting={setting} />}
		</Suspense>
	);
}

/** The view waits for the domain setting, and shows no screen of a suspended site; what all screens share stands beside it. */
function Root(): ReactElement {
	const loaded = useDomain((state) => state.loaded);
	const suspended = useDomain((state) => state.suspended);
	const overlay = useLayout((layout) => layout.overlay);
	const atMaintenance = useRouterState({ select: ({ location }) => isMaintenance(location) });
	const routeTitle = useRouteTitle();
	return (
		<>
			<DomainLook routeTitle={routeTitle} />
			{loaded && (atMaintenance || !suspended) ? <Outlet /> : <LoadingOverlay />}
			{overlay && <LoadingOverlay />}
			{!suspended && <LoginOutlet />}
			<ToastOutlet closeLabel={TEXTS.app.close} listLabel={TEXTS.app.notices} />
		</>
	);
}

const rootRoute = createRootRoute({
	component: Root,
	beforeLoad: ({ location, preload }) => {
		const { suspended, loaded } = useDomain.getState();
		const there = isMaintenance(location);
		if (suspended && !there) {
			if (!preload) beforeMaintenance = location.href;
			// Before the first load ended it is under way already.
			if (!preload && loaded) void loadDomain();
			throw redirect({ to: MAINTENANCE, replace: true });
		}
		if (!suspended && there && loaded) {
			const href = beforeMaintenance ?? '/';
			beforeMaintenance = null;
			throw redirect({ href, replace: true });
		}
	},
	notFoundComponent: () => <ErrorPage kind="notFound" />,
});

/** A login-required route without a login is blocked: the dialog opens over the screen one was on. */
function requireLogin({ location, preload }: { location: ParsedLocation; preload: boolean }): void {
	// A link that is only pointed at or focused asks for nothing yet.
	if (isLoggedIn() || preload) return;
	openLoginDialog(location.href);
	const stay = router.state.resolvedLocation?.href;
	if (stay && stay !== location.href) throw redirect({ href: stay, replace: true });
	throw redirect({ to: '/matchlist/$id', params: { id: '3' }, replace: true });
}

function FramedScreen(): ReactElement {
	const banner = useRouterState({ select: ({ matches }) => matches.some(({ staticData }) => staticData.banner) });
	return (
		<>
			<Frame
				news={<NewsLine />}
				banner={
					banner && (
						<Suspense fallback={<div className="slider" />}>
							<ImageSlider />
						</Suspense>
					)
				}
				slip={
					<Suspense fallback={<Skeleton className="m-3 h-40" />}>
						<BetSlip />
					</Suspense>
				}
				bets={
					<Suspense fallback={<Skeleton className="m-3 h-40" />}>
						<OpenBets />
					</Suspense>
				}
				footer={
					<Suspense fallback={null}>
						<SiteFooter />
					</Suspense>
				}
			>
				<Outlet />
			</Frame>
			<FrameModals />
		</>
	);
}

const frameRoute = createRoute({ getParentRoute: () => rootRoute, id: 'frame', component: FramedScreen });

const indexRoute = createRoute({
	getParentRoute: () => rootRoute,
	path: '/',
	beforeLoad: () => {
		throw redirect({ to: '/matchlist/$id', params: { id: '3' }, replace: true });
	},
});

const matchListRoute = createRoute({
	getParentRoute: () => frameRoute,
	path: '/matchlist/$id',
	component: MatchListScreen,
	staticData: { title: TEXTS.titles.matchList, banner: true },
});

const highlightsRoute = createRoute({
	getParentRoute: () => frameRoute,
	path: '/index',
	component: lazyRouteComponent(() => import('#web/features/match-list/index-screen.tsx'), 'IndexScreen'),
	staticData: { title: TEXTS.titles.index, banner: true },
});

const favouritesRoute = createRoute({
	getParentRoute: () => frameRoute,
	path: '/favorites',
	component: lazyRouteComponent(() => import('#web/features/match-list/favourites-screen.tsx'), 'FavouritesScreen'),
	staticData: { title: TEXTS.titles.favourites },
});

const marketsRoute = createRoute({
	getParentRoute: () => frameRoute,
	path: '/markets/{-$eventid}/$dreamEventId',
	component: lazyRouteComponent(loadMarket, 'MarketScreen'),
	beforeLoad: requireLogin,
	// Asked for when a link is pointed at, so that the press finds the answers; nobody waits for them here.
	loader: ({ params }) => askForMatch(params.dreamEventId),
	staticData: { title: TEXTS.titles.markets },
});

const loadOpenBets = () => import('#web/features/open-bets/open-bets-screen.tsx');

const openBetsRoute = createRoute({
	getParentRoute: () => frameRoute,
	path: '/open-bets',
	component: lazyRouteComponent(loadOpenBets, 'OpenBetsScreen'),
	beforeLoad: requireLogin,
	staticData: { title: TEXTS.titles.openBets },
});

const unselectedBetRoute = createRoute({
	getParentRoute: () => frameRoute,
	path: '/un-selected-bet',
	component: lazyRouteComponent(loadOpenBets, 'OpenBetsScreen'),
	beforeLoad: requireLogin,
	staticData: { title: TEXTS.titles.openBets },
});

const profitLossRoute = createRoute({
	getParentRoute: () => frameRoute,
	path: '/ProfitLoss',
	component: lazyRouteComponent(() => import('#web/features/profit-loss/profit-loss-screen.tsx'), 'ProfitLossScreen'),
	beforeLoad: requireLogin,
	staticData: { title: TEXTS.titles.profitLoss },
});

const loadHistory = () => import('#web/features/bet-history/bet-history-screen.tsx');

const betHistoryRoute = createRoute({
	getParentRoute: () => frameRoute,
	path: '/bet-history',
	component: lazyRouteComponent(loadHistory, 'BetHistoryScreen'),
	beforeLoad: requireLogin,
	staticData: { title: TEXTS.titles.betHistory },
});

const currentBetRoute = createRoute({
	getParentRoute: () => frameRoute,
	path: '/current-bet',
	component: lazyRouteComponent(loadHistory, 'BetHistoryScreen'),
	beforeLoad: requireLogin,
	staticData: { title: TEXTS.titles.betHistory },
});

const statementRoute = createRoute({
	getParentRoute: () => frameRoute,
	path: '/account-cash-statement',
	component: lazyRouteComponent(() => import('#web/features/statement/statement-screen.tsx'), 'StatementScreen'),
	beforeLoad: requireLogin,
	staticData: { title: TEXTS.titles.statement },
});

const settingsRoute = createRoute({
	getParentRoute: () => frameRoute,
	path: '/settings',
	component: lazyRouteComponent(() => import('#web/features/settings/settings-screen.tsx'), 'SettingsScreen'),
	beforeLoad: requireLogin,
	staticData: { title: TEXTS.titles.settings },
});

const inPlayRoute = createRoute({
	getParentRoute: () => frameRoute,
	path: '/inplay',
	component: lazyRouteComponent(() => import('#web/features/match-list/in-play-screen.tsx'), 'InPlayScreen'),
	beforeLoad: requireLogin,
	staticData: { title: TEXTS.titles.inPlay },
});

const changePasswordRoute = createRoute({
	getParentRoute: () => frameRoute,
	path: '/change-password',
	component: lazyRouteComponent(
		() => import('#web/features/password/change-password-screen.tsx'),
		'ChangePasswordScreen',
	),
	beforeLoad: requireLogin,
	staticData: { title: TEXTS.titles.changePassword },
});

const stakeButtonsRoute = createRoute({
	getParentRoute: () => frameRoute,
	path: '/change-button-values',
	component: lazyRouteComponent(() => import('#web/features/settings/stake-buttons-screen.tsx'), 'StakeButtonsScreen'),
	beforeLoad: requireLogin,
	staticData: { title: TEXTS.titles.stakeButtons },
});

const rulesRoute = createRoute({
	getParentRoute: () => frameRoute,
	path: '/rules',
	component: lazyRouteComponent(() => import('#web/features/rules/rules-screen.tsx'), 'RulesScreen'),
	beforeLoad: requireLogin,
	staticData: { title: TEXTS.titles.rules },
});

/** Parts that are not open yet have their route, their guard and their title already. */
const loadSoon = () => import('#web/features/coming-soon/coming-soon-screen.tsx');

const constructionRoute = createRoute({
	getParentRoute: () => frameRoute,
	path: '/underConstruction',
	component: lazyRouteComponent(loadSoon, 'ConstructionScreen'),
	staticData: { title: TEXTS.titles.construction },
});

const soonRoute = createRoute({
	getParentRoute: () => frameRoute,
	path: '/comingsoon',
	component: lazyRouteComponent(loadSoon, 'SoonScreen'),
	beforeLoad: requireLogin,
	staticData: { title: TEXTS.titles.soon },
});

const casinoRoute = createRoute({
	getParentRoute: () => frameRoute,
	path: '/casino',
	component: lazyRouteComponent(loadSoon, 'CasinoScreen'),
	beforeLoad: requireLogin,
	staticData: { title: TEXTS.titles.casino },
});

const lobbyPageRoute = createRoute({
	getParentRoute: () => frameRoute,
	path: '/lobby-page/$section',
	component: lazyRouteComponent(loadSoon, 'LobbyScreen'),
	beforeLoad: requireLogin,
	staticData: { title: TEXTS.titles.lobby },
});

const requestsRoute = createRoute({
	getParentRoute: () => frameRoute,
	path: '/dwrequests',
	component: lazyRouteComponent(loadSoon, 'RequestsScreen'),
	beforeLoad: requireLogin,
	staticData: { title: TEXTS.titles.requests },
});

const depositRoute = createRoute({
	getParentRoute: () => frameRoute,
	path: '/deposit',
	component: lazyRouteComponent(loadSoon, 'FundsScreen'),
	beforeLoad: requireLogin,
	staticData: { title: TEXTS.titles.funds },
});

const withdrawalRoute = createRoute({
	getParentRoute: () => frameRoute,
	path: '/withdrawal',
	component: lazyRouteComponent(loadSoon, 'FundsScreen'),
	beforeLoad: requireLogin,
	staticData: { title: TEXTS.titles.funds },
});

const referralRoute = createRoute({
	getParentRoute: () => frameRoute,
	path: '/referral',
	component: lazyRouteComponent(loadSoon, 'ReferralScreen'),
	beforeLoad: requireLogin,
	staticData: { title: TEXTS.titles.referral },
});

const bonusRoute = createRoute({
	getParentRoute: () => frameRoute,
	path: '/bonus',
	component: lazyRouteComponent(loadSoon, 'BonusScreen'),
	beforeLoad: requireLogin,
	staticData: { title: TEXTS.titles.bonus },
});

/** The lobby's layout: the sports bar gives way to the way back, and returns when the lobby is left. */
const lobbyRoute = createRoute({
	getParentRoute: () => frameRoute,
	path: '/lobby',
	component: lazyRouteComponent(loadSoon, 'CasinoScreen'),
	beforeLoad: requireLogin,
	onEnter: enterLobby,
	onLeave: leaveLobby,
	staticData: { title: TEXTS.titles.casino },
});

/** Routes match without regard to case, so /Auth/Logout and /auth/logout are one. */
const logoutRoute = createRoute({
	getParentRoute: () => rootRoute,
	path: '/Auth/Logout',
	beforeLoad: ({ preload }) => {
		if (preload) return;
		logOut();
		throw redirect({ to: '/auth/login', replace: true });
	},
});

const loginRoute = createRoute({
	getParentRoute: () => rootRoute,
	path: '/auth/login',
	component: lazyRouteComponent(() => import('#web/features/login/login-screen.tsx'), 'LoginScreen'),
	staticData: { title: TEXTS.titles.login },
});

const notAuthorizedRoute = createRoute({
	getParentRoute: () => rootRoute,
	path: '/not-authorized',
	component: () => <ErrorPage kind="notAuthorized" />,
	staticData: { title: TEXTS.titles.notAuthorized },
});

const notFoundRoute = createRoute({
	getParentRoute: () => rootRoute,
	path: '/error-404',
	component: () => <ErrorPage kind="notFound" />,
	staticData: { title: TEXTS.titles.notFound },
});

const serverErrorRoute = createRoute({
	getParentRoute: () => rootRoute,
	path: '/error-500',
	component: () => <ErrorPage kind="serverError" />,
	staticData: { title: TEXTS.titles.serverError },
});

const maintenanceRoute = createRoute({
	getParentRoute: () => rootRoute,
	path: MAINTENANCE,
	component: () => <ErrorPage kind="maintenance" />,
	staticData: { title: TEXTS.titles.maintenance },
});

const testRoute = createRoute({
	getParentRoute: () => rootRoute,
	path: '/test',
	component: lazyRouteComponent(() => import('#web/features/test-page/test-screen.tsx'), 'TestScreen'),
	staticData: { title: TEXTS.titles.test },
});

const unknownRoute = createRoute({
	getParentRoute: () => rootRoute,
	path: '$',
	beforeLoad: () => {
		throw redirect({ to: '/error-404', replace: true });
	},
});

const routeTree = rootRoute.addChildren([
	indexRoute,
	frameRoute.addChildren([
		matchListRoute,
		highlightsRoute,
		favouritesRoute,
		marketsRoute,
		openBetsRoute,
		unselectedBetRoute,
		profitLossRoute,
		betHistoryRoute,
		currentBetRoute,
		statementRoute,
		settingsRoute,
		inPlayRoute,
		changePasswordRoute,
		stakeButtonsRoute,
		rulesRoute,
		constructionRoute,
		soonRoute,
		casinoRoute,
		lobbyPageRoute,
		requestsRoute,
		depositRoute,
		withdrawalRoute,
		referralRoute,
		bonusRoute,
		lobbyRoute,
	]),
	logoutRoute,
	loginRoute,
	notAuthorizedRoute,
	notFoundRoute,
	serverErrorRoute,
	maintenanceRoute,
	testRoute,
	unknownRoute,
]);

export const router = createRouter({
	routeTree,
	scrollRestoration: true,
	defaultPreload: 'intent',
	// Of every route: one that breaks leaves the frame around it as it is.
	defaultErrorComponent: () => <ErrorPage kind={navigator.onLine ? 'serverError' : 'offline'} />,
});

/** The overlay covers a screen whose parts are long in coming; every navigation ends with it hidden. */
const OVERLAY_AFTER_MS = 1000;
let overlayTimer: ReturnType<typeof setTimeout> | undefined;
router.subscribe('onBeforeLoad', ({ pathChanged }) => {
	clearTimeout(overlayTimer);
	if (pathChanged) overlayTimer = setTimeout(() => setLayout({ overlay: true }), OVERLAY_AFTER_MS);
});
router.subscribe('onResolved', () => {
	clearTimeout(overlayTimer);
	setLayout({ overlay: false });
});
