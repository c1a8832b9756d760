/** The console's routes, in the order of its menu. */
import { createRootRoute, createRoute, createRouter, redirect } from '@tanstack/react-router';
import { AuditScreen } from '#console/screens/audit-screen.tsx';
import { BonusesScreen } from '#console/screens/bonuses-screen.tsx';
import { BrandScreen, BrandsScreen } from '#console/screens/brand-screens.tsx';
import { CasinoScreen } from '#console/screens/casino-screen.tsx';
import { DocumentsScreen } from '#console/screens/documents-screen.tsx';
import { EventScreen } from '#console/screens/event-screen.tsx';
import { EventsScreen } from '#console/screens/events-screen.tsx';
import { Frame } from '#console/screens/frame.tsx';
import { MarketScreen } from '#console/screens/market-screen.tsx';
import { PaymentScreen, PaymentsScreen } from '#console/screens/payment-screens.tsx';
import { PlayerScreen } from '#console/screens/player-screen.tsx';
import { PlayersScreen } from '#console/screens/players-screen.tsx';
import { PostingsScreen } from '#console/screens/postings-screen.tsx';
import { ReportsScreen } from '#console/screens/reports-screen.tsx';
import { ResultsScreen } from '#console/screens/results-screen.tsx';
import { StaffScreen } from '#console/screens/staff-screen.tsx';
import { TodayScreen } from '#console/screens/today-screen.tsx';

const root = createRootRoute({ component: Frame });

const at = <Path extends string>(path: Path, component: () => React.ReactElement) =>
	createRoute({ getParentRoute: () => root, path, component });

const routeTree = root.addChildren([
	createRoute({
		getParentRoute: () => root,
		path: '/',
		beforeLoad: () => {
			throw redirect({ to: '/today' });
		},
	}),
	at('/today', TodayScreen),
	at('/markets', EventsScreen),
	at('/markets/$eventId', EventScreen),
	at('/markets/$eventId/$marketId', MarketScreen),
	at('/results', ResultsScreen),
	at('/players', PlayersScreen),
	at('/players/$playerId', PlayerScreen),
	at('/payments', PaymentsScreen),
	at('/payments/$kind/$id', PaymentScreen),
	at('/documents', DocumentsScreen),
	at('/casino', CasinoScreen),
	at('/bonuses', BonusesScreen),
	at('/brands', BrandsScreen),
	at('/brands/$host', BrandScreen),
	at('/staff', StaffScreen),
	at('/audit', AuditScreen),
	at('/reports', ReportsScreen),
	at('/postings', PostingsScreen),
]);

export const router = createRouter({ routeTree });

declare module '@tanstack/react-router' {
	interface Register {
		router: typeof router;
	}
}
