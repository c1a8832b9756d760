/**
 * Lets go of what piles up by itself: fixtures that were over some time ago leave memory, with the books of their markets,
 * and the house's quotes that nobody took leave the tables. Both can be looked at afterwards as far as anybody may ask:
 * names are read from the database, and matched bets stay.
 */
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Exchange } from '#server/exchange/exchange.ts';
import { QuotePruning } from '#server/exchange/prune-quotes.ts';
import type { Publisher } from '#server/exchange/publisher.ts';
import type { Fixtures } from '#server/fixtures/fixtures.ts';

/** A fixture is in memory for this long after it was over. */
export const REMEMBERED_MS = 6 * 3600 * 1000;
/** However fast play runs, players have this long to look at how it ended. */
const LEAST_REMEMBERED_MS = 60_000;
const EVERY_MS = 60_000;

export interface HousekeepingOptions {
	pool: pg.Pool;
	log: Logger;
	fixtures: Fixtures;
	exchange: Exchange;
	publisher: Publisher;
	/** Whose unmatched bets go. */
	houseWallets: readonly number[];
	rememberedMs: number;
}

/** How long fixtures are remembered where play runs at that speed. */
export const rememberedAt = (speed: number): number =>
	Math.max(LEAST_REMEMBERED_MS, Math.round(REMEMBERED_MS / Math.max(1, speed)));

export interface Housekeeping {
	/** Does what is due; for tests, and for the clock. */
	tidy(nowMs: number): Promise<{ fixtures: number; quotes: number }>;
	stop(): Promise<void>;
}

export function startHousekeeping(options: HousekeepingOptions): Housekeeping {
	const { pool, log, fixtures, exchange, publisher, rememberedMs } = options;
	const pruning = new QuotePruning(pool, options.houseWallets);
	const isOver = (marketId: number) => {
		const status = exchange.market(marketId)?.status;
		return status === undefined || status === 'SETTLED' || status === 'VOIDED';
	};
	const isRemembered = (marketId: number) => !isOver(marketId) || fixtures.market(marketId) !== null;

	async function tidy(nowMs: number): Promise<{ fixtures: number; quotes: number }> {
		const forgotten = fixtures.forget(nowMs - rememberedMs, isOver);
		publisher.forget(isRemembered);
		exchange.forgetBooks(isRemembered);
		return { fixtures: forgotten, quotes: await pruning.run() };
	}

	async function tidyNow(): Promise<void> {
		try {
			const gone = await tidy(Date.now());
			if (gone.fixtures + gone.quotes > 0) log.debug(gone, 'forgotten fixtures and pruned quotes');
		} catch (error) {
			log.warn({ err: error }, 'housekeeping has to be tried again');
		}
	}

	let working: Promise<void> = Promise.resolve();
	const timer = setInterval(
		() => {
			working = working.then(tidyNow);
		},
		Math.min(EVERY_MS, rememberedMs),
	);
	return {
		tidy,
		stop: async () => {
			clearInterval(timer);
			await working;
		},
	};
}
