/**
 * Reads a result from the definition that closes a stream's market. A real stream has closed a decided race with a
 * definition that listed only its one non-runner, so a result is accepted only from a definition that accounts for every
 * runner we listed. For any other definition the reason is returned.
 */
import { type RunnerKey, runnerKey, type StreamDefinition } from '#server/world/feeds/betfair/stream-market.ts';
import type { PlayResult } from '#values/play-result.ts';

/** DECIDED: the market is settled by `result`. VOID: every stake is returned. UNDECIDED: the definition gives no result, for this reason. */
type StreamResult = { kind: 'DECIDED'; result: PlayResult } | { kind: 'VOID' } | { kind: 'UNDECIDED'; reason: string };

/** Removed before or after betting began. */
export const isRemoved = (status: string): boolean => status === 'REMOVED' || status === 'REMOVED_VACANT';

const undecided = (reason: string): StreamResult => ({ kind: 'UNDECIDED', reason });

/** @param keys keys of our runners, in our order */
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
	// A market closed without a winner is void: no runner is left, none has a result, or all lost.
	if (active.length === standing.length || lost.length === standing.length) return { kind: 'VOID' };
	if (won.length + placed.length + lost.length < standing.length) {
		const open = standing.filter((key) => !isDecided(statuses.get(key) ?? ''));
		return undecided(`it has no result of the runners ${open.join(', ')}`);
	}
	if (numberOfWinners > 1 && won.length > numberOfWinners)
		return undecided(
			`it has more winners than places, ${won.length} for ${numberOfWinners}, and does not say which are tied`,
		);
	const indexes = (of: readonly RunnerKey[]) => of.map((key) => keys.indexOf(key));
	const result: PlayResult = { winners: indexes(won), places: Math.min(numberOfWinners, won.length) };
	return { kind: 'DECIDED', result: placed.length > 0 ? { ...result, placed: indexes(placed) } : result };
}

const isPlaced = (status: string): boolean => status === 'WINNER' || status === 'PLACED';
const isDecided = (status: string): boolean => isPlaced(status) || status === 'LOSER';

/** All of our runners were removed. */
export function isWithdrawn({ runners }: StreamDefinition, keys: readonly RunnerKey[]): boolean {
	const gone = new Set(runners.filter(({ status }) => isRemoved(status)).map(runnerKey));
	return keys.every((key) => gone.has(key));
}
