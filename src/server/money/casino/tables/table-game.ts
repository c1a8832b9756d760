/** What differs between the games that everybody plays together. The scheduler (shared-table.ts) does the rest. */
import { setTimeout as delay } from 'node:timers/promises';
import type { WorkflowData, WorkflowValue } from '#server/exchange/order/workflow-data.ts';
import type { RiskedBet, RoundRisk, TableRound } from '#server/money/casino/tables/table-round.ts';

/** What a result follows from. The hash is secret until the result is shown. */
export interface SharedSeeds {
	round: number;
	hash: string;
	salt: string;
	bettorSeeds: readonly string[];
	returnPercent: number;
}

/**
 * Monotonic time of rounds: setting the wall clock lengthens no window and moves no result. At a speed above one, which
 * demonstrations and tests use, its milliseconds are shorter than real ones.
 */
export interface TableClock {
	readonly speed: number;
	/** Milliseconds since any moment. */
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

/** What a game has while it plays a round. */
export interface Stage {
	clock: TableClock;
	/** Aborted when the server stops: the round then stays as it is, and the next start ends it. */
	signal: AbortSignal;
	/** Play has come so far, milliseconds: written soon, for a restart. */
	reached: (ms: number) => void;
}

export interface TableGame<Terms extends WorkflowData> {
	readonly code: string;
	/** What its chains return to bettors, in per cent; of the worst bet, rounded down, where bets differ. */
	readonly returnPercent: number;
	/** How long a round takes bets, and how long its result is shown, milliseconds. */
	readonly windowMs: number;
	readonly pauseMs: number;
	/** Rounds go on while nobody looks. Otherwise the table rests until a visitor comes. */
	readonly isAlwaysOpen: boolean;
	/** The result follows from seeds of the first bettors, too. */
	readonly takesBettorSeeds: boolean;
	/** Whether the choices of a stored bet are ones of this game. */
	isTerms(terms: WorkflowData): terms is Terms;
	/** The risk of a pool's bets in a new round. */
	newRisk(): RoundRisk<Terms>;
	/** Paise that a player's bets on a round lose together when the worst comes. */
	lossOf(bets: readonly RiskedBet<Terms>[]): number;
	/** The result of a round. Plain JSON. */
	resultOf(seeds: SharedSeeds): WorkflowValue;
	/** Shows a locked round, and decides all of its bets by the time it resolves. */
	play(round: TableRound<Terms>, result: WorkflowValue, stage: Stage): Promise<void>;
	/** Decides the bets of a locked round that a restart found. @param reachedMs as far as play is known to have come */
	recover(round: TableRound<Terms>, result: WorkflowValue, reachedMs: number): void;
}
