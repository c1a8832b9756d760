/** As in English; after it stands a word that asks for the oblique form. */
import type { Currency } from '#values/currency-codes.ts';
import { CURRENCY } from '#web/currency.ts';

const NAMES: Readonly<Record<Currency, string>> = {
	INR: 'रुपयों',
	EUR: 'यूरो',
	GBP: 'पाउंड',
	BRL: 'रियाल',
	JPY: 'येन',
};
export const CURRENCY_NAME = NAMES[CURRENCY];
