/** What a browser downloads before the first screen shows, in the build that the tests of this folder visit. */
import { expect, it } from 'vitest';
import { firstRoute, gzippedBytes, MUST } from '../../bench/support/first-route.ts';

it('the first screen comes with few scripts and styles', () => {
	const { scripts, styles } = firstRoute();
	expect(gzippedBytes(scripts)).toBeLessThanOrEqual(MUST.jsKB * 1000);
	expect(gzippedBytes(styles)).toBeLessThanOrEqual(MUST.cssKB * 1000);
});
