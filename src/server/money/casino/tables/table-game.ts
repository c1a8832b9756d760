/** The differences between shared games. The scheduler (shared-table.ts) does the rest. */
import { setTimeout as delay } from 'node:timers/promises';
import type { WorkflowData, WorkflowValue } from '#server/exchange/order/workflow-data.ts';
import type { RiskedBet, RoundRisk, TableRound } from '#server/money/casino/tables/table-round.ts';

/** The inputs of a result. */
export interface SharedSeeds {
	round: number;
	/** The chain's hash with the beacon's value in it (src/games/beacon); of a chain without a beacon, its hash. */
	hash: string;
	salt: string;
	bettorSeeds: readonly string[];
	returnPercent: number;
}

/**
 * Monotonic time of rounds: setting the wall clock lengthens no window and moves no result. At a speed above one, for
 * demonstrations and tests, its milliseconds are shorter than real ones.
 */
export interface TableClock {
	readonly speed: number;
	/** Milliseconds since an arbitrary moment. */
	now(): number;
	/** The time of an instant of `performance.now()`. */
	at(monotonicMs: number): number;
	/** Resolves at that time, or when the signal aborts. */
	until(atMs: number, signal: AbortSignal): Promise<void>;
}

export const systemClock = (speed: number): TableClock => ({
	speed,
	now: () => performance.now() * speed,
	at: (monotonicMs) => monotonicMs * speed,
	until: async (atMs, signal) => {
		const waitMs = Math.max(0, Math.ceil(atMs / speed - performance.now()));
		await delay(waitMs, undefined, { signal, ref: false }).catch(() => undefined);
	},
});

/** The environment of a game while it plays a round. */
export interface Stage {
	clock: TableClock;
	/** Aborted when the server stops: the round then stays as it is, and the next start ends it. */
	signal: AbortSignal;
	/** Reports the progress of play in milliseconds, which is written soon, for a restart. */
	reached: (ms: number) => void;
}

export interface TableGame<Terms extends WorkflowData> {
	readonly code: string;
	/** The return of its chains to bettors, in per cent; that of the worst bet, rounded down, where bets differ. */
	readonly returnPercent: number;
	/** The length of the betting window and of the pause that shows the result, milliseconds. */
	readonly windowMs: number;
	readonly pauseMs: number;
	/** Rounds continue without viewers. Otherwise the table rests until a visitor arrives. */
	readonly isAlwaysOpen: boolean;
	/** Whether the result depends on seeds of the first bettors in chains without a beacon, too. */
	readonly takesBettorSeeds: boolean;
	/** Whether the choices of a stored bet are valid for this game. */
	isTerms(terms: WorkflowData): terms is Terms;
	/** The risk of a pool's bets in a new round. */
	newRisk(): RoundRisk<Terms>;
	/** The largest combined loss of a player's bets on a round, in minor units. */
	lossOf(bets: readonly RiskedBet<Terms>[]): number;
	/** The result of a round. Plain JSON. */
	resultOf(seeds: SharedSeeds): WorkflowValue;
	/** Shows a locked round, and decides all of its bets by the time it resolves. */
	play(round: TableRound<Terms>, result: WorkflowValue, stage: Stage): Promise<void>;
	/** Decides the bets of a locked round after a restart. @param reachedMs the known progress of play */
	recover(round: TableRound<Terms>, result: WorkflowValue, reachedMs: number): void;
}
