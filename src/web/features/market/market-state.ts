/** Whether a market takes bets now, and the text over it while its status does not allow any. */

import type { Market } from '#web/api/answers.ts';
import { type MarketNow, useMarketNow } from '#web/live/followed-state.ts';
import { GRID_WORDS } from '#web/texts/more.ts';

/** The text over a market by its status; paused prices are grey instead, and its head shows their age. */
const COVERS: Record<Market['status'], string | null> = {
	OPEN: null,
	INACTIVE: GRID_WORDS.notOpen,
	SUSPENDED: GRID_WORDS.suspended,
	BALL_RUNNING: GRID_WORDS.ballRunning,
	CLOSED: GRID_WORDS.closed,
	SETTLING: GRID_WORDS.settling,
	SETTLED: GRID_WORDS.settled,
	VOIDED: GRID_WORDS.voided,
};

export interface MarketState extends MarketNow {
	cover: string | null;
	isEnded: boolean;
}

export function useMarketState(market: Market): MarketState {
	const now = useMarketNow(market.id, market.status);
	return { ...now, cover: COVERS[now.status], isEnded: now.status === 'SETTLED' || now.status === 'VOIDED' };
}
