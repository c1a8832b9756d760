/** What became of a bet that was placed here, as long as the slip or a ladder shows it. */

import { hashKey, useQuery } from '@tanstack/react-query';
import { ZERO } from '#values/money.ts';
import type { OpenBet, OpenBets, PlacedBet } from '#web/api/answers.ts';
import type { PlacedOutcome } from '#web/orders/placed-words.ts';
import { openBetsQuery } from '#web/store/queries.ts';
import { queryClient } from '#web/store/query-client.ts';
import { useSlip } from '#web/store/slip.ts';

/**
 * What is left of a bet that is open no more: its matched part. Whether the rest was cancelled, changed or lapsed, or the
 * market was settled, nothing of it waits any longer.
 */
function afterItsEnd(last: OpenBet): PlacedOutcome {
	const wasDelayed = last.status === 'PENDING';
	const status = last.matchedStake > 0 ? 'MATCHED' : wasDelayed ? 'LAPSED' : 'CANCELLED';
	return { ...last, status, remainingStake: ZERO };
}

/** Placed bets of the slip as they last were in the list of open bets; followed also while no sheet shows them. */
const lastOpen = new Map<string, OpenBet>();

const { queryKey } = openBetsQuery();
queryClient.getQueryCache().subscribe(({ type, query }) => {
	if (type !== 'updated' || query.queryHash !== hashKey(queryKey)) return;
	const placed = new Set(
		useSlip.getState().selections.flatMap(({ phase }) => (phase.kind === 'placed' ? phase.bet.betId : [])),
	);
	for (const betId of lastOpen.keys()) if (!placed.has(betId)) lastOpen.delete(betId);
	for (const bet of queryClient.getQueryData<OpenBets>(queryKey)?.openBets ?? [])
		if (placed.has(bet.betId)) lastOpen.set(bet.betId, bet);
});

/** A live bet is as the list of open bets has it; one that was there and has left it has ended. */
export function useOutcome(bet: PlacedBet): PlacedOutcome {
	const { data } = useQuery(openBetsQuery());
	const live = data?.openBets.find(({ betId }) => betId === bet.betId);
	const last = lastOpen.get(bet.betId);
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
