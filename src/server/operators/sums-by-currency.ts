/** Sums over pools as operators see them: amounts of two currencies are never added. */
import { CURRENCIES, type Currency } from '#values/currency-codes.ts';
import { type AnyMinor, majorFromMinor } from '#values/money.ts';
import { moneyText } from '#values/money-text.ts';
import { currencyOf, type Pool } from '#values/pools.ts';

/** Major units. */
export interface CurrencySum {
	currency: Currency;
	amount: number;
}

interface OfPool {
	pool: Pool;
	/** Minor units. */
	amount: AnyMinor;
}

/** By currency, the home currency first; those without an amount are left out. */
export function sumsByCurrency(amounts: readonly OfPool[]): CurrencySum[] {
	const sums = new Map<Currency, AnyMinor>();
	for (const { pool, amount } of amounts) {
		const currency = currencyOf(pool);
		sums.set(currency, (sums.get(currency) ?? 0) + amount);
	}
	return CURRENCIES.flatMap((currency) => {
		const sum = sums.get(currency) ?? 0;
		return sum === 0 ? [] : [{ currency, amount: majorFromMinor(sum) }];
	});
}

/** "₹1,200 and ¥900", "0" without any. */
export const sumsText = (sums: readonly CurrencySum[]): string =>
	sums.map(({ currency, amount }) => moneyText(currency, Math.round(amount * 100))).join(' and ') || '0';

/** The least amount of each currency. */
export const leastByCurrency = (amounts: readonly OfPool[]): CurrencySum[] =>
	[...Map.groupBy(amounts, ({ pool }) => currencyOf(pool)).values()].flatMap((own) =>
		sumsByCurrency([own.reduce((least, one) => (one.amount < least.amount ? one : least))]),
	);
