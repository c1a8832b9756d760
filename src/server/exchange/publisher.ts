/**
 * Tells players and markets what became durable. Balances and bets go at once; a market's book goes at most every
 * 50 ms, as what changed since the last time.
 */
import type { MarketBookDelta, MarketBookImage } from '#contract/hub-messages.ts';
import type { Bus } from '#server/bus.ts';
import type { Committed, CommittedListener } from '#server/exchange/committed.ts';
import type { Exchange } from '#server/exchange/exchange.ts';
import { bookView, openBetView, runnerStatus } from '#server/exchange/wire-views.ts';
import type { Fixtures } from '#server/fixtures/fixtures.ts';
import { majorFromPaise } from '#values/money.ts';
import type { Pool } from '#values/pools.ts';

export const PUBLISHED_DEPTH = 3;
const BOOK_INTERVAL_MS = 50;
/** House wallets have low ids and nobody at a browser. */
const FIRST_PLAYER_ID = 1000;

export interface Publisher {
	onCommitted: CommittedListener;
	/** The book that the next delta of this market and pool follows on; null for a market the exchange does not know. */
	image(marketId: number, pool: Pool): MarketBookImage | null;
	stop(): void;
}

type BookView = ReturnType<typeof bookView>;

export function createPublisher(options: {
	bus: Bus;
	fixtures: Fixtures;
	exchange: () => Exchange;
	clock: () => number;
}): Publisher {
	const { bus, fixtures, exchange, clock } = options;
	/** What subscribers of a market and pool hold now. */
	const told = new Map<string, BookView>();
	const changed = new Map<string, { marketId: number; pool: Pool }>();
	let timer: NodeJS.Timeout | null = null;

	function tellPlayers(committed: Committed): void {
		for (const { walletId, cash, exposure, version } of committed.wallets) {
			if (walletId < FIRST_PLAYER_ID) continue;
			bus.publish(`player.${walletId}`, {
				code: 'UserBalance',
				data: { Balance: majorFromPaise(cash), Exposure: majorFromPaise(exposure), Version: version },
				key: 'balance',
			});
		}
		const bets = new Map(committed.bets.map((bet) => [bet.betId, bet]));
		for (const { betId, event, stake, reason } of committed.betEvents) {
			const bet = bets.get(betId);
			if (!bet || bet.walletId < FIRST_PLAYER_ID) continue;
			bus.publish(`player.${bet.walletId}`, {
				code: 'BetUpdate',
				data: {
					...openBetView(bet, fixtures),
					event,
					eventStake: majorFromPaise(stake),
					...(reason ? { reason } : {}),
				},
			});
		}
	}

	function tellMarkets(committed: Committed): void {
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
						...(market.results
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

	function tellBooks(): void {
		timer = null;
		for (const [key, { marketId, pool }] of changed) {
			const now = viewNow(marketId, pool);
			if (!now) continue;
			const before = told.get(key);
			told.set(key, now);
			bus.publish(`market.${key}`, {
				code: 'MarketBook',
				data: before ? difference(before, now, clock()) : { kind: 'IMAGE', clock: clock(), ...now },
			});
		}
		changed.clear();
	}

	function viewNow(marketId: number, pool: Pool): BookView | null {
		const listing = fixtures.market(marketId);
		const market = exchange().market(marketId);
		return listing && market ? bookView(exchange().book(marketId, pool), listing, market, PUBLISHED_DEPTH) : null;
	}

	return {
		image: (marketId, pool) => {
			const key = `${marketId}.${pool}`;
			const now = viewNow(marketId, pool);
			if (!now) return null;
			const held = told.get(key) ?? now;
			told.set(key, held);
			return { kind: 'IMAGE', clock: clock(), ...held, status: now.status, inPlay: now.inPlay };
		},
		onCommitted: (committed) => {
			tellPlayers(committed);
			tellMarkets(committed);
			for (const { marketId, pool } of committed.books) {
				changed.set(`${marketId}.${pool}`, { marketId, pool });
			}
			if (changed.size > 0) timer ??= setTimeout(tellBooks, BOOK_INTERVAL_MS);
		},
		stop: () => {
			if (timer) clearTimeout(timer);
		},
	};
}

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

function difference(before: BookView, now: BookView, clock: number): MarketBookDelta {
	const delta: MarketBookDelta = {
		kind: 'DELTA',
		marketId: now.marketId,
		from: before.version,
		version: now.version,
		clock,
		runners: [],
	};
	if (before.totalMatched !== now.totalMatched) delta.totalMatched = now.totalMatched;
	now.runners.forEach((runner, at) => {
		const old = before.runners[at];
		const change: MarketBookDelta['runners'][number] = { runnerId: runner.runnerId };
		if (old?.lastPriceTraded !== runner.lastPriceTraded) change.lastPriceTraded = runner.lastPriceTraded;
		if (old?.totalMatched !== runner.totalMatched) change.totalMatched = runner.totalMatched;
		if (!same(old?.back, runner.back)) change.back = runner.back;
		if (!same(old?.lay, runner.lay)) change.lay = runner.lay;
		if (Object.keys(change).length > 1) delta.runners.push(change);
	});
	return delta;
}
