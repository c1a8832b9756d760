/** The currencies of brands by their codes. Their terms are in currencies.ts, which the site's first screen does without. */

/** ISO 4217, the home currency first. Codes of pools follow this order: a further currency comes last. */
export const CURRENCIES = ['INR', 'EUR', 'GBP', 'BRL', 'JPY'] as const;
export type Currency = (typeof CURRENCIES)[number];
export type FurtherCurrency = Exclude<Currency, 'INR'>;

/** Its limits are written down; those of further currencies follow from them. */
export const HOME_CURRENCY = 'INR' satisfies Currency;
