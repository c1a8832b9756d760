/** When a result may be said: after the stage has shown how it came about. */
import { useEffect, useState } from 'react';
import type { CasinoRound } from '#web/store/casino-queries.ts';

export const movesLess = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches;

/** False for so long after a new round came; true at once for players who want less motion. */
export function useRevealed(round: CasinoRound | null, afterMs: number): boolean {
	const key = round ? `${round.roundId} ${round.actions.length}` : null;
	const [revealed, setRevealed] = useState(key);
	useEffect(() => {
		const timer = setTimeout(() => setRevealed(key), movesLess() ? 0 : afterMs);
		return () => clearTimeout(timer);
	}, [key, afterMs]);
	return revealed === key;
}
