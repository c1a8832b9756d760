/**
 * Full load for any length of time: a new market and new players every minute, while the previous market is settled.
 */

import { type BetLoad, loadOn } from './bet-load.ts';
import { demoTokens } from './demo-logins.ts';
import { openDoors } from './operator-doors.ts';
import type { BenchMarket } from './server-child.ts';

/** A player's open bets are limited, and so is a process's memory for unsettled markets. */
const MARKET_FOR_MS = 60_000;

export interface MarketLoad extends BetLoad {
	/** Milliseconds to settle the previous market, under this load; null for the first one. */
	settledMs: number | null;
}

interface OpenedMarket {
	marketId: string;
	runners: { id: string }[];
}

/** The markets open at the event of the server's first market. */
export async function loadMarketAfterMarket(
	{ port, dataDir, players }: { port: number; dataDir: string; players: number },
	forMs: number,
): Promise<MarketLoad[]> {
	const { asOperator, close } = await openDoors(port, dataDir, 'auditor');
	const [first] = await asOperator<{ eventId: string }[]>('markets', {});
	const open = async (): Promise<BenchMarket> => {
		const { marketId, runners } = await asOperator<OpenedMarket>('open-market', {
			eventId: first?.eventId,
			name: `Match Odds ${loads.length}`,
			type: 'MATCH_ODDS',
			runners: ['IND', 'NEP'],
		});
		return { marketId, runnerIds: [runners[0]?.id ?? '', runners[1]?.id ?? ''] };
	};
	/** @returns the milliseconds of the settlement alone */
	const settle = async ({ marketId, runnerIds }: BenchMarket): Promise<number> => {
		await asOperator('close', { marketId });
		const from = performance.now();
		await asOperator('settle', { marketId, winners: [runnerIds[loads.length % 2]] });
		return performance.now() - from;
	};
	const loads: MarketLoad[] = [];
	const until = performance.now() + forMs;
	let before: BenchMarket | null = null;
	try {
		for (let left = forMs; left > 0; left = until - performance.now()) {
			const market = await open();
			const tokens = await demoTokens(port, players);
			const settling = before && settle(before);
			const load = await loadOn(port, market, tokens)(Math.min(left, MARKET_FOR_MS));
			loads.push({ ...load, settledMs: await settling });
			before = market;
		}
	} finally {
		close();
	}
	return loads;
}
