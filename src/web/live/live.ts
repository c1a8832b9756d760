/** Keeps the site current: starts the hub and routes its messages to the stores. */

import type { HubMessages } from '#contract/hub-messages.ts';
import { marksBetween } from '#contract/score-marks.ts';
import type { EventMarkets, OpenBets } from '#web/api/answers.ts';
import { FIRST_ANSWER_FIELDS } from '#web/api/first-calls.ts';
import { readStoredJson, writeStoredJson } from '#web/api/storage.ts';
import { type Inside, toWire } from '#web/api/units.ts';
import { receiveFixtureUpdate, watchLists } from '#web/live/fixture-updates.ts';
import { endLoginOfHub, hub, useHub } from '#web/live/hub.ts';
import { livePrices } from '#web/live/prices/live-prices.ts';
import { watchConnection } from '#web/live/watch-connection.ts';
import { soon } from '#web/soon.ts';
import { loadPlayerSports } from '#web/store/active-sports.ts';
import { loadBrand } from '#web/store/brand.ts';
import { channels } from '#web/store/channels.ts';
import { FUNDS } from '#web/store/funds-queries.ts';
import { INBOX } from '#web/store/inbox-queries.ts';
import { continued, priceHistoryQuery } from '#web/store/market-queries.ts';
import { showNotice } from '#web/store/notices.ts';
import '#web/store/install.ts';
import '#web/store/next-player.ts';
import { receiveBetUpdate, refreshBets, refreshSettled } from '#web/store/open-bets.ts';
import { eventMarketsQuery, newerScore, openBetsQuery, scoreCardQuery } from '#web/store/queries.ts';
import { queryClient } from '#web/store/query-client.ts';
import { isLoggedIn, type User, useSession } from '#web/store/session.ts';
import { watchSlip } from '#web/store/slip-elsewhere.ts';
import { receiveTriggerUpdate, refreshTriggers } from '#web/store/triggers.ts';
import { showVersionedWallet, useWallet } from '#web/store/wallet.ts';

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** A live balance updates the shown amounts, the stored user info and the stored open bets. */
export function receiveBalance({ Balance, Exposure, Version }: Inside<HubMessages['UserBalance']>): void {
	if (!isLoggedIn()) return;
	if (Version > useWallet.getState().version) refreshFundsSoon();
	showVersionedWallet(Balance, Exposure, Version);
	const { balance, exposure } = useWallet.getState();
	const amounts = { balance, exposure };
	useSession.setState(({ user }) => ({ user: user && { ...user, ...amounts } }));
	const user: User | null = useSession.getState().user;
	if (user) writeStoredJson('userinfo', toWire(user, FIRST_ANSWER_FIELDS.getUserInfo));
	const stored = readStoredJson('OpenBets', isObject);
	if (stored)
		writeStoredJson('OpenBets', { ...stored, ...(toWire(amounts, FIRST_ANSWER_FIELDS.getUserOpenBets) as object) });
	queryClient.setQueryData<OpenBets>(openBetsQuery().queryKey, (held) => held && { ...held, ...amounts });
}

/** Prices come only to a page that is seen; a hidden one takes images when it returns. */
function receiveMarketBook(message: Inside<HubMessages['MarketBook']>): void {
	if (!document.hidden) livePrices.receive(message);
}

function receiveMarketStatus(message: HubMessages['MarketStatus']): void {
	const results = Object.fromEntries((message.runners ?? []).map(({ runnerId, status }) => [runnerId, status]));
	livePrices.receiveStatus(message.marketId, message.status, message.inPlay, results);
	queryClient.setQueryData<EventMarkets>(eventMarketsQuery(message.eventId).queryKey, (held) =>
		held ? { ...held, markets: held.markets.map((market) => withStatus(market, message, results)) } : held,
	);
	if (message.status === 'SETTLED' || message.status === 'VOIDED') refreshBets();
}

function withStatus(
	market: EventMarkets['markets'][number],
	message: HubMessages['MarketStatus'],
	results: Record<string, string>,
): EventMarkets['markets'][number] {
	if (market.id !== message.marketId || message.version < market.version) return market;
	const { status, inPlay, version } = message;
	const runners = market.runners.map((runner) => ({
		...runner,
		status: (results[runner.id] ?? runner.status) as typeof runner.status,
	}));
	return { ...market, status, inPlay, version, runners };
}

/** Continues the histories that are on screen. */
function receivePriceHistory({ marketId, runners }: Inside<HubMessages['PriceHistory']>): void {
	queryClient.setQueryData(priceHistoryQuery(marketId).queryKey, (held) => held && continued(held, runners));
}

function receiveScore(score: HubMessages['Score']): void {
	const { queryKey } = scoreCardQuery(score.eventId);
	const happened = marksBetween(queryClient.getQueryData(queryKey) ?? null, score).length > 0;
	queryClient.setQueryData(queryKey, (held) => newerScore(held, score));
	if (happened) void queryClient.invalidateQueries({ queryKey: ['price-history'] });
}

/** Requests the lists of fixtures that are on screen. */
function refreshLists(): void {
	for (const list of ['sport-tree', 'sport-events', 'closest']) {
		void queryClient.invalidateQueries({ queryKey: [list] });
	}
}

/** Fields of a fixture that its page shows otherwise than its row does. */
const OF_THE_PAGE = ['status', 'marketCount', 'mainMarketId'] as const;

function receiveEventUpdate(update: Inside<HubMessages['EventUpdate']>): void {
	const { eventId, row } = update;
	receiveFixtureUpdate(update);
	if (OF_THE_PAGE.some((field) => field in row)) refreshEvent(eventId);
	if ('hasTv' in row) void queryClient.invalidateQueries({ queryKey: ['video-link', eventId] });
}

function refreshEvent(eventId: string): void {
	void queryClient.invalidateQueries({ queryKey: eventMarketsQuery(eventId).queryKey });
}

/** A channel has ended: its market takes no more bets here, and the lists request what may be shown now. */
function receiveSubscriptionEnded({ channel }: HubMessages['SubscriptionEnded']): void {
	const [kind, id = ''] = channel.split(':');
	if (kind === 'market') livePrices.receiveStatus(id, 'SUSPENDED', false, {});
	else if (kind === 'event') {
		refreshLists();
		refreshEvent(id);
	}
}

/** A message or complaint of the player changed. */
const refreshInbox = () => void queryClient.invalidateQueries({ queryKey: INBOX });

/** A deposit, a withdrawal or a bonus changed: the cashier's data about them is requested again. */
const refreshFunds = () => void queryClient.invalidateQueries({ queryKey: FUNDS });

/** What moves the balance is a row of the statement, and changes what is held and can be withdrawn. */
const refreshFundsSoon = soon(250, refreshFunds);

/** Requests the visible data again: messages before the connection, or while it was lost, never arrived. */
function catchUp(): void {
	if (isLoggedIn()) {
		refreshBets();
		refreshTriggers();
		refreshSettled();
		refreshInbox();
	}
	void loadPlayerSports();
	refreshLists();
	for (const asked of ['event-markets', 'score-card', 'video-link', 'price-history']) {
		void queryClient.invalidateQueries({ queryKey: [asked] });
	}
}

function listen(): (() => void)[] {
	return [
		hub.on('UserBalance', receiveBalance),
		hub.on('MarketBook', receiveMarketBook),
		hub.on('PriceHistory', receivePriceHistory),
		hub.on('MarketStatus', receiveMarketStatus),
		hub.on('BetUpdate', receiveBetUpdate),
		hub.on('TriggerUpdate', receiveTriggerUpdate),
		hub.on('FundsUpdate', refreshFunds),
		hub.on('InboxUpdate', refreshInbox),
		hub.on('Score', receiveScore),
		hub.on('EventUpdate', receiveEventUpdate),
		hub.on('DomainSettingChanged', () => void loadBrand()),
		hub.on('SubscriptionEnded', receiveSubscriptionEnded),
		hub.on('SportsChanged', () => void loadPlayerSports()),
		hub.on('LoggedOut', endLoginOfHub),
		hub.on('Notice', ({ text }) => showNotice(text)),
	];
}

function onVisibility(): void {
	livePrices.unprove();
	if (document.hidden) return;
	hub.wake();
	hub.askAllImages();
	catchUp();
}

/** Longer than an answer that filled a book is kept (queries.ts): one that is held must not be missing here. */
const FORGET_MS = 10_000;

/** Called once by the site's entry; returns the function that ends it. */
export function startLive(): () => void {
	const ends = [...listen(), watchLists(), watchSlip(), channels.subscribe('sports')];
	ends.push(
		useHub.subscribe(({ state }, { state: before }) => {
			if (state === before) return;
			if (state === 'Connected') catchUp();
		}),
		useSession.subscribe(({ loginCount }, before) => {
			if (loginCount !== before.loginCount) void hub.restart();
		}),
	);
	const onOnline = () => hub.wake();
	document.addEventListener('visibilitychange', onVisibility);
	globalThis.addEventListener('online', onOnline);
	const isFollowed = (marketId: string) => channels.isWatched(`market:${marketId}`);
	const forgetting = setInterval(() => livePrices.forgetIdle(isFollowed), FORGET_MS);
	watchConnection();
	hub.start();
	return () => {
		for (const end of ends) end();
		clearInterval(forgetting);
		document.removeEventListener('visibilitychange', onVisibility);
		globalThis.removeEventListener('online', onOnline);
		void hub.stop();
	};
}
