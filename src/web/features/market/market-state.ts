/** Whether a market takes bets now, and the words over it while it does not. */

import { useLine } from '#web/store/line.ts';
import { useMarketHead } from '#web/store/prices/live-prices.ts';
import type { MarketHead } from '#web/store/prices/price-store.ts';
import type { Market } from '#web/store/queries.ts';
import { TEXTS } from '#web/texts.ts';

/** Words over a market that takes no bets; null while it does. */
const COVERS: Record<Market['status'], string | null> = {
	OPEN: null,
	INACTIVE: TEXTS.market.notOpen,
	SUSPENDED: TEXTS.market.suspended,
	BALL_RUNNING: TEXTS.market.ballRunning,
	CLOSED: TEXTS.market.closed,
	SETTLED: TEXTS.market.settled,
	VOIDED: TEXTS.market.voided,
};

export interface MarketState {
	head: MarketHead | null;
	status: Market['status'];
	/** Prices are not to be believed: the line is gone or an update was lost. */
	paused: boolean;
	cover: string | null;
	over: boolean;
}

export function useMarketState(market: Market): MarketState {
	const head = useMarketHead(market.id);
	const stale = useLine((line) => line.stale);
	const status = head?.status ?? market.status;
	const paused = stale || head?.whole === false;
	const cover = COVERS[status] ?? (paused ? TEXTS.market.paused : null);
	return { head, status, paused, cover, over: status === 'SETTLED' || status === 'VOIDED' };
}
