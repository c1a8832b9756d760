/** Amounts of a currency as text: its symbol, its groups of digits, and decimals where it has coins of a part. */
import { CURRENCY_TERMS } from '#values/currencies.ts';
import { type Currency, HOME_CURRENCY } from '#values/currency-codes.ts';
import { digitGroups } from '#values/digit-groups.ts';
import type { AnyMinor } from '#values/money.ts';

/**
 * 150000 minor units → "₹1,500", 150050 → "₹1,500.50", −150000 yen cents → "−¥1,500". Written by hand: the first number
 * format of a page takes a fiftieth of a second of a fast desk, and a tenth of a phone's.
 */
export function moneyText(currency: Currency, amount: AnyMinor): string {
	const { symbol, decimals } = CURRENCY_TERMS[currency];
	const shown = Math.abs(amount) % 100 === 0 ? 0 : decimals;
	const [units = '', part] = (Math.abs(amount) / 100).toFixed(shown).split('.');
	const grouped = digitGroups(units, currency === HOME_CURRENCY);
	return `${amount < 0 ? '−' : ''}${symbol}${grouped}${part === undefined ? '' : `.${part}`}`;
}
