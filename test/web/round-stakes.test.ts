/** Stakes that the slip offers at a press are stakes that the exchange takes, in the currency of each brand. */
import { afterEach, expect, it, vi } from 'vitest';
import { CURRENCY_TERMS } from '#values/currencies.ts';
import { CURRENCIES } from '#values/currency-codes.ts';

// The other files of the worker load the site as that of the home brand again.
afterEach(() => {
	vi.unstubAllGlobals();
	vi.resetModules();
});

it.each(CURRENCIES)('of a brand in %s', async (currency) => {
	const { symbol, decimals, stakeStep } = CURRENCY_TERMS[currency];
	vi.stubGlobal('document', { documentElement: { dataset: { currency, symbol, decimals: String(decimals) } } });
	vi.resetModules();
	const { stakeUpTo } = await import('#web/typed-amount.ts');
	for (const amount of [0, 99, 9_999, 12_345, 1_253_333, 99_999_999]) {
		const stake = stakeUpTo(amount);
		expect(stake % stakeStep).toBe(0);
		expect(stake).toBeLessThanOrEqual(amount);
		expect(amount - stake).toBeLessThan(Math.max(100, stakeStep));
	}
});
