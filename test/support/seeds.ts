/** Random tests: with `npm test` on the first seed, on the others they are thorough. */
import { it } from 'vitest';

/**
 * @param title has `%i` or `%s` where the seed stands
 * @param first what the first seed is: thorough, too, where plain tests show the rule and a walk over it costs much
 */
export function onSeeds(
	seeds: readonly number[],
	title: string,
	test: (seed: number) => void | Promise<void>,
	first: 'quick' | 'thorough' = 'quick',
): void {
	for (const [at, seed] of seeds.entries()) {
		const tags = at === 0 && first === 'quick' ? [] : ['thorough'];
		it(title.replace(/%[is]/, String(seed)), { tags }, () => test(seed));
	}
}
