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
import { loadMarket } from '#web/routes/lazy-parts.ts';
import { fairnessQuery } from '#web/store/fairness-query.ts';
import { queryClient } from '#web/store/query-client.ts';
import { withTexts } from '#web/texts/held.ts';
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
	/** Requests the data of the screen when a link to it is pointed at; navigation does not wait for it. */
	preload?: (params: Record<string, string | undefined>) => void;
}

const titles = TEXTS.titles;

/** The list of matches in all sports. */
const ALL_SPORTS = '0';

/** A screen of a file that is loaded, with its texts, when it is first shown. */
const lazyScreen = <Name extends string>(load: () => Promise<Record<Name, RouteComponent>>, name: Name) =>
	lazyRouteComponent(() => withTexts(load), name);

const loadOpenBets = () => import('#web/features/open-bets/open-bets-screen.tsx');
const loadHistory = () => import('#web/features/bet-history/bet-history-screen.tsx');
/** Parts that are not open yet have their path, their guard and their title already. */
const loadSoon = () => import('#web/features/coming-soon/coming-soon-screen.tsx');

const openBets = lazyScreen(loadOpenBets, 'OpenBetsScreen');
const history = lazyScreen(loadHistory, 'BetHistoryScreen');
const loadLobby = () => import('#web/features/casino/lobby-screen.tsx');
const lobby = lazyScreen(loadLobby, 'LobbyScreen');
const index = lazyScreen(() => import('#web/features/match-list/index-screen.tsx'), 'IndexScreen');
const favourites = lazyScreen(() => import('#web/features/match-list/favourites-screen.tsx'), 'FavouritesScreen');
const inPlay = lazyScreen(() => import('#web/features/match-list/in-play-screen.tsx'), 'InPlayScreen');
const profitLoss = lazyScreen(() => import('#web/features/profit-loss/profit-loss-screen.tsx'), 'ProfitLossScreen');
const statement = lazyScreen(() => import('#web/features/statement/statement-screen.tsx'), 'StatementScreen');
const money = lazyScreen(() => import('#web/features/your-money/your-money-screen.tsx'), 'YourMoneyScreen');
const settings = lazyScreen(() => import('#web/features/settings/settings-screen.tsx'), 'SettingsScreen');
const password = lazyScreen(() => import('#web/features/password/change-password-screen.tsx'), 'ChangePasswordScreen');
const stakes = lazyScreen(() => import('#web/features/settings/stake-buttons-screen.tsx'), 'StakeButtonsScreen');
const attempts = lazyScreen(() => import('#web/features/settings/login-attempts-screen.tsx'), 'LoginAttemptsScreen');
const apiAccess = lazyScreen(() => import('#web/features/api-access/api-access-screen.tsx'), 'ApiAccessScreen');
const rules = lazyScreen(() => import('#web/features/rules/rules-screen.tsx'), 'RulesScreen');
const login = lazyScreen(() => import('#web/features/login/login-screen.tsx'), 'LoginScreen');
const test = lazyScreen(() => import('#web/features/test-page/test-screen.tsx'), 'TestScreen');

export const ROUTES = {
	frame: [
		{
			path: '/matchlist/$id',
			title: titles.matchList,
			screen: MatchListScreen,
			banner: true,
			isThere: ({ id }) => [ALL_SPORTS, ...SPORTS.map((sport) => String(sport.id))].includes(id ?? ''),
		},
		{ path: '/index', title: titles.index, screen: index, banner: true },
		{ path: '/favorites', title: titles.favourites, screen: favourites },
		{
			path: '/markets/{-$eventid}/$dreamEventId',
			title: titles.markets,
			login: 'unlessOpen',
			screen: lazyScreen(loadMarket, 'MarketScreen'),
			preload: ({ dreamEventId }) => dreamEventId && preloadMatch(dreamEventId),
		},
		{ path: '/open-bets', title: titles.openBets, login: true, screen: openBets },
		{ path: '/un-selected-bet', title: titles.openBets, login: true, screen: openBets },
		{ path: '/ProfitLoss', title: titles.profitLoss, login: true, screen: profitLoss },
		{ path: '/bet-history', title: titles.betHistory, login: true, screen: history },
		{ path: '/current-bet', title: titles.betHistory, login: true, screen: history },
		{ path: '/account-cash-statement', title: titles.statement, login: true, screen: statement },
		{ path: '/your-money', title: titles.money, login: true, screen: money },
		{
			path: '/proof',
			title: titles.proof,
			login: true,
			screen: lazyScreen(() => import('#web/features/proof/proof-screen.tsx'), 'ProofScreen'),
		},
		{ path: '/settings', title: titles.settings, login: true, screen: settings },
		{ path: '/inplay', title: titles.inPlay, login: 'unlessOpen', screen: inPlay },
		{ path: '/change-password', title: titles.changePassword, login: true, screen: password },
		{ path: '/change-button-values', title: titles.stakeButtons, login: true, screen: stakes },
		{ path: '/login-attempts', title: titles.loginAttempts, login: true, screen: attempts },
		{ path: '/api-access', title: titles.apiAccess, login: true, screen: apiAccess },
		{ path: '/rules', title: titles.rules, login: 'unlessOpen', screen: rules },
		{
			path: '/underConstruction',
			title: titles.construction,
			screen: lazyScreen(loadSoon, 'ConstructionScreen'),
		},
		{ path: '/comingsoon', title: titles.soon, login: true, screen: lazyScreen(loadSoon, 'SoonScreen') },
		{
			path: '/dwrequests',
			title: titles.requests,
			login: true,
			screen: lazyScreen(() => import('#web/features/cashier/requests-screen.tsx'), 'RequestsScreen'),
		},
		{
			path: '/deposit',
			title: titles.funds,
			login: true,
			screen: lazyScreen(() => import('#web/features/cashier/deposit-screen.tsx'), 'DepositScreen'),
		},
		{
			path: '/withdrawal',
			title: titles.funds,
			login: true,
			screen: lazyScreen(() => import('#web/features/cashier/withdrawal-screen.tsx'), 'WithdrawalScreen'),
		},
		{
			path: '/protection',
			title: titles.protection,
			login: true,
			screen: lazyScreen(() => import('#web/features/protection/protection-screen.tsx'), 'ProtectionScreen'),
		},
		{
			path: '/identity',
			title: titles.identity,
			login: true,
			screen: lazyScreen(() => import('#web/features/cashier/identity/identity-screen.tsx'), 'IdentityScreen'),
		},
		{
			path: '/messages',
			title: titles.messages,
			login: true,
			screen: lazyScreen(() => import('#web/features/support/inbox-screen.tsx'), 'InboxScreen'),
		},
		{
			path: '/messages/$ticketId',
			title: titles.messages,
			login: true,
			screen: lazyScreen(() => import('#web/features/support/ticket-screen.tsx'), 'TicketScreen'),
		},
		{
			path: '/referral',
			title: titles.referral,
			login: true,
			screen: lazyScreen(() => import('#web/features/rewards/referral-screen.tsx'), 'ReferralScreen'),
		},
		{
			path: '/bonus',
			title: titles.bonus,
			login: true,
			screen: lazyScreen(() => import('#web/features/rewards/bonus-screen.tsx'), 'BonusScreen'),
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
			screen: lazyScreen(loadLobby, 'LobbySectionScreen'),
		},
		{
			path: '/casino/$game',
			title: titles.casino,
			login: true,
			screen: lazyScreen(() => import('#web/features/casino/game-screen.tsx'), 'GameScreen'),
		},
		{
			path: '/casino-rounds',
			title: titles.casinoRounds,
			login: true,
			screen: lazyScreen(() => import('#web/features/casino/rounds-screen.tsx'), 'RoundsScreen'),
		},
		{
			path: '/fairness',
			title: titles.fairness,
			screen: lazyScreen(() => import('#web/features/casino/verify-screen.tsx'), 'VerifyScreen'),
		},
		{
			path: '/fairness-figures',
			title: titles.fairness,
			screen: lazyScreen(() => import('#web/features/casino/fairness/figures-screen.tsx'), 'FiguresScreen'),
			preload: () => void queryClient.prefetchQuery(fairnessQuery()),
		},
	],
	plain: [
		{
			path: '/ladders/$dreamEventId/$marketId',
			title: titles.ladders,
			login: 'unlessOpen',
			screen: lazyScreen(() => import('#web/features/market/ladder/ladders-screen.tsx'), 'LaddersScreen'),
		},
		{ path: '/auth/login', title: titles.login, screen: login },
		{ path: '/not-authorized', title: titles.notAuthorized, screen: () => <ErrorPage kind="notAuthorized" /> },
		{ path: '/error-404', title: titles.notFound, screen: () => <ErrorPage kind="notFound" /> },
		{ path: '/error-500', title: titles.serverError, screen: () => <ErrorPage kind="serverError" /> },
		{ path: '/under-maintenance', title: titles.maintenance, screen: () => <ErrorPage kind="maintenance" /> },
		{ path: '/test', title: titles.test, screen: test },
	],
} as const satisfies Record<'frame' | 'lobby' | 'plain', readonly RouteRow[]>;
