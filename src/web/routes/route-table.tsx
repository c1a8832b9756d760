/**
 * Every screen of the site: its path, its title, whether it needs a login, and what it shows. `frame` screens
 * are framed by bars and columns, in `lobby` screens the sports make way for the casino's own navigation, and `plain`
 * screens have the page to themselves. Screens are loaded when they are first shown.
 */

import { lazyRouteComponent, type RouteComponent } from '@tanstack/react-router';
import { SPORTS } from '#values/sports.ts';
import { isSection } from '#web/features/casino/sections.ts';
import { MatchListScreen } from '#web/features/match-list/match-list-screen.tsx';
import { preloadMatch } from '#web/live/match-preload.ts';
import { ErrorPage } from '#web/routes/error-page.tsx';
import { laterScreen, loadMarket } from '#web/routes/lazy-parts.ts';
import { fairnessQuery } from '#web/store/fairness-query.ts';
import { queryClient } from '#web/store/query-client.ts';
import { TEXTS } from '#web/texts.ts';

export interface RouteRow {
	path: string;
	/** Follows the brand's name in the page's title. */
	title: string;
	screen: RouteComponent;
	/** A visitor stays on the current screen, and the login dialog opens; `unlessOpen` where the brand does not let him look. */
	login?: true | 'unlessOpen';
	/**
	 * Whether the path's parameters name something that exists; any other path leads to /error-404, like an unknown one.
	 */
	isThere?: (params: Record<string, string | undefined>) => boolean;
	/** Shows the image slider header above the screen. */
	banner?: true;
	/**
	 * Requests the data of the screen when a link to it is pointed at, and when it is opened; navigation does not wait for
	 * it.
	 */
	preload?: (params: Record<string, string | undefined>, isOpened: boolean) => void;
}

const titles = TEXTS.titles;

/** The list of matches in all sports. */
const ALL_SPORTS = '0';

const openBets = laterScreen('OpenBetsScreen');
const history = laterScreen('BetHistoryScreen');
const lobby = laterScreen('LobbyScreen');

export const ROUTES = {
	frame: [
		{
			path: '/matchlist/$id',
			title: titles.matchList,
			screen: MatchListScreen,
			banner: true,
			isThere: ({ id }) => [ALL_SPORTS, ...SPORTS.map((sport) => String(sport.id))].includes(id ?? ''),
		},
		{ path: '/index', title: titles.index, screen: laterScreen('IndexScreen'), banner: true },
		{ path: '/favorites', title: titles.favourites, screen: laterScreen('FavouritesScreen') },
		{
			path: '/markets/{-$eventid}/$dreamEventId',
			title: titles.markets,
			login: 'unlessOpen',
			screen: lazyRouteComponent(loadMarket, 'MarketScreen'),
			preload: ({ dreamEventId }, isOpened) => dreamEventId && preloadMatch(dreamEventId, isOpened),
		},
		{ path: '/open-bets', title: titles.openBets, login: true, screen: openBets },
		{ path: '/un-selected-bet', title: titles.openBets, login: true, screen: openBets },
		{ path: '/ProfitLoss', title: titles.profitLoss, login: true, screen: laterScreen('ProfitLossScreen') },
		{ path: '/bet-history', title: titles.betHistory, login: true, screen: history },
		{ path: '/current-bet', title: titles.betHistory, login: true, screen: history },
		{ path: '/account-cash-statement', title: titles.statement, login: true, screen: laterScreen('StatementScreen') },
		{ path: '/your-money', title: titles.money, login: true, screen: laterScreen('YourMoneyScreen') },
		{
			path: '/proof',
			title: titles.proof,
			login: true,
			screen: laterScreen('ProofScreen'),
		},
		{ path: '/settings', title: titles.settings, login: true, screen: laterScreen('SettingsScreen') },
		{ path: '/inplay', title: titles.inPlay, login: 'unlessOpen', screen: laterScreen('InPlayScreen') },
		{
			path: '/change-password',
			title: titles.changePassword,
			login: true,
			screen: laterScreen('ChangePasswordScreen'),
		},
		{
			path: '/change-button-values',
			title: titles.stakeButtons,
			login: true,
			screen: laterScreen('StakeButtonsScreen'),
		},
		{ path: '/contact', title: titles.contact, login: true, screen: laterScreen('ContactScreen') },
		{ path: '/login-attempts', title: titles.loginAttempts, login: true, screen: laterScreen('LoginAttemptsScreen') },
		{ path: '/activity', title: titles.activity, login: true, screen: laterScreen('ActivityScreen') },
		{ path: '/api-access', title: titles.apiAccess, login: true, screen: laterScreen('ApiAccessScreen') },
		{ path: '/notifications', title: titles.notifications, login: true, screen: laterScreen('NotificationsScreen') },
		{ path: '/security', title: titles.security, login: true, screen: laterScreen('SecurityScreen') },
		{ path: '/rules', title: titles.rules, login: 'unlessOpen', screen: laterScreen('RulesScreen') },
		{
			path: '/underConstruction',
			title: titles.construction,
			screen: laterScreen('ConstructionScreen'),
		},
		{ path: '/comingsoon', title: titles.soon, login: true, screen: laterScreen('SoonScreen') },
		{
			path: '/dwrequests',
			title: titles.requests,
			login: true,
			screen: laterScreen('RequestsScreen'),
		},
		{
			path: '/deposit',
			title: titles.funds,
			login: true,
			screen: laterScreen('DepositScreen'),
		},
		{
			path: '/withdrawal',
			title: titles.funds,
			login: true,
			screen: laterScreen('WithdrawalScreen'),
		},
		{
			path: '/protection',
			title: titles.protection,
			login: true,
			screen: laterScreen('ProtectionScreen'),
		},
		{
			path: '/identity',
			title: titles.identity,
			login: true,
			screen: laterScreen('IdentityScreen'),
		},
		{
			path: '/messages',
			title: titles.messages,
			login: true,
			screen: laterScreen('InboxScreen'),
		},
		{
			path: '/messages/$ticketId',
			title: titles.messages,
			login: true,
			screen: laterScreen('TicketScreen'),
		},
		{
			path: '/referral',
			title: titles.referral,
			login: true,
			screen: laterScreen('ReferralScreen'),
		},
		{
			path: '/bonus',
			title: titles.bonus,
			login: true,
			screen: laterScreen('BonusScreen'),
		},
	],
	lobby: [
		{ path: '/casino', title: titles.casino, login: true, screen: lobby },
		{ path: '/lobby', title: titles.casino, login: true, screen: lobby },
		{
			path: '/lobby-page/$section',
			title: titles.lobby,
			login: true,
			isThere: ({ section }) => isSection(section),
			screen: laterScreen('LobbySectionScreen'),
		},
		{
			path: '/casino/$game',
			title: titles.casino,
			login: true,
			screen: laterScreen('GameScreen'),
		},
		{
			path: '/casino-rounds',
			title: titles.casinoRounds,
			login: true,
			screen: laterScreen('RoundsScreen'),
		},
		{
			path: '/fairness',
			title: titles.fairness,
			screen: laterScreen('VerifyScreen'),
		},
		{
			path: '/fairness-figures',
			title: titles.fairness,
			screen: laterScreen('FiguresScreen'),
			preload: () => void queryClient.prefetchQuery(fairnessQuery()),
		},
	],
	plain: [
		{
			path: '/ladders/$dreamEventId/$marketId',
			title: titles.ladders,
			login: 'unlessOpen',
			screen: laterScreen('LaddersWindowScreen'),
		},
		{ path: '/auth/login', title: titles.login, screen: laterScreen('LoginScreen') },
		{ path: '/not-authorized', title: titles.notAuthorized, screen: () => <ErrorPage kind="notAuthorized" /> },
		{ path: '/error-404', title: titles.notFound, screen: () => <ErrorPage kind="notFound" /> },
		{ path: '/error-500', title: titles.serverError, screen: () => <ErrorPage kind="serverError" /> },
		{ path: '/under-maintenance', title: titles.maintenance, screen: () => <ErrorPage kind="maintenance" /> },
		{ path: '/test', title: titles.test, screen: laterScreen('TestScreen') },
	],
} as const satisfies Record<'frame' | 'lobby' | 'plain', readonly RouteRow[]>;
