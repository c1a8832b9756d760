/** Amounts of a currency as text: its symbol, its groups of digits, and decimals where it has coins of a part. */
import { CURRENCY_TERMS } from '#values/currencies.ts';
import { type Currency, HOME_CURRENCY } from '#values/currency-codes.ts';
import type { AnyMinor } from '#values/money.ts';

const FORMATS = new Map<string, Intl.NumberFormat>();

function formatOf(currency: Currency, decimals: number): Intl.NumberFormat {
	const key = `${currency} ${decimals}`;
	const known = FORMATS.get(key);
	if (known) return known;
	const made = new Intl.NumberFormat(groupsLike(currency), {
		minimumFractionDigits: decimals,
		maximumFractionDigits: decimals,
	});
	FORMATS.set(key, made);
	return made;
}

/** Latin digits; groups as in India for rupees, and of three elsewhere. */
const groupsLike = (currency: Currency): string => (currency === HOME_CURRENCY ? 'en-IN-u-nu-latn' : 'en-u-nu-latn');

/** 150000 minor units → "₹1,500", 150050 → "₹1,500.50", −150000 yen cents → "−¥1,500". */
export function moneyText(currency: Currency, amount: AnyMinor): string {
	const { symbol, decimals } = CURRENCY_TERMS[currency];
	const shown = Math.abs(amount) % 100 === 0 ? 0 : decimals;
	return `${amount < 0 ? '−' : ''}${symbol}${formatOf(currency, shown).format(Math.abs(amount) / 100)}`;
}
