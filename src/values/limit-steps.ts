/** Steps by which a market's limits tighten as liability grows, and ease as it falls. */

/** Amounts in minor units. */
export interface LimitStep {
	/** The liability from which the step holds. */
	from: number;
	/** Largest stake of one bet. */
	maxStake: number;
	/** Largest exposure of one player in the market; null leaves it. */
	maxExposure: number | null;
}

/** The limits of a market that steps change, minor units; an exposure of 0 sets no limit. */
export interface MarketLimits {
	maxStake: number;
	maxExposure: number;
}

const PERCENT = 100;

/**
 * The steps that hold: those whose threshold is reached, and those that held and whose liability has not fallen below
 * their share yet. Without that share a liability that swings around a threshold would change the limits each time.
 * @param held numbers of the steps that held before
 */
export function stepsHolding(
	{ steps, relaxPercent }: { steps: readonly LimitStep[]; relaxPercent: number },
	liability: number,
	held: ReadonlySet<number>,
): number[] {
	return steps.flatMap(({ from }, at) => {
		// Whole numbers on both sides: the product of an amount and a percentage is exact.
		const holds = liability >= from || (held.has(at) && liability * PERCENT >= from * relaxPercent);
		return holds ? [at] : [];
	});
}

/** The tightest of the steps, never looser than without them, and never below the market's smallest stake. */
export function limitsUnder(base: MarketLimits, steps: readonly LimitStep[], minStake: number): MarketLimits {
	const stakes = steps.map(({ maxStake }) => Math.max(minStake, maxStake));
	const exposures = [base.maxExposure || null, ...steps.map(({ maxExposure }) => maxExposure)].filter(
		(limit) => limit !== null,
	);
	return {
		maxStake: Math.min(base.maxStake, ...stakes),
		maxExposure: exposures.length === 0 ? 0 : Math.min(...exposures),
	};
}
