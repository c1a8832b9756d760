/**
 * The multiplier: 100 × e^(0.00006 t) hundredths after t milliseconds, rounded down. The server reads a table and
 * computes no exponential during a flight.
 */

/** Growth of the logarithm per millisecond. */
export const GROWTH: number = 6 / 100_000;
/** All bets are cashed out at 10,000.00x. */
export const MOST_CENTS = 1_000_000;

/**
 * The first millisecond of each number of hundredths, up to one beyond the largest; entries below 100 are zero.
 * Computed once: a million logarithms take as long as the rest of a takeover's casino.
 */
export const flightTable = (): Int32Array => {
	known ??= newFlightTable();
	return known;
};

let known: Int32Array | null = null;

function newFlightTable(): Int32Array {
	const table = new Int32Array(MOST_CENTS + 2);
	for (let cents = 101; cents < table.length; cents++) table[cents] = Math.ceil(Math.log(cents / 100) / GROWTH);
	return table;
}

/** The instant of the crash: when the next hundredth would be shown, in milliseconds after the start. */
export const crashMs = (table: Int32Array, cents: number): number => table[Math.min(cents, MOST_CENTS) + 1] as number;

/** The displayed hundredths at a time. */
export function centsAt(table: Int32Array, ms: number): number {
	let [low, high] = [100, MOST_CENTS];
	while (low < high) {
		const middle = Math.ceil((low + high) / 2);
		if ((table[middle] as number) <= ms) low = middle;
		else high = middle - 1;
	}
	return low;
}
