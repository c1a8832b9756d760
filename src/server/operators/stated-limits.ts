/** Amounts as a trader states them, in a currency. */
import { CURRENCY_TERMS, homeLimitOf } from '#values/currencies.ts';
import type { Currency } from '#values/currency-codes.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { AnyMinor } from '#values/money.ts';

/** @param amounts minor units of the currency @throws Refused VALIDATION_FAILED for parts of a coin */
export function checkWholeCoins(currency: Currency, amounts: readonly AnyMinor[]): void {
	const { step } = CURRENCY_TERMS[currency];
	if (amounts.some((amount) => amount % step !== 0))
		throw new Refused('VALIDATION_FAILED', {}, `There are no parts of a coin in ${currency}.`);
}

/**
 * Limits as a market has them, in the home currency; those that are left out stay out.
 * @param limits minor units of the currency @throws Refused VALIDATION_FAILED for parts of a coin
 */
export function homeLimits<Limit extends string>(
	currency: Currency,
	limits: Readonly<Record<Limit, AnyMinor | undefined>>,
): Partial<Record<Limit, AnyMinor>> {
	const given = Object.entries<AnyMinor | undefined>(limits).filter(
		(entry): entry is [Limit, AnyMinor] => entry[1] !== undefined,
	);
	checkWholeCoins(
		currency,
		given.map(([, amount]) => amount),
	);
	return Object.fromEntries(given.map(([name, amount]) => [name, homeLimitOf(currency, amount)])) as Partial<
		Record<Limit, AnyMinor>
	>;
}
