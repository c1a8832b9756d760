/** As in English, in the case that says in what an amount is: “in rupees”. */
import type { Currency } from '#values/currency-codes.ts';
import { CURRENCY } from '#web/currency.ts';

const IN: Readonly<Record<Currency, string>> = {
	INR: 'টাকায়',
	EUR: 'ইউরোয়',
	GBP: 'পাউন্ডে',
	BRL: 'রিয়ালে',
	JPY: 'ইয়েনে',
};
export const IN_CURRENCY = IN[CURRENCY];
