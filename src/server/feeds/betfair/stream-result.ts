/**
 * What the definition that closes a stream's market says about its result. A real stream has closed a decided race by a
 * definition that listed nothing but its one non-runner, so a result is taken only from a definition that accounts for
 * every runner we listed; of anything else this says what is wrong.
 */
import { type RunnerKey, runnerKey, type StreamDefinition } from '#server/feeds/betfair/stream-market.ts';
import type { PlayResult } from '#values/play-result.ts';

/** DECIDED: the market is settled by `result`. VOID: every stake is returned. UNDECIDED: nothing can be taken from it, for the reason given. */
export type StreamResult =
	| { kind: 'DECIDED'; result: PlayResult }
	| { kind: 'VOID' }
	| { kind: 'UNDECIDED'; reason: string };

/** Taken out, before or after betting began. */
export const isRemoved = (status: string): boolean => status === 'REMOVED' || status === 'REMOVED_VACANT';

const undecided = (reason: string): StreamResult => ({ kind: 'UNDECIDED', reason });

/** @param keys our runners, in our order */
export function resultOf({ runners, numberOfWinners }: StreamDefinition, keys: readonly RunnerKey[]): StreamResult {
	const statuses = new Map(runners.map((runner) => [runnerKey(runner), runner.status]));
	if (statuses.size < runners.length) return undecided('it names a runner twice');
	const missing = keys.filter((key) => !statuses.has(key));
	if (missing.length > 0) return undecided(`it lacks the runners ${missing.join(', ')}`);
	const strange = [...statuses].find(([key, status]) => !keys.includes(key) && isPlaced(status));
	if (strange) return undecided(`its winner ${strange[0]} is not listed here`);

	const standing = keys.filter((key) => !isRemoved(statuses.get(key) ?? ''));
	const of = (status: string) => standing.filter((key) => statuses.get(key) === status);
	const [won, placed, lost, active] = [of('WINNER'), of('PLACED'), of('LOSER'), of('ACTIVE')];
	// Closed without a winner is void: no runner is left, none has a result, or all have lost.
	if (active.length === standing.length || lost.length === standing.length) return { kind: 'VOID' };
	if (won.length + placed.length + lost.length < standing.length) {
		const open = standing.filter((key) => !isDecided(statuses.get(key) ?? ''));
		return undecided(`it has no result of the runners ${open.join(', ')}`);
	}
	const indexes = (of: readonly RunnerKey[]) => of.map((key) => keys.indexOf(key));
	const result: PlayResult = { winners: indexes(won), places: Math.min(numberOfWinners, won.length) };
	return { kind: 'DECIDED', result: placed.length > 0 ? { ...result, placed: indexes(placed) } : result };
}

const isPlaced = (status: string): boolean => status === 'WINNER' || status === 'PLACED';
const isDecided = (status: string): boolean => isPlaced(status) || status === 'LOSER';

/** Every one of our runners was taken out. */
export function isWithdrawn({ runners }: StreamDefinition, keys: readonly RunnerKey[]): boolean {
	const gone = new Set(runners.filter(({ status }) => isRemoved(status)).map(runnerKey));
	return keys.every((key) => gone.has(key));
}
