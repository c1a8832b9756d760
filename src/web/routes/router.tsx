/** The router, built from the table of routes. The routes alone know all features and put them together. */

import { createRootRoute, createRoute, createRouter, type ParsedLocation, redirect } from '@tanstack/react-router';
import { ErrorPage } from '#web/routes/error-page.tsx';
import { FramedScreen } from '#web/routes/framed-screen.tsx';
import { redirectForMaintenance } from '#web/routes/maintenance.ts';
import { Root } from '#web/routes/root.tsx';
import { ROUTES, type RouteRow } from '#web/routes/route-table.tsx';
import { useBrand } from '#web/store/brand.ts';
import { openDialog } from '#web/store/dialogs.ts';
import { drawnAhead } from '#web/store/drawn-ahead.ts';
import { receiveInvitation } from '#web/store/invitation.ts';
import { enterLobby, leaveLobby, setLayout } from '#web/store/layout.ts';
import { isLoggedIn, logOut } from '#web/store/session.ts';

declare module '@tanstack/react-router' {
	interface StaticDataRouteOption {
		/** Follows the brand's name in the page's title. */
		title?: string;
		/** Whether the image slider header is above the screen. */
		banner?: boolean;
	}
	interface Register {
		router: typeof router;
	}
}

/** The search parameters; the router parses what looks like a number as one. */
interface Search {
	ref?: string | number | undefined;
	provider?: string | number | undefined;
	round?: string | number | undefined;
	table?: string | number | undefined;
	number?: string | number | undefined;
	about?: string | number | undefined;
}

const plain = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? value : undefined);

const rootRoute = createRootRoute({
	component: Root,
	validateSearch: ({ ref, provider, round, table, number, about }: Record<string, unknown>): Search => ({
		ref: plain(ref),
		provider: plain(provider),
		round: plain(round),
		table: plain(table),
		number: plain(number),
		about: plain(about),
	}),
	beforeLoad: redirectForMaintenance,
	notFoundComponent: () => <ErrorPage kind="notFound" />,
});

const toMatches = () => redirect({ to: '/matchlist/$id', params: { id: '3' }, replace: true });

interface Navigation {
	location: ParsedLocation;
	params: Record<string, string | undefined>;
	/** Pointing at a link or focusing it. */
	preload: boolean;
}

/** A route that needs a login is blocked without one: the dialog opens over the current screen. */
function requireLogin({ location, preload }: Navigation): void {
	// A preload opens no dialog.
	if (isLoggedIn() || preload) return;
	openDialog('login', location.href);
	const stay = router.state.resolvedLocation?.href;
	if (stay && stay !== location.href) throw redirect({ href: stay, replace: true });
	throw toMatches();
}

/** The same, unless the brand lets visitors look. */
function requireLoginUnlessOpen(navigation: Navigation): void {
	if (!useBrand.getState().setting?.visitorsMayLook) requireLogin(navigation);
}

const notThere = () => redirect({ to: '/error-404', replace: true });

/** A path with unknown parameters is not found, with a login or without one. */
function enter({ isThere, login }: RouteRow, navigation: Navigation): void {
	if (isThere && !isThere(navigation.params)) throw notThere();
	if (login === true) requireLogin(navigation);
	if (login === 'unlessOpen') requireLoginUnlessOpen(navigation);
}

interface Entry {
	params: Record<string, string | undefined>;
	cause: 'preload' | 'enter' | 'stay';
}

/** The router's options of a row. */
function optionsOf(row: RouteRow) {
	const { title, screen, banner, preload } = row;
	return {
		component: screen,
		staticData: { title, banner: banner ?? false },
		beforeLoad: (navigation: Navigation) => {
			enter(row, navigation);
			return drawnAhead.painted;
		},
		...(preload ? { loader: ({ params, cause }: Entry) => preload(params, cause !== 'preload') } : {}),
	};
}

const frameRoute = createRoute({ getParentRoute: () => rootRoute, id: 'frame', component: FramedScreen });
/** One route around the casino's screens: it is entered and left once, however many of them are seen between. */
const lobbyRoute = createRoute({
	getParentRoute: () => frameRoute,
	id: 'lobby',
	onEnter: enterLobby,
	onLeave: leaveLobby,
});

type Row<Path extends string> = RouteRow & { path: Path };
const framedRoute = <const Path extends string>(row: Row<Path>) =>
	createRoute({ getParentRoute: () => frameRoute, path: row.path, ...optionsOf(row) });
const lobbyScreenRoute = <const Path extends string>(row: Row<Path>) =>
	createRoute({ getParentRoute: () => lobbyRoute, path: row.path, ...optionsOf(row) });
const plainRoute = <const Path extends string>(row: Row<Path>) =>
	createRoute({ getParentRoute: () => rootRoute, path: row.path, ...optionsOf(row) });

/** A route a row, with the row's path in its type, so that links are checked. */
type FramedRoutes<Rows extends readonly RouteRow[]> = {
	-readonly [At in keyof Rows]: ReturnType<typeof framedRoute<Rows[At]['path']>>;
};
type LobbyRoutes<Rows extends readonly RouteRow[]> = {
	-readonly [At in keyof Rows]: ReturnType<typeof lobbyScreenRoute<Rows[At]['path']>>;
};
type PlainRoutes<Rows extends readonly RouteRow[]> = {
	-readonly [At in keyof Rows]: ReturnType<typeof plainRoute<Rows[At]['path']>>;
};

const homeRoute = createRoute({
	getParentRoute: () => rootRoute,
	path: '/',
	beforeLoad: ({ search, preload }) => {
		if (typeof search.ref === 'string' && !preload) receiveInvitation(search.ref);
		throw toMatches();
	},
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

const unknownRoute = createRoute({
	getParentRoute: () => rootRoute,
	path: '$',
	beforeLoad: () => {
		throw notThere();
	},
});

const framedRoutes = ROUTES.frame.map((row) => framedRoute(row)) as unknown as FramedRoutes<typeof ROUTES.frame>;
const lobbyRoutes = ROUTES.lobby.map((row) => lobbyScreenRoute(row)) as unknown as LobbyRoutes<typeof ROUTES.lobby>;
const plainRoutes = ROUTES.plain.map((row) => plainRoute(row)) as unknown as PlainRoutes<typeof ROUTES.plain>;

export const router = createRouter({
	routeTree: rootRoute.addChildren([
		homeRoute,
		frameRoute.addChildren([...framedRoutes, lobbyRoute.addChildren(lobbyRoutes)]),
		logoutRoute,
		...plainRoutes,
		unknownRoute,
	]),
	scrollRestoration: true,
	defaultPreload: 'intent',
	// Of every route: an error in one leaves the frame around it intact.
	defaultErrorComponent: () => <ErrorPage kind={navigator.onLine ? 'serverError' : 'offline'} />,
});

/**
 * A pressed link of a screen that goes away gives up its focus before, while nothing has changed yet: to take a focused
 * element out of the page makes the browser style all of it again.
 */
router.subscribe('onBeforeRouteMount', ({ toLocation, pathChanged }) => {
	const held = document.activeElement;
	if (pathChanged && toLocation.pathname.startsWith('/markets/') && held?.matches('.match-link'))
		(held as HTMLElement).blur();
});

/** The overlay covers a screen whose parts load slowly; every navigation ends with it hidden. */
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
