/** The deposits that the cashier offers suit the currency of the brand. */
import { afterEach, expect, it, vi } from 'vitest';

// The other files of the worker load the site as that of the home brand again.
afterEach(() => {
	vi.unstubAllGlobals();
	vi.resetModules();
});

it.each([
	['INR', '2', [500, 1000, 2000, 5000, 10_000, 20_000]],
	['EUR', '2', [5, 10, 20, 50, 100, 200]],
	['GBP', '2', [5, 10, 20, 50, 100, 200]],
	['BRL', '2', [25, 50, 100, 250, 500, 1000]],
	['JPY', '0', [1000, 2000, 4000, 10_000, 20_000, 40_000]],
])('in %s', async (currency, decimals, sizes) => {
	vi.stubGlobal('document', { documentElement: { dataset: { currency, decimals } } });
	vi.resetModules();
	const { DEPOSITS } = await import('#web/currency-sizes.ts');
	expect(DEPOSITS.map((amount) => amount / 100)).toEqual(sizes);
});
