/**
 * What every runner was traded at, by the minute of the feed's clock: kept in memory for charts, published to the hub, and
 * written when a minute is over. Old minutes are joined to longer stretches, so a history stays as short however long a
 * market trades. It follows durable batches; of a minute that was not written yet a crash takes the volume of the crowd.
 */
import type pg from 'pg';
import type { Logger } from 'pino';
import type { HubMessages } from '#contract/hub-messages.ts';
import type { Bus } from '#server/bus.ts';
import type { Trade } from '#server/exchange/batch.ts';
import type { Committed } from '#server/exchange/committed.ts';
import type { StoredMarket } from '#server/exchange/stored-markets.ts';
import {
	pruneTradeMinutes,
	readTradeMinutes,
	type TradeBar,
	type TradedBar,
	type TradeMinute,
	writeTradeMinutes,
} from '#server/exchange/trade-minutes.ts';
import type { Fixtures } from '#server/fixtures/fixtures.ts';
import type { MarketId } from '#values/ids.ts';
import { averagePrice } from '#values/liability.ts';
import { majorFromPaise } from '#values/money.ts';
import type { Pool } from '#values/pools.ts';
import { decimalFromPrice } from '#values/price-ladder.ts';

const MINUTE_MS = 60_000;
const SHORTEST_MINUTE_MS = 1_000;
/** Bars of a runner; one more joins the older two thirds in pairs. */
const MOST_BARS = 180;
const JOINED_BARS = 120;
const PUBLISH_EVERY_MS = 2_000;
const WRITE_EVERY_MS = 10_000;
const PRUNE_EVERY_MS = 6 * 3_600_000;
/** Of more that cannot be written, the oldest are dropped. */
const MOST_UNWRITTEN = 20_000;

export interface PriceHistoryOptions {
	db: pg.Pool;
	bus: Bus;
	fixtures: Fixtures;
	log: Logger;
	clock: () => number;
	/** A minute of play lasts so much shorter. */
	speed?: number;
}

type Traded = StoredMarket['traded'];
type Point = HubMessages['PriceHistory']['runners'][number];

const bookKey = (marketId: MarketId, pool: Pool): string => `${marketId}.${pool}`;

export class PriceHistory {
	readonly #options: PriceHistoryOptions;
	/** Bars of each runner, oldest first, by market and pool. */
	readonly #bars = new Map<string, TradeBar[][]>();
	/** The last bar of each book that was traded, by market. */
	readonly #newest = new Map<number, Map<string, TradedBar>>();
	/** Minutes that are not written yet, by market and minute, oldest first. */
	readonly #unwritten = new Map<string, { marketId: MarketId; minute: number; bars: Map<string, TradedBar> }>();
	/** Runners traded since the last message, by market and pool. */
	readonly #unpublished = new Map<string, { marketId: MarketId; pool: Pool; runners: Set<number> }>();
	readonly #timers: NodeJS.Timeout[] = [];
	#writing: Promise<void> = Promise.resolve();

	constructor(options: PriceHistoryOptions) {
		this.#options = options;
	}

	/** Milliseconds of real time in a minute of the feed's clock. */
	get #minuteMs(): number {
		return Math.max(SHORTEST_MINUTE_MS, MINUTE_MS / (this.#options.speed ?? 1));
	}

	#minuteOf(atMs: number): number {
		return Math.floor(Math.floor(atMs / this.#minuteMs) * this.#minuteMs);
	}

	/** Reads what was written, and begins to publish and to write. @param remembered markets that are known although they are over */
	async open(remembered: readonly number[]): Promise<void> {
		const { db, clock } = this.#options;
		const thisMinute = this.#minuteOf(clock());
		for (const { marketId, minute, bars } of await readTradeMinutes(db, remembered)) {
			for (const bar of bars) {
				const kept = { ...bar };
				this.#append(marketId, kept);
				// The minute may go on: its row is then written anew, with what it had.
				if (minute === thisMinute) this.#toWrite(marketId, minute, kept);
			}
		}
		this.#timers.push(
			setInterval(() => this.#publish(), PUBLISH_EVERY_MS),
			setInterval(() => void this.#write(this.#minuteOf(clock())), Math.min(WRITE_EVERY_MS, this.#minuteMs)),
			setInterval(() => void this.#prune(), PRUNE_EVERY_MS),
		);
		for (const timer of this.#timers) timer.unref();
	}

	/** Writes all there is. */
	async stop(): Promise<void> {
		for (const timer of this.#timers) clearInterval(timer);
		await this.#write(Number.POSITIVE_INFINITY);
	}

	onCommitted({ trades, books }: Committed): void {
		if (trades.length === 0) return;
		const totals = new Map(books.map(({ marketId, pool, runners }) => [bookKey(marketId, pool), runners]));
		for (const trade of trades) {
			const total = totals.get(bookKey(trade.marketId, trade.pool))?.[trade.runner]?.totalMatched ?? 0;
			this.#add(trade, total);
		}
	}

	/** What the books of a market traded, for an engine that is built from the tables. */
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
		}
	}

	#add({ marketId, pool, runner, price, stake, atMs }: Trade, total: number): void {
		const minute = this.#minuteOf(atMs);
		let bar = this.#newest.get(marketId)?.get(`${pool}.${runner}`);
		if (!bar || this.#minuteOf(bar.atMs) !== minute) {
			bar = { pool, runner, atMs, last: price, low: price, high: price, stake: 0, value: 0, total: 0 };
			this.#append(marketId, bar);
		}
		bar.last = price;
		bar.low = Math.min(bar.low, price);
		bar.high = Math.max(bar.high, price);
		bar.stake += stake;
		bar.value += stake * price;
		bar.total = Math.max(bar.total, total);
		this.#toWrite(marketId, minute, bar);
		const key = bookKey(marketId, pool);
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

	#toWrite(marketId: MarketId, minute: number, bar: TradedBar): void {
		const key = `${marketId}.${minute}`;
		const row = this.#unwritten.get(key) ?? { marketId, minute, bars: new Map<string, TradedBar>() };
		row.bars.set(`${bar.pool}.${bar.runner}`, bar);
		this.#unwritten.set(key, row);
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

	/** Writes the minutes before this one, one write after another. */
	#write(beforeMs: number): Promise<void> {
		const before = this.#writing;
		this.#writing = (async () => {
			await before;
			await this.#writeDue(beforeMs);
		})();
		return this.#writing;
	}

	/** What cannot be written is tried again the next time. */
	async #writeDue(beforeMs: number): Promise<void> {
		const due = [...this.#unwritten].filter(([, { minute }]) => minute < beforeMs);
		if (due.length === 0) return;
		const rows = due.map(([, row]): TradeMinute => ({ ...row, bars: [...row.bars.values()] }));
		try {
			await writeTradeMinutes(this.#options.db, rows);
			for (const [key] of due) this.#unwritten.delete(key);
		} catch (error) {
			this.#options.log.warn({ err: error, minutes: due.length }, 'the history of prices could not be written yet');
			for (const [key] of due.slice(0, Math.max(0, due.length - MOST_UNWRITTEN))) this.#unwritten.delete(key);
		}
	}

	async #prune(): Promise<void> {
		try {
			await pruneTradeMinutes(this.#options.db, this.#options.clock());
		} catch (error) {
			this.#options.log.warn({ err: error }, 'the old history of prices could not be deleted yet');
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
		volume: majorFromPaise(stake),
	};
}
