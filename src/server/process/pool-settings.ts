/** The settings of engines by pool: which pools a process serves, and which engines a gateway has behind it. */
import * as v from 'valibot';
import { LEAST_KEY } from '#server/platform/keys/token-key.ts';
import { listed } from '#server/process/listed.ts';
import { POOLS, type Pool, poolsNumber } from '#values/pools.ts';

/** An engine behind a gateway. */
export interface EngineConfig {
	pools: readonly Pool[];
	tokenKey: string;
}

/** Spreads neighbouring numbers over 32 bits. */
const GOLDEN_STEP = 0x9e3779b9;

/** The pools between the commas, in the order of `POOLS`; null when one is unknown or named twice. */
function poolsIn(text: string): readonly Pool[] | null {
	const names = listed(text);
	const pools = POOLS.filter((pool) => names.includes(pool));
	return pools.length > 0 && pools.length === names.length ? pools : null;
}

export const PoolsSetting = v.pipe(
	v.string(),
	v.rawTransform(({ dataset, addIssue, NEVER }) => {
		const pools = poolsIn(dataset.value);
		if (pools) return pools;
		addIssue({ message: `POOLS must be ${POOLS.join(', ')} or some of them, with commas between.` });
		return NEVER;
	}),
);

export const EnginesSetting = v.pipe(
	v.string(),
	v.rawTransform(({ dataset, addIssue, NEVER }) => {
		const engines = enginesIn(dataset.value);
		if (typeof engines !== 'string') return engines;
		addIssue({ message: engines });
		return NEVER;
	}),
);

/** @returns the engines, or what is wrong with them */
function enginesIn(text: string): EngineConfig[] | string {
	const engines: EngineConfig[] = [];
	for (const part of text.split(';').filter(Boolean)) {
		const [names = '', tokenKey = ''] = part.split(/:(.*)/s);
		const pools = poolsIn(names);
		if (!pools || tokenKey.length < LEAST_KEY)
			return 'ENGINES must be POOLS:TOKEN_KEY of each engine, with semicolons between.';
		const other = engines.find((engine) => engine.tokenKey === tokenKey);
		// With one key the rounds of a demo player would show those of another player of the same number.
		if (other) return 'ENGINES must have a TOKEN_KEY of its own for each engine.';
		if (engines.some((engine) => engine.pools.some((pool) => pools.includes(pool))))
			return 'ENGINES must name each pool once.';
		engines.push({ pools, tokenKey });
	}
	return engines;
}

/**
 * The seed of simulated sports. Engines of some pools play matches of their own: they do not keep step, and the one that
 * is ahead would show the other's results.
 */
export const seedOf = (simSeed: number, pools: readonly Pool[]): number =>
	(simSeed + poolsNumber(pools) * GOLDEN_STEP) % 2 ** 32;
