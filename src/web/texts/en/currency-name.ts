/** What the amounts of the page's brand are, in words. */
import type { Currency } from '#values/currency-codes.ts';
import { CURRENCY } from '#web/currency.ts';

const NAMES: Readonly<Record<Currency, string>> = {
	INR: 'rupees',
	EUR: 'euros',
	GBP: 'pounds',
	BRL: 'reais',
	JPY: 'yen',
};
export const CURRENCY_NAME = NAMES[CURRENCY];
