/**
 * What the kernel knows of pools: the smallest coin of each one's currency, and how the limits of a market, which are
 * written in the home currency, count in it. src/values/currencies.ts has the data, `setPool` brings it.
 */

/** At most as many pools as fit in the bits of a position. */
export const MOST_POOLS: i32 = 16;

@unmanaged
class PoolTerms {
	/** Minor units of the smallest coin. */
	step: f64;
	/** Stakes of players' bets are multiples of it. */
	stakeStep: f64;
	/** A limit counts `times` and is divided by `over`. */
	times: f64;
	over: f64;
}
const SIZE: usize = 32;
const terms: usize = memory.data(512, 8);

function termsOf(pool: i32): PoolTerms {
	return changetype<PoolTerms>(terms + <usize>pool * SIZE);
}

/** Sets the terms of a pool, before it has a wallet. */
export function setPool(pool: i32, step: f64, stakeStep: f64, times: f64, over: f64): void {
	assert(pool >= 0 && pool < MOST_POOLS, 'a pool has a code that fits in a position');
	const own = termsOf(pool);
	own.step = step;
	own.stakeStep = stakeStep;
	own.times = times;
	own.over = over;
}

export function stepOf(pool: i32): f64 {
	return termsOf(pool).step;
}

export function stakeStepOf(pool: i32): f64 {
	return termsOf(pool).stakeStep;
}

/** A limit of a market as one of a pool, rounded down to its coins; 0 stays no limit. */
export function limitIn(pool: i32, limit: f64): f64 {
	const own = termsOf(pool);
	if (limit == 0 || own.times == own.over) return limit;
	return max(own.step, floor((limit * own.times) / (own.over * own.step)) * own.step);
}

/** The least stake of a bet, rounded up to a possible one. */
export function leastStakeIn(pool: i32, least: f64): f64 {
	const step = stakeStepOf(pool);
	const limit = limitIn(pool, least);
	return step == 1 ? limit : ceil(limit / step) * step;
}
