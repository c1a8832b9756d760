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
	useRouterState,
} from '@tanstack/react-router';
import { lazy, type ReactElement, Suspense } from 'react';
import { ToastOutlet } from '#ui/toast-outlet.tsx';
import { BetSlip } from '#web/features/bet-slip/bet-slip.tsx';
import { DomainLook } from '#web/features/domain/domain-look.tsx';
import { LoadingOverlay } from '#web/features/domain/loading-overlay.tsx';
import { NewsLine } from '#web/features/domain/news-line.tsx';
import { SiteFooter } from '#web/features/domain/site-footer.tsx';
import { ErrorScreen } from '#web/features/errors/error-screen.tsx';
import { Frame } from '#web/features/frame/frame.tsx';
import { MatchListScreen } from '#web/features/match-list/match-list-screen.tsx';
import { OpenBets } from '#web/features/open-bets/open-bets.tsx';
import { closeLoginDialog, openLoginDialog, useDialogs } from '#web/store/dialogs.ts';
import { loadDomain, useDomain } from '#web/store/domain.ts';
import { isLoggedIn, logOut } from '#web/store/session.ts';
import { TEXTS } from '#web/texts.ts';

declare module '@tanstack/react-router' {
	interface StaticDataRouteOption {
		/** Stands in the page's title after the brand's name. */
		title?: string;
	}
	interface Register {
		router: typeof router;
	}
}

const MAINTENANCE = '/under-maintenance';
const isMaintenance = ({ pathname }: { pathname: string }): boolean => pathname.toLowerCase() === MAINTENANCE;
/** Where the visitor was when the site was suspended; he is taken back there. */
let beforeMaintenance: string | null = null;

const LoginDialog = lazy(async () => ({
	default: (await import('#web/features/login/login-dialog.tsx')).LoginDialog,
}));

/** The last route's title that has one. */
function useRouteTitle(): string | null {
	return useRouterState({
		select: ({ matches }) => matches.findLast(({ staticData }) => staticData.title)?.staticData.title ?? null,
	});
}

function LoginOutlet(): ReactElement | null {
	const step = useDialogs(({ login }) => login);
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

/** The view waits for the domain setting, and shows no screen of a suspended site; what all screens share stands beside it. */
function Root(): ReactElement {
	const loaded = useDomain((state) => state.loaded);
	const suspended = useDomain((state) => state.suspended);
	const atMaintenance = useRouterState({ select: ({ location }) => isMaintenance(location) });
	const routeTitle = useRouteTitle();
	return (
		<>
			<DomainLook routeTitle={routeTitle} />
			{loaded && (atMaintenance || !suspended) ? <Outlet /> : <LoadingOverlay />}
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
	notFoundComponent: () => <ErrorScreen kind="notFound" />,
	errorComponent: () => <ErrorScreen kind="serverError" />,
});

/** A login-required route without a login is blocked: the dialog opens over the screen one was on. */
function requireLogin({ location }: { location: ParsedLocation }): void {
	if (isLoggedIn()) return;
	openLoginDialog(location.href);
	const stay = router.state.resolvedLocation?.href;
	if (stay && stay !== location.href) throw redirect({ href: stay, replace: true });
	throw redirect({ to: '/matchlist/$id', params: { id: '3' }, replace: true });
}

const frameRoute = createRoute({
	getParentRoute: () => rootRoute,
	id: 'frame',
	component: () => (
		<Frame news={<NewsLine />} slip={<BetSlip />} bets={<OpenBets />} footer={<SiteFooter />}>
			<Outlet />
		</Frame>
	),
});

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
	staticData: { title: TEXTS.titles.matchList },
});

const marketsRoute = createRoute({
	getParentRoute: () => frameRoute,
	path: '/markets/{-$eventid}/$dreamEventId',
	component: lazyRouteComponent(() => import('#web/features/market/market-screen.tsx'), 'MarketScreen'),
	beforeLoad: requireLogin,
	staticData: { title: TEXTS.titles.markets },
});

const openBetsRoute = createRoute({
	getParentRoute: () => frameRoute,
	path: '/open-bets',
	component: lazyRouteComponent(() => import('#web/features/open-bets/open-bets-screen.tsx'), 'OpenBetsScreen'),
	beforeLoad: requireLogin,
	staticData: { title: TEXTS.titles.openBets },
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

/** Routes match without regard to case, so /Auth/Logout and /auth/logout are one. */
const logoutRoute = createRoute({
	getParentRoute: () => rootRoute,
	path: '/Auth/Logout',
	beforeLoad: () => {
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
	component: () => <ErrorScreen kind="notAuthorized" />,
	staticData: { title: TEXTS.titles.notAuthorized },
});

const notFoundRoute = createRoute({
	getParentRoute: () => rootRoute,
	path: '/error-404',
	component: () => <ErrorScreen kind="notFound" />,
	staticData: { title: TEXTS.titles.notFound },
});

const serverErrorRoute = createRoute({
	getParentRoute: () => rootRoute,
	path: '/error-500',
	component: () => <ErrorScreen kind="serverError" />,
	staticData: { title: TEXTS.titles.serverError },
});

const maintenanceRoute = createRoute({
	getParentRoute: () => rootRoute,
	path: MAINTENANCE,
	component: () => <ErrorScreen kind="maintenance" />,
	staticData: { title: TEXTS.titles.maintenance },
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
		marketsRoute,
		openBetsRoute,
		betHistoryRoute,
		currentBetRoute,
		statementRoute,
		settingsRoute,
		inPlayRoute,
		changePasswordRoute,
		stakeButtonsRoute,
		rulesRoute,
	]),
	logoutRoute,
	loginRoute,
	notAuthorizedRoute,
	notFoundRoute,
	serverErrorRoute,
	maintenanceRoute,
	unknownRoute,
]);

export const router = createRouter({ routeTree, scrollRestoration: true, defaultPreload: 'intent' });
