/** Random tests: with `npm test` on the first seed, on the others they are thorough. */
import { it } from 'vitest';

/** @param title has `%i` or `%s` where the seed stands */
export function onSeeds(seeds: readonly number[], title: string, test: (seed: number) => void | Promise<void>): void {
	for (const [at, seed] of seeds.entries()) {
		const tags = at === 0 ? [] : ['thorough'];
		it(title.replace(/%[is]/, String(seed)), { tags }, () => test(seed));
	}
}
