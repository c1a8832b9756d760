/**
 * The risk and the profit of a bet. The engine and the bet slip use the same functions, so players see the held amount.
 * "Exact" amounts are minor units × hundredths, that is, hundredths of a minor unit: a match rounds nothing. Source: exchange
 * rules, "Liability and rounding".
 */
import type { AnyMinor } from '#values/money.ts';
import type { AnyPrice } from '#values/price-ladder.ts';
import { BACK, type SideCode } from '#values/sides.ts';

/** Exact profit of a winning bet: the backer S(p−1), the layer S. */
export function profitExact(side: SideCode, price: AnyPrice, stake: AnyMinor): number {
	return side === BACK ? stake * (price - 100) : stake * 100;
}

/** Exact loss of a losing bet: the backer S, the layer S(p−1). */
export function liabilityExact(side: SideCode, price: AnyPrice, stake: AnyMinor): number {
	return side === BACK ? stake * 100 : stake * (price - 100);
}

/**
 * Whole coins that cover an exact amount, given times `parts`: rounded up, never above the held amount.
 * @param step minor units of the smallest coin
 */
export function minorToHold(exact: number, parts = 1, step = 1): AnyMinor {
	// `%` is slow on large numbers. A quotient that was rounded up leaves no positive remainder.
	const unit = 100 * parts * step;
	const whole = Math.floor(exact / unit);
	return (exact - whole * unit > 0 ? whole + 1 : whole) * step;
}

/**
 * A player's exact net in whole coins, given times `parts`: to the nearest, an exact half in favour of the house.
 * Profits and losses are rounded only by this function wherever they are shown or paid; a loss is a negative net.
 * @param step minor units of the smallest coin
 */
export function netMinorOfParts(exact: number, parts: number, step = 1): AnyMinor {
	const unit = 100 * parts * step;
	const rest = ((exact % unit) + unit) % unit;
	const floor = (exact - rest) / unit;
	return (rest * 2 > unit ? floor + 1 : floor) * step;
}

/** The same for an exact amount without a divisor, in minor units. */
export const netMinor = (exact: number): AnyMinor => netMinorOfParts(exact, 1);

/**
 * Commission on a rounded net of one market, basis points of the net winnings, to the nearest coin, half up.
 * @param net whole coins
 * @param step minor units of the smallest coin
 */
export function commissionMinor(net: AnyMinor, basisPoints: number, step = 1): AnyMinor {
	if (net <= 0) return 0;
	if (step > 1) return commissionMinor(net / step, basisPoints) * step;
	// Multiples of ten thousand are multiplied separately, because a large net times a rate would exceed the safe
	// integers.
	const rest = net % 10_000;
	const raised = rest * basisPoints + 5000;
	return ((net - rest) / 10_000) * basisPoints + (raised - (raised % 10_000)) / 10_000;
}

/**
 * True when the profit in whole minor units is more than 20 % below or 25 % above the exact one: the stake is too small for
 * its price.
 */
export function profitRatioIsUnfair(price: AnyPrice, stake: AnyMinor): boolean {
	const exact = profitExact(BACK, price, stake);
	const raised = exact + 50;
	const rounded = raised - (raised % 100);
	return rounded * 100 < exact * 80 || rounded * 100 > exact * 125;
}

/** The average matched price in hundredths, rounded to the nearest; null while nothing is matched. */
export function averagePrice(matched: AnyMinor, matchedValue: number): number | null {
	return matched === 0 ? null : Math.round(matchedValue / matched);
}
