/** The console's routes, in the order of its menu. */
import { createRootRoute, createRoute, createRouter, redirect } from '@tanstack/react-router';
import { TABLE_FIELDS } from '#console/parts/table-state.ts';
import { AuditScreen } from '#console/screens/audit-screen.tsx';
import { BonusesScreen } from '#console/screens/bonuses-screen.tsx';
import { BrandScreen, BrandsScreen } from '#console/screens/brand-screens.tsx';
import { CaseScreen } from '#console/screens/case-screen.tsx';
import { CasesScreen } from '#console/screens/cases-screen.tsx';
import { CasinoScreen } from '#console/screens/casino-screen.tsx';
import { DocumentsScreen } from '#console/screens/documents-screen.tsx';
import { EventScreen } from '#console/screens/event-screen.tsx';
import { EventsScreen } from '#console/screens/events-screen.tsx';
import { FindScreen } from '#console/screens/find-screen.tsx';
import { FLOOR_FIELDS, FloorScreen } from '#console/screens/floor-screen.tsx';
import { Frame } from '#console/screens/frame.tsx';
import { LimitsScreen } from '#console/screens/limits-screen.tsx';
import { MARKET_BETS_FIELDS, MarketBetsScreen } from '#console/screens/market-bets-screen.tsx';
import { MarketScreen } from '#console/screens/market-screen.tsx';
import { MessagesScreen } from '#console/screens/messages-screen.tsx';
import { PaymentScreen, PaymentsScreen } from '#console/screens/payment-screens.tsx';
import { PlayScreen } from '#console/screens/play-screen.tsx';
import { PlayerScreen } from '#console/screens/player-screen.tsx';
import { PlayersScreen } from '#console/screens/players-screen.tsx';
import { POSTINGS_FIELDS, PostingsScreen } from '#console/screens/postings-screen.tsx';
import { ReplayScreen } from '#console/screens/replay-screen.tsx';
import { ReportsScreen } from '#console/screens/reports-screen.tsx';
import { ResultDeskScreen } from '#console/screens/result-desk-screen.tsx';
import { ResultScreen } from '#console/screens/result-screen.tsx';
import { ResultsScreen } from '#console/screens/results-screen.tsx';
import { SIGNIFICANT_EVENTS_FIELDS, SignificantEventsScreen } from '#console/screens/significant-events-screen.tsx';
import { StaffScreen } from '#console/screens/staff-screen.tsx';
import { SystemScreen } from '#console/screens/system-screen.tsx';
import { TicketScreen } from '#console/screens/ticket-screen.tsx';
import { TicketsScreen } from '#console/screens/tickets-screen.tsx';
import { TodayScreen } from '#console/screens/today-screen.tsx';
import { WebhooksScreen } from '#console/screens/webhooks-screen.tsx';

/** Fields of an address that are texts; a number that was typed there is one too. */
const texts =
	<Name extends string>(...names: readonly Name[]) =>
	(search: Record<string, unknown>): { [Each in Name]?: string } =>
		Object.fromEntries(names.flatMap((name) => (search[name] === undefined ? [] : [[name, String(search[name])]]))) as {
			[Each in Name]?: string;
		};

/** Each screen may have a table, whose view is in its address. */
const root = createRootRoute({ component: Frame, validateSearch: texts(...TABLE_FIELDS) });

const at = <Path extends string>(path: Path, component: () => React.ReactElement) =>
	createRoute({ getParentRoute: () => root, path, component });

const postingsAsked = texts(...POSTINGS_FIELDS, 'before');

const routeTree = root.addChildren([
	createRoute({
		getParentRoute: () => root,
		path: '/',
		beforeLoad: () => {
			throw redirect({ to: '/today' });
		},
	}),
	at('/today', TodayScreen),
	createRoute({
		getParentRoute: () => root,
		path: '/floor',
		component: FloorScreen,
		validateSearch: texts(...FLOOR_FIELDS),
	}),
	at('/markets', EventsScreen),
	at('/markets/$eventId', EventScreen),
	at('/markets/$eventId/$marketId', MarketScreen),
	createRoute({
		getParentRoute: () => root,
		path: '/markets/$eventId/$marketId/bets',
		component: MarketBetsScreen,
		validateSearch: texts(...MARKET_BETS_FIELDS, 'before'),
	}),
	createRoute({
		getParentRoute: () => root,
		path: '/markets/$eventId/$marketId/replay',
		component: ReplayScreen,
		validateSearch: texts('at'),
	}),
	at('/play/$eventId', PlayScreen),
	at('/results', ResultsScreen),
	at('/limits', LimitsScreen),
	at('/desk', ResultDeskScreen),
	at('/desk/$marketId', ResultScreen),
	createRoute({
		getParentRoute: () => root,
		path: '/find',
		component: FindScreen,
		validateSearch: texts('reference'),
	}),
	createRoute({
		getParentRoute: () => root,
		path: '/players',
		component: PlayersScreen,
		validateSearch: texts('query'),
	}),
	at('/players/$playerId', PlayerScreen),
	at('/payments', PaymentsScreen),
	at('/payments/$kind/$id', PaymentScreen),
	at('/documents', DocumentsScreen),
	createRoute({
		getParentRoute: () => root,
		path: '/messages',
		component: TicketsScreen,
		validateSearch: texts('closed'),
	}),
	at('/messages/$playerId/$ticketId', TicketScreen),
	createRoute({
		getParentRoute: () => root,
		path: '/cases',
		component: CasesScreen,
		validateSearch: texts('decided'),
	}),
	at('/cases/$caseId', CaseScreen),
	at('/casino', CasinoScreen),
	at('/bonuses', BonusesScreen),
	at('/brands', BrandsScreen),
	at('/brands/$host', BrandScreen),
	at('/brands/$host/webhooks', WebhooksScreen),
	at('/brands/$host/messages', MessagesScreen),
	at('/staff', StaffScreen),
	at('/audit', AuditScreen),
	createRoute({
		getParentRoute: () => root,
		path: '/significant',
		component: SignificantEventsScreen,
		validateSearch: texts(...SIGNIFICANT_EVENTS_FIELDS, 'before'),
	}),
	at('/system', SystemScreen),
	createRoute({
		getParentRoute: () => root,
		path: '/reports',
		component: ReportsScreen,
		validateSearch: texts('from', 'to', 'by', 'pool'),
	}),
	createRoute({
		getParentRoute: () => root,
		path: '/postings',
		component: PostingsScreen,
		validateSearch: (search: Record<string, unknown>) => ({
			...postingsAsked(search),
			...(search['opening'] === true ? { opening: true } : {}),
		}),
	}),
]);

export const router = createRouter({ routeTree });

declare module '@tanstack/react-router' {
	interface Register {
		router: typeof router;
	}
}
