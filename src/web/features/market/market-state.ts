/** Whether a market takes bets now, and the words over it while it does not. */

import type { Market } from '#web/api/answers.ts';
import { useConnection } from '#web/live/connection.ts';
import { useMarketHead } from '#web/live/prices/live-prices.ts';
import type { MarketHead } from '#web/live/prices/price-store.ts';
import { GRID_WORDS } from '#web/texts/more.ts';

/** Words over a market that takes no bets; null while it does. */
const COVERS: Record<Market['status'], string | null> = {
	OPEN: null,
	INACTIVE: GRID_WORDS.notOpen,
	SUSPENDED: GRID_WORDS.suspended,
	BALL_RUNNING: GRID_WORDS.ballRunning,
	CLOSED: GRID_WORDS.closed,
	SETTLED: GRID_WORDS.settled,
	VOIDED: GRID_WORDS.voided,
};

export interface MarketState {
	head: MarketHead | null;
	status: Market['status'];
	/** Prices cannot be trusted: the connection or an update was lost. */
	paused: boolean;
	cover: string | null;
	isEnded: boolean;
}

export function useMarketState(market: Market): MarketState {
	const head = useMarketHead(market.id);
	const stale = useConnection((line) => line.stale);
	const status = head?.status ?? market.status;
	const paused = stale || head?.whole === false;
	const cover = COVERS[status] ?? (paused ? GRID_WORDS.paused : null);
	return { head, status, paused, cover, isEnded: status === 'SETTLED' || status === 'VOIDED' };
}
