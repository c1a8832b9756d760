/** The currency of the page's brand, as the server put it into its head: every amount of the site is in it. */
import { CURRENCIES, CURRENCY_TERMS, HOME_CURRENCY, limitIn } from '#values/currencies.ts';
import { DEMO_GRANT_MINOR } from '#values/house-limits.ts';
import { moneyText } from '#values/money-text.ts';

const named = globalThis.document?.documentElement.dataset['currency'];
export const CURRENCY = CURRENCIES.find((currency) => currency === named) ?? HOME_CURRENCY;
const TERMS = CURRENCY_TERMS[CURRENCY];
export const SYMBOL: string = TERMS.symbol;
/** Chips that the casino offers, major units. */
export const CHIPS: readonly number[] = TERMS.chips;
/** What a demo player begins with: "₹20,000". */
export const DEMO_GRANT = moneyText(CURRENCY, limitIn(CURRENCY, DEMO_GRANT_MINOR));
