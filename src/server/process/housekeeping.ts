/**
 * Bounds memory: fixtures that ended some time ago are removed, with their markets and books. The database keeps them.
 * Names are read from there, and an act on such a market loads it again. Prepares the next month's partitions.
 */
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Exchange } from '#server/exchange/exchange.ts';
import type { PriceHistory } from '#server/exchange/views/price-history.ts';
import type { Publisher } from '#server/exchange/views/publisher.ts';
import type { StartingPrices } from '#server/exchange/views/starting-prices.ts';
import type { TradedVolumes } from '#server/exchange/views/traded-volumes.ts';
import { openMonths } from '#server/platform/postgres/months.ts';
import type { Fixtures } from '#server/world/fixtures/fixtures.ts';
import type { MarketId } from '#values/ids.ts';

/** How long a fixture stays in memory after it ended. */
export const REMEMBERED_MS = 6 * 3600 * 1000;
/** At any speed of play, players can read a result for at least this long. */
const LEAST_REMEMBERED_MS = 60_000;
const EVERY_MS = 60_000;
const MONTHS_EVERY_MS = 3_600_000;

interface HousekeepingOptions {
	log: Logger;
	db: pg.Pool;
	fixtures: Fixtures;
	exchange: Exchange;
	publisher: Publisher;
	priceHistory: PriceHistory;
	traded: TradedVolumes;
	starting: StartingPrices;
	/** The market state kept by the interface of bots. */
	bots: { forget(isRemembered: (marketId: MarketId) => boolean): void };
	rememberedMs: number;
}

/** How long ended fixtures stay in memory at that speed of play. */
export const rememberedAt = (speed: number): number =>
	Math.max(LEAST_REMEMBERED_MS, Math.round(REMEMBERED_MS / Math.max(1, speed)));

export interface Housekeeping {
	/** Removes expired fixtures. Called by the timer, and by tests. */
	tidy(nowMs: number): { fixtures: number };
	stop(): void;
}

export function startHousekeeping(options: HousekeepingOptions): Housekeeping {
	const { log, db, fixtures, exchange, publisher, priceHistory, traded, starting, bots, rememberedMs } = options;
	const isSettled = (marketId: MarketId) => {
		const status = exchange.market(marketId)?.status;
		return status === undefined || status === 'SETTLED' || status === 'VOIDED';
	};
	const isRemembered = (marketId: MarketId) => !isSettled(marketId) || fixtures.market(marketId) !== null;

	function tidy(nowMs: number): { fixtures: number } {
		const forgotten = fixtures.forget(nowMs - rememberedMs, isSettled);
		publisher.forget(isRemembered);
		priceHistory.forget(isRemembered);
		traded.forget(isRemembered);
		starting.forget(isRemembered);
		bots.forget(isRemembered);
		exchange.forgetMarkets(isRemembered);
		return { fixtures: forgotten };
	}

	const timer = setInterval(
		() => {
			const gone = tidy(Date.now());
			if (gone.fixtures > 0) log.debug(gone, 'forgotten fixtures');
		},
		Math.min(EVERY_MS, rememberedMs),
	);
	const months = setInterval(() => {
		openMonths(db, Date.now()).catch((error: unknown) =>
			log.warn({ err: error }, 'the next month could not be prepared yet'),
		);
	}, MONTHS_EVERY_MS);
	return {
		tidy,
		stop: () => {
			clearInterval(timer);
			clearInterval(months);
		},
	};
}
