/** Lines of a fancy. */

/** Whole numbers from one to another, each a runner with the number as its id. */
export function linesBetween(from: number, to: number, step = 1): number[] {
	return Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, at) => from + at * step);
}

export const lineRunners = (lines: readonly number[]): { id: string; name: string }[] =>
	lines.map((line) => ({ id: String(line), name: String(line) }));

/** The share of results that reach each line. @param results one for each time play was played out */
export function reachedChances(results: readonly number[], lines: readonly number[]): number[] {
	const sorted = results.toSorted((one, other) => one - other);
	let below = 0;
	return lines.map((line) => {
		while (below < sorted.length && (sorted[below] as number) < line) below++;
		return 1 - below / sorted.length;
	});
}
