/**
 * What every runner was traded at, by the minute of the feed's clock: kept in memory for charts, published to the hub, and
 * written every five minutes. Old minutes are joined to longer stretches, so a history stays as short however long a
 * market trades. It follows durable batches; a crash takes what the crowd traded since it was last written.
 */
import type pg from 'pg';
import type { Logger } from 'pino';
import type { HubMessages } from '#contract/hub-messages.ts';
import type { Committed } from '#server/exchange/committed.ts';
import type { Trade } from '#server/exchange/order/batch-rows.ts';
import type { StoredMarket } from '#server/exchange/recovery/stored-markets.ts';
import type { Listings } from '#server/exchange/views/market-listing.ts';
import {
	pruneTradeHours,
	readTradeHours,
	type TradeBar,
	type TradedBar,
	type TradeHour,
	writeTradeHours,
} from '#server/exchange/views/trade-hours.ts';
import type { Bus } from '#server/platform/bus/bus.ts';
import { Turns } from '#server/platform/pacing/turns.ts';
import type { MarketId } from '#values/ids.ts';
import { averagePrice } from '#values/liability.ts';
import { majorFromMinor } from '#values/money.ts';
import type { Pool } from '#values/pools.ts';
import { decimalFromPrice } from '#values/price-ladder.ts';

const MINUTE_MS = 60_000;
const SHORTEST_MINUTE_MS = 1_000;
/** Bars of a runner; one more joins the older two thirds in pairs. */
const MOST_BARS = 180;
const JOINED_BARS = 120;
const PUBLISH_EVERY_MS = 2_000;
const TABLE = 'trade_hour';
const MINUTES_IN_AN_HOUR = 60;
const WRITE_EVERY_MINUTES = 5;
const PRUNE_EVERY_MS = 3_600_000;
/** Of more hours that cannot be written, the oldest are dropped. */
const MOST_UNWRITTEN = 1_000;

interface PriceHistoryOptions {
	db: pg.Pool;
	bus: Bus;
	fixtures: Listings;
	log: Logger;
	clock: () => number;
	/** A minute of play is this much shorter. */
	speed?: number;
}

type Traded = StoredMarket['traded'];
type Point = HubMessages['PriceHistory']['runners'][number];

const bookKey = (marketId: MarketId, pool: Pool): string => `${marketId}.${pool}`;

export class PriceHistory {
	readonly #options: PriceHistoryOptions;
	/** Milliseconds of real time in a minute of the feed's clock. */
	readonly #minuteMs: number;
	/** Bars of each runner, oldest first, by market and pool. */
	readonly #bars = new Map<string, TradeBar[][]>();
	/** The last bar of each book that was traded, by market. */
	readonly #newest = new Map<number, Map<string, TradedBar>>();
	/** The last hour of each market: its row is rewritten as it goes on. */
	readonly #hours = new Map<number, TradeHour>();
	/** Hours that were traded in since they were written, oldest first. */
	readonly #unwritten = new Set<TradeHour>();
	/** Runners traded since the last message, by market and pool. */
	readonly #unpublished = new Map<string, { marketId: MarketId; pool: Pool; runners: Set<number> }>();
	readonly #timers: NodeJS.Timeout[] = [];
	/** Writes to the table and deletions from it. */
	readonly #turns = new Turns();

	constructor(options: PriceHistoryOptions) {
		this.#options = options;
		this.#minuteMs = Math.max(SHORTEST_MINUTE_MS, MINUTE_MS / (options.speed ?? 1));
	}

	#minuteOf(atMs: number): number {
		return Math.floor(Math.floor(atMs / this.#minuteMs) * this.#minuteMs);
	}

	#hourOf(atMs: number): number {
		const hourMs = this.#minuteMs * MINUTES_IN_AN_HOUR;
		return Math.floor(Math.floor(atMs / hourMs) * hourMs);
	}

	/** Reads what was written, and begins to publish and to write. @param remembered markets that are known although they are over */
	async open(remembered: readonly number[]): Promise<void> {
		for (const hour of await readTradeHours(this.#options.db, remembered)) {
			for (const bar of hour.bars) this.#append(hour.marketId, bar);
			this.#hours.set(hour.marketId, hour);
		}
		this.#timers.push(
			setInterval(() => this.#publish(), PUBLISH_EVERY_MS),
			setInterval(() => void this.#turns.take(TABLE, () => this.#write()), this.#minuteMs * WRITE_EVERY_MINUTES),
			setInterval(() => void this.#turns.take(TABLE, () => this.#prune()), PRUNE_EVERY_MS),
		);
		for (const timer of this.#timers) timer.unref();
	}

	/** Writes all there is. */
	async stop(): Promise<void> {
		for (const timer of this.#timers) clearInterval(timer);
		await this.#turns.take(TABLE, () => this.#write());
	}

	onCommitted({ trades, books }: Committed): void {
		if (trades.length === 0) return;
		const totals = new Map(books.map(({ marketId, pool, runners }) => [bookKey(marketId, pool), runners]));
		for (const trade of trades) {
			const key = bookKey(trade.marketId, trade.pool);
			this.#add(trade, key, totals.get(key)?.[trade.runner]?.totalMatched ?? 0);
		}
	}

	/** The traded prices and volumes of a market's books, for an engine that is rebuilt from the tables. */
	tradedIn(marketId: MarketId): Traded {
		return [...(this.#newest.get(marketId)?.values() ?? [])].map(({ pool, runner, last, total }) => ({
			pool,
			runner,
			lastPriceTraded: last,
			totalMatched: total,
		}));
	}

	/** The bars of a runner, oldest first. */
	of(marketId: MarketId, pool: Pool, runner: number): readonly TradeBar[] {
		return this.#bars.get(bookKey(marketId, pool))?.[runner] ?? [];
	}

	forget(isRemembered: (marketId: MarketId) => boolean): void {
		for (const marketId of this.#newest.keys()) {
			if (isRemembered(marketId)) continue;
			for (const { pool } of this.#newest.get(marketId)?.values() ?? []) this.#bars.delete(bookKey(marketId, pool));
			this.#newest.delete(marketId);
			this.#hours.delete(marketId);
		}
	}

	/** @param key of the book @param total of the runner, as the book stands after the batch */
	#add({ marketId, pool, runner, price, stake, atMs }: Trade, key: string, total: number): void {
		const minute = this.#minuteOf(atMs);
		const hour = this.#hour(marketId, atMs);
		let bar = this.#newest.get(marketId)?.get(`${pool}.${runner}`);
		if (!bar || this.#minuteOf(bar.atMs) !== minute) {
			bar = { pool, runner, atMs, last: price, low: price, high: price, stake: 0, value: 0, total: 0 };
			this.#append(marketId, bar);
			hour.bars.push(bar);
		}
		bar.last = price;
		bar.low = Math.min(bar.low, price);
		bar.high = Math.max(bar.high, price);
		bar.stake += stake;
		bar.value += stake * price;
		bar.total = Math.max(bar.total, total);
		this.#unwritten.add(hour);
		const unpublished = this.#unpublished.get(key) ?? { marketId, pool, runners: new Set<number>() };
		unpublished.runners.add(runner);
		this.#unpublished.set(key, unpublished);
	}

	#append(marketId: MarketId, bar: TradedBar): void {
		const key = bookKey(marketId, bar.pool);
		const ofBook = this.#bars.get(key) ?? [];
		this.#bars.set(key, ofBook);
		while (ofBook.length <= bar.runner) ofBook.push([]);
		const bars = ofBook[bar.runner] as TradeBar[];
		bars.push(bar);
		if (bars.length > MOST_BARS) bars.splice(0, JOINED_BARS, ...joinedInPairs(bars.slice(0, JOINED_BARS)));
		const ofMarket = this.#newest.get(marketId) ?? new Map<string, TradedBar>();
		ofMarket.set(`${bar.pool}.${bar.runner}`, bar);
		this.#newest.set(marketId, ofMarket);
	}

	/** The market's hour with that instant. Times of trades never decrease. */
	#hour(marketId: MarketId, atMs: number): TradeHour {
		const hour = this.#hourOf(atMs);
		const last = this.#hours.get(marketId);
		if (last?.hour === hour) return last;
		const next = { marketId, hour, bars: [] };
		this.#hours.set(marketId, next);
		return next;
	}

	#publish(): void {
		const { bus, fixtures } = this.#options;
		for (const { marketId, pool, runners } of this.#unpublished.values()) {
			const listing = fixtures.market(marketId);
			if (!listing) continue;
			const points = [...runners].flatMap((runner) => {
				const bar = this.of(marketId, pool, runner).at(-1);
				const runnerId = listing.runners[runner]?.id;
				return bar && runnerId !== undefined ? [{ runnerId, ...pointOf(bar) }] : [];
			});
			const data = { marketId: String(marketId), runners: points };
			bus.publish(`market.${bookKey(marketId, pool)}`, { code: 'PriceHistory', data, key: `history.${marketId}` });
		}
		this.#unpublished.clear();
	}

	/** Rows that could not be written are tried again the next time. */
	async #write(): Promise<void> {
		const due = [...this.#unwritten];
		if (due.length === 0) return;
		this.#unwritten.clear();
		try {
			await writeTradeHours(this.#options.db, due);
		} catch (error) {
			this.#options.log.warn({ err: error, hours: due.length }, 'the history of prices could not be written yet');
			const kept = [...new Set([...due, ...this.#unwritten])].slice(-MOST_UNWRITTEN);
			this.#unwritten.clear();
			for (const hour of kept) this.#unwritten.add(hour);
		}
	}

	async #prune(): Promise<void> {
		const { db, clock, log } = this.#options;
		try {
			await pruneTradeHours(db, clock(), [...this.#newest.keys()]);
		} catch (error) {
			log.warn({ err: error }, 'the old history of prices could not be deleted yet');
		}
	}
}

/** Each two neighbours as one. */
function joinedInPairs(bars: readonly TradeBar[]): TradeBar[] {
	return bars.flatMap((bar, at) => {
		const next = bars[at + 1];
		if (at % 2 === 1) return [];
		if (!next) return [bar];
		const [low, high] = [Math.min(bar.low, next.low), Math.max(bar.high, next.high)];
		const [stake, value] = [bar.stake + next.stake, bar.value + next.value];
		return [{ atMs: bar.atMs, last: next.last, low, high, stake, value }];
	});
}

/** A bar as calls and the hub state it. */
export function pointOf({ atMs, low, high, stake, value }: TradeBar): Omit<Point, 'runnerId'> {
	return {
		at: new Date(atMs).toISOString(),
		price: decimalFromPrice(averagePrice(stake, value) ?? low),
		low: decimalFromPrice(low),
		high: decimalFromPrice(high),
		volume: majorFromMinor(stake),
	};
}
