/** The chips of the tables are stakes that the house takes, in the currency of each brand. */
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, expect, it, vi } from 'vitest';
import { casinoLimits } from '#values/casino-limits.ts';
import { CURRENCY_TERMS } from '#values/currencies.ts';
import { CURRENCIES, type Currency } from '#values/currency-codes.ts';

// The other files of the worker load the site as that of the home brand again.
afterEach(() => {
	vi.unstubAllGlobals();
	vi.resetModules();
});

/** Of a page of a brand with that currency: the chips, and which is in the hand at first; major units. */
async function chipsIn(currency: Currency): Promise<{ values: number[]; first: number }> {
	const { symbol, decimals } = CURRENCY_TERMS[currency];
	const dataset = { currency, symbol, decimals: String(decimals) };
	vi.stubGlobal('document', { documentElement: { dataset, lang: 'en' } });
	vi.resetModules();
	const { ChipTray, useChips } = await import('#web/features/casino/chips.tsx');
	vi.unstubAllGlobals();
	const Tray = () => createElement(ChipTray, { chips: useChips(), disabled: false });
	const tray = renderToStaticMarkup(createElement(Tray));
	const values = (pattern: RegExp) =>
		[...tray.matchAll(pattern)].map(([, text = '']) => Number(text.replace('k', '')) * (text.endsWith('k') ? 1000 : 1));
	return {
		values: values(/chip-choice"[^>]*>([\dk]+)</g),
		first: values(/chip-choice"[^>]*aria-pressed="true"[^>]*>([\dk]+)</g)[0] ?? Number.NaN,
	};
}

it.each(CURRENCIES)('of a brand in %s are stakes that the house takes', async (currency) => {
	const { values, first } = await chipsIn(currency);
	const { stakeStep, leastStake, mostStake } = casinoLimits(currency);
	expect(values.length).toBe(5);
	expect(values.filter((value) => (value * 100) % stakeStep !== 0 || value * 100 < leastStake)).toEqual([]);
	expect(Math.max(...values) * 100).toBeLessThanOrEqual(mostStake);
	expect(values).toContain(first);
});
