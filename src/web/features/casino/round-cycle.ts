/** When the next round of a player may start, where the profile of the brand has a shortest cycle. */
import { useEffect, useState } from 'react';
import { useBrandRules } from '#web/store/brand-rules.ts';
import type { CasinoRound } from '#web/store/casino-queries.ts';

/**
 * @param round the last one, or the open one
 * @returns by this device's clock; a round's answer came after its start at the server
 */
export function useNextStart(round: CasinoRound | null): number {
	const { shortestCycleMs } = useBrandRules();
	const [nextAtMs, setNextAtMs] = useState(0);
	const roundId = round?.roundId;
	useEffect(() => {
		if (roundId !== undefined) setNextAtMs(Date.now() + (shortestCycleMs ?? 0));
	}, [roundId, shortestCycleMs]);
	return nextAtMs;
}
