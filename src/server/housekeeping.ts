/**
 * Lets go of what piles up by itself: fixtures that were over some time ago leave memory, with their markets and books.
 * The database keeps them: names are read from it, and a market comes back when something is to happen to it.
 */
import type { Logger } from 'pino';
import type { Exchange } from '#server/exchange/exchange.ts';
import type { Publisher } from '#server/exchange/publisher.ts';
import type { Fixtures } from '#server/fixtures/fixtures.ts';

/** A fixture is in memory for this long after it was over. */
export const REMEMBERED_MS = 6 * 3600 * 1000;
/** However fast play runs, players have this long to look at how it ended. */
const LEAST_REMEMBERED_MS = 60_000;
const EVERY_MS = 60_000;

export interface HousekeepingOptions {
	log: Logger;
	fixtures: Fixtures;
	exchange: Exchange;
	publisher: Publisher;
	rememberedMs: number;
}

/** How long fixtures are remembered where play runs at that speed. */
export const rememberedAt = (speed: number): number =>
	Math.max(LEAST_REMEMBERED_MS, Math.round(REMEMBERED_MS / Math.max(1, speed)));

export interface Housekeeping {
	/** Does what is due; for tests, and for the clock. */
	tidy(nowMs: number): { fixtures: number };
	stop(): void;
}

export function startHousekeeping(options: HousekeepingOptions): Housekeeping {
	const { log, fixtures, exchange, publisher, rememberedMs } = options;
	const isOver = (marketId: number) => {
		const status = exchange.market(marketId)?.status;
		return status === undefined || status === 'SETTLED' || status === 'VOIDED';
	};
	const isRemembered = (marketId: number) => !isOver(marketId) || fixtures.market(marketId) !== null;

	function tidy(nowMs: number): { fixtures: number } {
		const forgotten = fixtures.forget(nowMs - rememberedMs, isOver);
		publisher.forget(isRemembered);
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
	return {
		tidy,
		stop: () => clearInterval(timer),
	};
}
