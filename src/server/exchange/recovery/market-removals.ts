/** The removals of a market as its row has them: those of runners that were returned are marked. */
import type { RunnerRemoval } from '#engine/bet-detail.ts';
import type { MarketView } from '#engine/engine.ts';

const RETURNED = 'RETURNED';

export type WrittenRemoval = readonly [runner: number, reductionBp: number, mark?: typeof RETURNED];

export const writtenRemovals = (removals: readonly RunnerRemoval[]): WrittenRemoval[] =>
	removals.map(({ runner, reductionBp, returned }) =>
		returned ? [runner, reductionBp, RETURNED] : [runner, reductionBp],
	);

export function readRemovals(written: readonly WrittenRemoval[]): Pick<MarketView, 'removed' | 'removals'> {
	const removals = written.map(([runner, reductionBp, mark]) => ({ runner, reductionBp, returned: mark === RETURNED }));
	const removed = removals
		.filter(({ returned }) => !returned)
		.map(({ runner, reductionBp }) => [runner, reductionBp] as const);
	return { removed, removals };
}
