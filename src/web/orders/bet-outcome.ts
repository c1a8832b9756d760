/** What became of a bet that was placed here, as long as the slip or a ladder shows it. */

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ZERO } from '#values/money.ts';
import type { OpenBet, PlacedBet } from '#web/api/answers.ts';
import type { PlacedOutcome } from '#web/orders/placed-words.ts';
import { openBetsQuery } from '#web/store/queries.ts';

/**
 * What is left of a bet that is open no more: its matched part. Whether the rest was cancelled, changed or lapsed, or the
 * market was settled, nothing of it waits any longer.
 */
export function afterItsEnd(last: OpenBet): PlacedOutcome {
	const wasDelayed = last.status === 'PENDING';
	const status = last.matchedStake > 0 ? 'MATCHED' : wasDelayed ? 'LAPSED' : 'CANCELLED';
	return { ...last, status, remainingStake: ZERO };
}

/** A live bet is as the list of open bets has it; one that was there and has left it has ended. */
export function useOutcome(bet: PlacedBet): PlacedOutcome {
	const { data } = useQuery(openBetsQuery());
	const live = data?.openBets.find(({ betId }) => betId === bet.betId);
	const [last, setLast] = useState<OpenBet | null>(null);
	if (live && live !== last) setLast(live);
	return live ?? (last ? afterItsEnd(last) : bet);
}

/**
 * Whole seconds until a delayed bet reaches the book. Both times are the server's, so that a device with a wrong clock
 * counts the same.
 * @param passedMs since its answer came
 */
export function secondsOfDelay({ placedAt, delayUntil }: PlacedBet, passedMs: number): number {
	if (delayUntil === undefined) return 0;
	const delayMs = Date.parse(delayUntil) - Date.parse(placedAt);
	return Math.max(0, Math.ceil((delayMs - passedMs) / 1000));
}
