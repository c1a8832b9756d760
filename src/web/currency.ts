/** The currency of the page's brand, as the server put it into its head: every amount of the site is in it. */
import { CURRENCIES, HOME_CURRENCY } from '#values/currency-codes.ts';

const { currency: named, symbol = '₹' } = globalThis.document?.documentElement.dataset ?? {};
export const CURRENCY = CURRENCIES.find((currency) => currency === named) ?? HOME_CURRENCY;
/** Written before amounts. */
export const SYMBOL = symbol;
