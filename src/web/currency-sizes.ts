/** Amounts that suit the currency of the page's brand. */
import { casinoLimits } from '#values/casino-limits.ts';
import { CURRENCY_TERMS, limitIn } from '#values/currencies.ts';
import { DEMO_GRANT_MINOR } from '#values/house-limits.ts';
import { minorOf } from '#values/money.ts';
import { moneyText } from '#values/money-text.ts';
import { CURRENCY } from '#web/currency.ts';

/** Chips that the casino offers, major units. */
export const CHIPS = CURRENCY_TERMS[CURRENCY].chips;
/** Deposits that the cashier offers, minor units: ₹500 to ₹20,000, as limits count in the currency. */
export const DEPOSITS = [50_000, 100_000, 200_000, 500_000, 1_000_000, 2_000_000].map((home) =>
	minorOf(limitIn(CURRENCY, home)),
);
/** What a demo player begins with: "₹20,000". */
export const DEMO_GRANT = moneyText(CURRENCY, limitIn(CURRENCY, DEMO_GRANT_MINOR));
/** What stakes of the casino are multiples of: "₹1", "¥100". */
export const STAKE_STEP = moneyText(CURRENCY, casinoLimits(CURRENCY).stakeStep);
