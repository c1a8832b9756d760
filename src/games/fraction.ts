/** Exact fractions: chances, prizes and returns are never rounded before they are shown or paid. */

export interface Fraction {
	readonly numerator: bigint;
	/** Above zero; the fraction is in lowest terms. */
	readonly denominator: bigint;
}

const divisorOf = (one: bigint, other: bigint): bigint => (other === 0n ? one : divisorOf(other, one % other));

/** @throws if the denominator is not above zero */
export function fraction(numerator: bigint | number, denominator: bigint | number = 1n): Fraction {
	const [over, under] = [BigInt(numerator), BigInt(denominator)];
	if (under <= 0n) throw new Error(`not a fraction: ${over}/${under}`);
	const divisor = divisorOf(over < 0n ? -over : over, under);
	return { numerator: over / divisor, denominator: under / divisor };
}

export const NONE: Fraction = fraction(0);

/** A prize as pay tables name it: 195 hundredths are 1.95 times the stake, the stake included. */
export const hundredths = (count: number): Fraction => fraction(count, 100);

export const add = (one: Fraction, other: Fraction): Fraction =>
	fraction(one.numerator * other.denominator + other.numerator * one.denominator, one.denominator * other.denominator);

export const multiply = (one: Fraction, other: Fraction): Fraction =>
	fraction(one.numerator * other.numerator, one.denominator * other.denominator);

/** Negative, zero or positive as the first is below, equal to or above the second. */
export function compare(one: Fraction, other: Fraction): number {
	const difference = one.numerator * other.denominator - other.numerator * one.denominator;
	return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** The nearest double, for statistics and drawings; payouts never use it. */
export const toNumber = ({ numerator, denominator }: Fraction): number => Number(numerator) / Number(denominator);

/** Rounded down to a number of decimals: 799/830 with two is 0.96. */
function decimalText(value: Fraction, decimals: number): string {
	const scaled = (value.numerator * 10n ** BigInt(decimals)) / value.denominator;
	const digits = scaled.toString().padStart(decimals + 1, '0');
	return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/** A chance or a return in per cent, to the nearest thousandth, without trailing zeros: 799/830 is 96.265%. */
export const percentText = (value: Fraction): string =>
	`${decimalText(add(multiply(value, fraction(100)), fraction(1, 2_000)), 3).replace(/\.?0+$/, '')}%`;

/** A prize as a multiple of the stake, rounded down to hundredths. */
export const multipleText = (value: Fraction): string => `${decimalText(value, 2)}x`;

/** The number of ways to choose some of a number of things. */
export function choose(from: number, count: number): bigint {
	if (count < 0 || count > from) return 0n;
	let ways = 1n;
	for (let index = 1; index <= count; index++) ways = (ways * BigInt(from - index + 1)) / BigInt(index);
	return ways;
}
