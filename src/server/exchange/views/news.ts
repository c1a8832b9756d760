/** News that go out as soon as a batch is durable: balances, bets, and market states. */

import type { Committed } from '#server/exchange/committed.ts';
import type { Exchange } from '#server/exchange/exchange.ts';
import type { Listings } from '#server/exchange/views/market-listing.ts';
import type { RecentNotices } from '#server/exchange/views/recent-notices.ts';
import { triggerView } from '#server/exchange/views/trigger-view.ts';
import { isoTime, openBetView, runnerStatus } from '#server/exchange/views/wire-views.ts';
import type { Bus, BusMessage } from '#server/platform/bus/bus.ts';
import type { BetId } from '#values/ids.ts';
import { majorFromMinor } from '#values/money.ts';
import { FIRST_PLAYER_ID } from '#values/pools.ts';

/** Kinds of workflows that players follow on their screens. */
const PUBLISHED_KINDS: ReadonlySet<string> = new Set(['PAYMENT', 'DEPOSIT', 'WITHDRAWAL', 'BONUS', 'REFERRAL']);

/** What a trigger came to, and by which of its own terms a bet lapsed: pages say it once, and no call does. */
const NOTICED_ENDS: ReadonlySet<string> = new Set(['PLACED', 'REFUSED']);
const NOTICED_REASONS: ReadonlySet<string> = new Set(['EXPIRED', 'VOLUME_REACHED']);

interface NewsParts {
	fixtures: Listings;
	exchange: Pick<Exchange, 'market'>;
	notices: Pick<RecentNotices, 'keep'>;
}

/**
 * Publishes balances, bets and workflows to the players they belong to. Bots and players without an open page follow no
 * topic, and a message without a reader is not made.
 */
export function publishToPlayers(committed: Committed, bus: Bus, parts: NewsParts): void {
	for (const { walletId, cash, exposure, version } of committed.wallets) {
		const topic = `player.${walletId}`;
		if (walletId < FIRST_PLAYER_ID || !bus.isFollowed(topic)) continue;
		bus.publish(topic, {
			code: 'UserBalance',
			data: { Balance: majorFromMinor(cash), Exposure: majorFromMinor(exposure), Version: version },
			key: 'balance',
		});
	}
	for (const { kind, id, walletId, state, atMs } of committed.workflows) {
		if (walletId < FIRST_PLAYER_ID || !PUBLISHED_KINDS.has(kind)) continue;
		bus.publish(`player.${walletId}`, {
			code: 'FundsUpdate',
			data: { kind, id: String(id), status: state, at: isoTime(atMs) },
			key: `funds.${kind}.${id}`,
		});
	}
	for (const trigger of committed.triggers) {
		const message: BusMessage<'TriggerUpdate'> = {
			code: 'TriggerUpdate',
			data: triggerView(trigger, parts.fixtures),
			key: `trigger.${trigger.triggerId}`,
		};
		if (NOTICED_ENDS.has(trigger.status)) parts.notices.keep(trigger.walletId, message);
		bus.publish(`player.${trigger.walletId}`, message);
	}
	const commit = { sequence: committed.batchSeq, at: isoTime(committed.atMs) };
	const isNoticed = committed.betEvents.some(({ reason }) => reason && NOTICED_REASONS.has(reason));
	const bets = new Map<BetId, Committed['bets'][number]>();
	for (const bet of committed.bets) if (isNoticed || bus.isFollowed(`player.${bet.walletId}`)) bets.set(bet.betId, bet);
	for (const { betId, event, stake, reason } of committed.betEvents) {
		const bet = bets.get(betId);
		if (!bet || bet.walletId < FIRST_PLAYER_ID) continue;
		const message: BusMessage<'BetUpdate'> = {
			code: 'BetUpdate',
			data: {
				...openBetView(bet, parts),
				event,
				eventStake: majorFromMinor(stake),
				...(reason ? { reason } : {}),
				commit,
			},
		};
		if (reason && NOTICED_REASONS.has(reason)) parts.notices.keep(bet.walletId, message);
		bus.publish(`player.${bet.walletId}`, message);
	}
}

/** Publishes an identity document to the player it belongs to. */
export const documentNews =
	(bus: Pick<Bus, 'publish'>) =>
	(playerId: number, { id, state, atMs }: { id: string; state: string; atMs: number }): void => {
		const data = { kind: 'DOCUMENT', id, status: state, at: isoTime(atMs) };
		bus.publish(`player.${playerId}`, { code: 'FundsUpdate', data, key: `funds.DOCUMENT.${id}` });
	};

/** Publishes to a player that a ticket changed. */
export const inboxNews =
	(bus: Pick<Bus, 'publish'>) =>
	(playerId: number, ticketId: number): void => {
		const data = { ticketId: String(ticketId) };
		bus.publish(`player.${playerId}`, { code: 'InboxUpdate', data, key: `inbox.${ticketId}` });
	};

/** Publishes market states to their subscribers. */
export function publishToMarkets(committed: Committed, bus: Bus, fixtures: Listings): void {
	for (const market of committed.markets) {
		const listing = fixtures.market(market.marketId);
		if (!listing) continue;
		for (const pool of market.pools) {
			bus.publish(`market.${market.marketId}.${pool}`, {
				code: 'MarketStatus',
				data: {
					marketId: String(market.marketId),
					eventId: String(listing.fixtureId),
					status: market.status,
					inPlay: market.inPlay,
					version: market.version,
					// A runner may be removed, suspended alone, or resumed; lines of a fancy only end.
					...(market.results || listing.bettingModel !== 'FANCY'
						? {
								runners: listing.runners.map(({ id }, runner) => ({
									runnerId: id,
									status: runnerStatus(market, runner),
								})),
							}
						: {}),
				},
				key: `status.${market.marketId}`,
			});
		}
	}
}
