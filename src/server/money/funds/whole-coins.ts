/** Amounts of a currency whose smallest coin is more than a minor unit: refused at the door, with words. */
import { CURRENCY_TERMS } from '#values/currencies.ts';
import { Refused } from '#values/error-catalogue.ts';
import type { AnyMinor } from '#values/money.ts';
import { moneyText } from '#values/money-text.ts';
import { currencyOf, isOfCoins, type Pool, stepOf } from '#values/pools.ts';

/** Of a deposit or a withdrawal. @throws Refused INVALID_AMOUNT */
export function checkCoins(pool: Pool, amount: AnyMinor): void {
	if (isOfCoins(pool, amount)) return;
	const coin = moneyText(currencyOf(pool), stepOf(pool));
	throw new Refused('INVALID_AMOUNT', { step: stepOf(pool) / 100 }, `The amount must be a multiple of ${coin}.`);
}

/** Of a bet in a market. @throws Refused INVALID_STAKE */
export function checkStakeStep(pool: Pool, stake: AnyMinor): void {
	const currency = currencyOf(pool);
	const { stakeStep } = CURRENCY_TERMS[currency];
	if (stake % stakeStep === 0) return;
	const least = moneyText(currency, stakeStep);
	throw new Refused('INVALID_STAKE', { step: stakeStep / 100 }, `The stake must be a multiple of ${least}.`);
}
