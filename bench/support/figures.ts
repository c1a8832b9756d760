/** Shared by the benches: figures and their output, temporary folders, bets, servers, clients. */

export function round(value: number, decimals: number): number {
	return Number(value.toFixed(decimals));
}

/** The value below which this share of the samples lies; NaN when there are none. Sorts the samples. */
export function percentile(samples: number[], share: number): number {
	samples.sort((one, other) => one - other);
	return samples[Math.min(samples.length - 1, Math.floor(samples.length * share))] ?? Number.NaN;
}

/** The one line a bench prints. */
export function print(figures: Readonly<Record<string, unknown>>): void {
	process.stdout.write(`${JSON.stringify(figures)}\n`);
}
