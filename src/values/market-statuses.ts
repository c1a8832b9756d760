/** Statuses of markets, by what may still happen to one. */

/** Its result is known, or it is void: it may be settled at this moment. */
export const DECIDED_STATUSES: ReadonlySet<string> = new Set(['SETTLING', 'SETTLED', 'VOIDED']);

/** It takes no more bets. */
export const ENDED_STATUSES: ReadonlySet<string> = new Set(['CLOSED', ...DECIDED_STATUSES]);
