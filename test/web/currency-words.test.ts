/** The currency of a brand has its name in every language, and amounts are never asked for in that of another brand. */
import { afterEach, expect, it, vi } from 'vitest';
import { CURRENCY_TERMS } from '#values/currencies.ts';
import { CURRENCIES } from '#values/currency-codes.ts';
import { LANGUAGES } from '#values/languages.ts';

// The other files of the worker load the site as that of the home brand again.
afterEach(() => {
	vi.unstubAllGlobals();
	vi.resetModules();
});

/** The texts that say in which currency an amount is, as the page of a brand with that currency loads them. */
async function wordsIn(language: string, currency: (typeof CURRENCIES)[number]): Promise<string[]> {
	const { symbol, decimals } = CURRENCY_TERMS[currency];
	const dataset = { currency, symbol, decimals: String(decimals) };
	vi.stubGlobal('document', { documentElement: { dataset } });
	vi.resetModules();
	const texts = (file: string) => import(`../../src/web/texts/${language}/${file}.ts`);
	const [{ CASHIER_TEXTS }, { PROTECTION_TEXTS }, { CASINO_TEXTS }] = await Promise.all(
		['cashier', 'protection', 'casino'].map(texts),
	);
	return [CASHIER_TEXTS.amount, leavesNamed(PROTECTION_TEXTS, 'newLimit').join(), CASINO_TEXTS.stake.whole];
}

/** The texts of that name, wherever they stand. */
const leavesNamed = (node: object, name: string): unknown[] =>
	Object.entries(node).flatMap(([key, value]): unknown[] =>
		key === name ? [value] : typeof value === 'object' && value !== null ? leavesNamed(value, name) : [],
	);

it.each(LANGUAGES)('the %s texts name each currency in its own words, and as no other one', async (language) => {
	const byCurrency: string[][] = [];
	for (const currency of CURRENCIES) byCurrency.push(await wordsIn(language, currency));
	for (const at of [0, 1]) {
		const words = byCurrency.map((texts) => texts[at] ?? '');
		expect(new Set(words).size).toBe(CURRENCIES.length);
		for (const text of words) expect(text).not.toMatch(language === 'en' ? /undefined/ : /[a-z]{2}/i);
	}
	for (const [at, currency] of CURRENCIES.entries())
		expect(byCurrency[at]?.[2]).toContain(CURRENCY_TERMS[currency].symbol);
});
