/**
 * How likely chance alone is: each function says how extreme a figure is, on both sides, from 0 to 1. Fits that are too
 * good are as suspicious as bad ones.
 */

const TERMS = 10_000;
const PRECISION = 1e-14;
/** Lanczos' coefficients for g = 7: Numerical Recipes, 6.1. */
const LANCZOS = [
	0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
	12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
];

function logGamma(x: number): number {
	const [first = 1, ...others] = LANCZOS;
	const sum = others.reduce((total, coefficient, index) => total + coefficient / (x + index), first);
	const top = x + 6.5;
	return 0.5 * Math.log(2 * Math.PI) + (x - 0.5) * Math.log(top) - top + Math.log(sum);
}

/** The upper part of the regularised incomplete gamma function: Numerical Recipes, 6.2. */
export function upperGamma(a: number, x: number): number {
	if (x <= 0) return 1;
	const scale = Math.exp(a * Math.log(x) - x - logGamma(a));
	if (x < a + 1) {
		let term = 1 / a;
		let sum = term;
		for (let n = 1; n < TERMS && term > sum * PRECISION; n++) {
			term *= x / (a + n);
			sum += term;
		}
		return Math.min(1, Math.max(0, 1 - sum * scale));
	}
	let b = x + 1 - a;
	let c = 1e300;
	let d = 1 / b;
	let fraction = d;
	for (let n = 1; n < TERMS; n++) {
		const step = -n * (n - a);
		b += 2;
		d = 1 / (step * d + b);
		c = b + step / c;
		fraction *= c * d;
		if (Math.abs(c * d - 1) < PRECISION) break;
	}
	return Math.min(1, scale * fraction);
}

const bothSides = (upper: number): number => Math.min(1, 2 * Math.min(upper, 1 - upper));

/** @param square a sum of squares of independent normal figures */
export const chiSquareChance = (square: number, degrees: number): number =>
	bothSides(upperGamma(degrees / 2, square / 2));

/** @param deviations of a normal figure from its mean, in standard deviations */
export const normalChance = (deviations: number): number => upperGamma(0.5, deviations ** 2 / 2);

/** @param count of rare events, of which `mean` are expected */
export function poissonChance(count: number, mean: number): number {
	// P(X >= count) is the lower part of the incomplete gamma function of `count`.
	const atLeast = count === 0 ? 1 : 1 - upperGamma(count, mean);
	const atMost = upperGamma(count + 1, mean);
	return Math.min(1, 2 * Math.min(atLeast, atMost));
}

const LEAST_EXPECTED = 5;
/** Counts of few cells are exactly those expected too often to be suspicious. */
const LEAST_CELLS_TOO_EVEN = 11;

/**
 * Counts against what is expected of each: neighbours of which fewer than five are expected are taken together.
 * @returns null if no two cells are left
 */
export function fitChance(counts: readonly number[], expected: readonly number[]): number | null {
	const cells: { count: number; expected: number }[] = [];
	let open = { count: 0, expected: 0 };
	for (const [index, count] of counts.entries()) {
		open = { count: open.count + count, expected: open.expected + (expected[index] ?? 0) };
		if (open.expected < LEAST_EXPECTED) continue;
		cells.push(open);
		open = { count: 0, expected: 0 };
	}
	const last = cells.pop();
	if (!last) return null;
	cells.push({ count: last.count + open.count, expected: last.expected + open.expected });
	if (cells.length < 2) return null;
	const square = cells.reduce((sum, cell) => sum + (cell.count - cell.expected) ** 2 / cell.expected, 0);
	return cells.length < LEAST_CELLS_TOO_EVEN
		? upperGamma((cells.length - 1) / 2, square / 2)
		: chiSquareChance(square, cells.length - 1);
}
