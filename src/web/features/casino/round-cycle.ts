/** How long the button waits for the next round, where the profile of the brand has a shortest cycle. */
import { useBrandRules } from '#web/store/brand-rules.ts';
import type { CasinoRound } from '#web/store/casino-queries.ts';
import { useCountdown } from '#web/store/use-countdown.ts';

/**
 * @param round the last one, with the server's time of its start
 * @returns whole seconds; 0 while nothing but a device's clock that is far behind is known: the server alone refuses then
 */
export function useCycleWait(round: CasinoRound | null): number {
	const { shortestCycleMs } = useBrandRules();
	const cycleMs = shortestCycleMs ?? 0;
	const seconds = useCountdown(round && cycleMs > 0 ? Date.parse(round.at) + cycleMs : 0);
	return seconds * 1000 > cycleMs ? 0 : seconds;
}
