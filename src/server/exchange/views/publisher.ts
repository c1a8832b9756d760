/**
 * Publishes what became durable. Balances and bets are published at once. A market's book is published at most every
 * 50 ms, as a delta.
 */
import type { MarketBookDelta, MarketBookImage } from '#contract/hub-messages.ts';
import type { Committed, CommittedListener } from '#server/exchange/committed.ts';
import type { Exchange } from '#server/exchange/exchange.ts';
import { BookAges } from '#server/exchange/views/book-ages.ts';
import type { Listings } from '#server/exchange/views/market-listing.ts';
import { publishToMarkets, publishToPlayers } from '#server/exchange/views/news.ts';
import { RecentNotices } from '#server/exchange/views/recent-notices.ts';
import { bookView } from '#server/exchange/views/wire-views.ts';
import type { Bus, BusMessage } from '#server/platform/bus/bus.ts';
import type { MarketId, PlayerId } from '#values/ids.ts';
import type { Pool } from '#values/pools.ts';

const PUBLISHED_DEPTH = 3;
const BOOK_INTERVAL_MS = 50;

export interface Publisher {
	onCommitted: CommittedListener;
	/**
	 * The book that the next delta of this market and pool follows; null for a market that the exchange does not know.
	 */
	image(marketId: MarketId, pool: Pool): MarketBookImage | null;
	/** Whether this version of a book was replaced so long ago that no client shows it as live. */
	isOldBook(marketId: MarketId, pool: Pool, version: number): boolean;
	/** What a page that heard nothing for the last milliseconds has to tell its player. */
	notices(playerId: PlayerId, lastMs: number): BusMessage[];
	/** Forgets the last books of markets that have ended. */
	forget(isRemembered: (marketId: MarketId) => boolean): void;
	stop(): void;
}

type BookView = ReturnType<typeof bookView>;

interface ChangedBook {
	marketId: MarketId;
	pool: Pool;
	/** It is as before and shows something else: no delta would follow on its version. */
	asImage: boolean;
}

interface PublisherOptions {
	bus: Bus;
	fixtures: Listings;
	exchange: () => Exchange;
	clock: () => number;
}

export function createPublisher({ bus, fixtures, exchange, clock }: PublisherOptions): Publisher {
	/** The book that subscribers of a market and pool hold now. */
	const published = new Map<string, BookView>();
	const ages = new BookAges();
	const notices = new RecentNotices(clock);
	const changed = new Map<string, ChangedBook>();
	let timer: NodeJS.Timeout | null = null;

	function publishBooks(): void {
		timer = null;
		for (const [key, { marketId, pool, asImage }] of changed) {
			const now = viewNow(marketId, pool);
			if (!now) continue;
			const before = published.get(key);
			published.set(key, now);
			ages.published(key, now.version);
			bus.publish(`market.${key}`, {
				code: 'MarketBook',
				data: before && !asImage ? difference(before, now, clock()) : { kind: 'IMAGE', clock: clock(), ...now },
				key: `book.${marketId}`,
			});
		}
		changed.clear();
	}

	function note(books: readonly Omit<ChangedBook, 'asImage'>[], asImage: boolean): void {
		for (const { marketId, pool } of books) {
			const key = `${marketId}.${pool}`;
			changed.set(key, { marketId, pool, asImage: asImage || changed.get(key)?.asImage === true });
		}
	}

	function viewNow(marketId: MarketId, pool: Pool): BookView | null {
		const listing = fixtures.market(marketId);
		return listing && exchange().market(marketId) ? bookView(exchange(), listing, pool, PUBLISHED_DEPTH) : null;
	}

	return {
		image: (marketId, pool) => {
			const key = `${marketId}.${pool}`;
			const now = viewNow(marketId, pool);
			if (!now) return null;
			const held = published.get(key) ?? now;
			published.set(key, held);
			return { kind: 'IMAGE', clock: clock(), ...held, ...standingOf(held, now) };
		},
		onCommitted: (committed) => {
			publishToPlayers(committed, bus, { fixtures, exchange: exchange(), notices });
			publishToMarkets(committed, bus, fixtures);
			note(committed.books, false);
			note(booksAcross(committed.markets), true);
			if (changed.size > 0) timer ??= setTimeout(publishBooks, BOOK_INTERVAL_MS);
		},
		isOldBook: (marketId, pool, version) => ages.isOld(`${marketId}.${pool}`, version),
		notices: (playerId, lastMs) => notices.of(playerId, lastMs),
		forget: (isRemembered) => {
			for (const [key, { marketId }] of published) {
				if (isRemembered(Number(marketId))) continue;
				published.delete(key);
				ages.forget(key);
			}
		},
		stop: () => clearTimeout(timer ?? undefined),
	};
}

/** How a market and its runners stand is told apart from prices, and at once. */
const standingOf = (held: BookView, { status, inPlay, runners }: BookView) => ({
	status,
	inPlay,
	runners: held.runners.map((runner, at) => ({ ...runner, status: runners[at]?.status ?? runner.status })),
});

/** A runner that is suspended, or no longer is, takes the others' virtual prices away, or brings them back. */
const booksAcross = (markets: Committed['markets']) =>
	markets.flatMap(({ marketId, crossMatching, pools }) =>
		crossMatching ? pools.map((pool) => ({ marketId, pool })) : [],
	);

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
