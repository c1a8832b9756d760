/** Amounts as text, against the browser's own format. */
import { expect, it } from 'vitest';
import { CURRENCY_TERMS } from '#values/currencies.ts';
import { CURRENCIES } from '#values/currency-codes.ts';
import { minorOf } from '#values/money.ts';
import { moneyText } from '#values/money-text.ts';

it.each(CURRENCIES)(
	'amounts of %s are as browsers write them: symbol, groups, and decimals where a coin has parts',
	(currency) => {
		const { symbol, decimals } = CURRENCY_TERMS[currency];
		const inLanguage = currency === 'INR' ? 'en-IN' : 'en';
		for (let amount = 1; amount < 1e13; amount = amount * 10 + 7) {
			for (const minor of [amount, amount * 100]) {
				const digits = minor % 100 === 0 ? 0 : decimals;
				const options = { minimumFractionDigits: digits, maximumFractionDigits: digits };
				const text = `${symbol}${new Intl.NumberFormat(inLanguage, options).format(minor / 100)}`;
				expect(moneyText(currency, minorOf(minor))).toBe(text);
				expect(moneyText(currency, minorOf(-minor))).toBe(`−${text}`);
			}
		}
	},
);
