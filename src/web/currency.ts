/** The currency of the page's brand, as the server put it into its head: every amount of the site is in it. */
import { CURRENCIES, HOME_CURRENCY } from '#values/currency-codes.ts';

const { currency: named, symbol = '₹', decimals = '2' } = globalThis.document?.documentElement.dataset ?? {};
export const CURRENCY = CURRENCIES.find((currency) => currency === named) ?? HOME_CURRENCY;
/** Whether there are coins of less than one of its units: there are none of a yen. */
export const HAS_PARTS = decimals !== '0';
/** Written before amounts. */
export const SYMBOL = symbol;
