/** The age of a paused market's prices, as text for its head. */

import { useEffect, useState } from 'react';
import type { MarketNow } from '#web/live/followed-state.ts';
import { channels } from '#web/store/channels.ts';
import { GRID_WORDS } from '#web/texts/more.ts';

/** A market that is about to be live is grey without a text. */
const SILENT_MS = 3000;

/** @returns null while prices are live, the market takes no bets anyway, or the pause is short */
export function usePausedWords(marketId: string, { paused, status }: Pick<MarketNow, 'paused' | 'status'>) {
	const [said, setSaid] = useState<string | null>(null);
	const isPaused = paused && status === 'OPEN';
	useEffect(() => {
		if (!isPaused) return;
		const sinceMs = Date.now();
		const say = (): void => {
			const age = channels.age(`market:${marketId}`);
			const isLong = (age ?? Date.now() - sinceMs) >= SILENT_MS;
			const words = age === null ? GRID_WORDS.pausedWaiting : GRID_WORDS.pausedFor(Math.round(age / 1000));
			setSaid(isLong ? words : null);
		};
		const timer = setInterval(say, 1000);
		return () => {
			clearInterval(timer);
			setSaid(null);
		};
	}, [marketId, isPaused]);
	return isPaused ? said : null;
}
