/** Gaps of a race in lengths of a horse. */
import { formatNumber } from '#web/format.ts';

/** Metres of a horse. */
export const METRES_A_LENGTH = 2.4;
const QUARTERS = ['', '¼', '½', '¾'];

/** A gap in racing notation: 8.9 m → "3¾"; the smallest is a quarter. */
export function lengthsOf(metres: number): string {
	const quarters = Math.max(1, Math.round((metres / METRES_A_LENGTH) * 4));
	const whole = Math.floor(quarters / 4);
	return `${whole === 0 ? '' : formatNumber(whole)}${QUARTERS[quarters % 4]}`;
}
